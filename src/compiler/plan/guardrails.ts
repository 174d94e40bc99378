import { compareUtf8 } from '../../base/json/go-json.ts';
import { addToGroup } from '../../base/collections/groups.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import type { Location } from '../model/origin.ts';
import type { Resolution } from '../resolve.ts';
import { deletionsOf } from './answer-findings.ts';
import { applicationsWith, stoppedPolicies } from './placed-counts.ts';
import { clusterOnHub } from './hub-plans.ts';
import { effectsHash } from './effects/plan-effects.ts';
import type { Plan } from './plan.ts';

/** Limits of what a change may do before somebody has to approve this exact plan. */
export interface Guardrails {
  /** The maximum number of uninstalls, counted per add-on and cluster. @default - any number */
  readonly maxUninstalls?: Limit<number>;
  /**
   * The maximum number of Namespaces, CustomResourceDefinitions and PersistentVolumeClaims that are deleted with their content,
   * counted per cluster.
   *
   * @default - any number
   */
  readonly maxDeletions?: Limit<number>;
  /**
   * The maximum number of Applications of ApplicationSets that are deleted with what they deployed, or the share of the Applications
   * before the change.
   *
   * @default - any number
   */
  readonly maxDeletedApplications?: Limit<number | Percentage>;
  /**
   * How often a policy may be removed from a cluster, or no longer be enforced there, or the share of the policies on clusters before
   * the change.
   *
   * @default - any number
   */
  readonly maxStoppedPolicies?: Limit<number | Percentage>;
  /** The maximum number of clusters with a label that may be reached. */
  readonly atMost: readonly Limit<LabelLimit>[];
  /** Clusters that must not be reached. */
  readonly protect: readonly Limit<string>[];
  /** Hashes of approved plans, which may exceed all limits. */
  readonly approved: readonly string[];
}

/** A limit and the location where it is written. Flags have no location. */
export interface Limit<T> {
  readonly value: T;
  readonly location?: Location;
}

/** The maximum number of clusters with the value of a label that a change may reach. */
export interface LabelLimit {
  readonly label: string;
  readonly value: string;
  /** A number of clusters, or a percentage of those with the label. */
  readonly most: number | Percentage;
}

/** A share, such as that of the clusters with a label. */
export interface Percentage {
  /** 0 to 100. */
  readonly percent: number;
}

/** The result of checking a plan against guardrails. */
export interface GuardrailVerdict {
  /** Empty if the plan stays within the guardrails or is approved. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the plan exceeds the guardrails and is approved. */
  readonly approved: boolean;
  /** The plan with the guardrails that it exceeds among its effects, and with their hash, which an approval names. */
  readonly plan: Plan;
}

/**
 * Checks a plan against guardrails. Clusters on which add-ons only move are not reached.
 *
 * @param plan - its reach has to be counted by every label that `guardrails` limits
 */
export function checkGuardrails(plan: Plan, guardrails: Guardrails): GuardrailVerdict {
  const exceeded = [
    ...uninstallFindings(plan, guardrails),
    ...deletionFindings(plan, guardrails),
    ...applicationFindings(plan, guardrails),
    ...policyFindings(plan, guardrails),
    ...guardrails.atMost.flatMap((limit) => labelFindings(plan, limit)),
    ...protectedFindings(plan, guardrails),
  ];
  const bound = withExceeded(plan, exceeded);
  const approved = exceeded.length > 0 && guardrails.approved.includes(bound.hash);
  const hint = `if this is intended, approve the plan: add ${bound.hash} to guardrails.approved`;
  const diagnostics = approved ? [] : exceeded.map(({ finding }) => ({ ...finding, hint }));
  return { diagnostics, approved, plan: bound };
}

/** A guardrail that a plan exceeds. */
interface Exceeded {
  readonly guardrail: string;
  readonly finding: Diagnostic;
}

/** The numbers are left out: they follow from the other effects, and from clusters that the change does not reach. */
function withExceeded(plan: Plan, exceeded: readonly Exceeded[]): Plan {
  if (exceeded.length === 0) return plan;
  const named = new Map(exceeded.map(({ guardrail, finding: { code } }) => [guardrail, { code, guardrail }]));
  const sorted = [...named.values()].sort((a, b) => compareUtf8(a.guardrail, b.guardrail));
  const effects = { ...plan.effects, exceeded: sorted };
  return { ...plan, effects, hash: effectsHash(effects) };
}

/**
 * Returns the guardrails that name clusters which no app has in either state.
 *
 * @param apps - all apps of the repository, because guardrails apply to all of them
 * @param hub - the hub of the apps, if there are several
 */
export function idleGuardrails(
  apps: readonly { readonly base: Resolution; readonly head: Resolution }[],
  { atMost, protect }: Guardrails,
  hub?: string,
): Diagnostic[] {
  if (atMost.length === 0 && protect.length === 0) return [];
  const fleets = apps.flatMap(({ base, head }) => [base.decisions.clusters, head.decisions.clusters]);
  const hasLabel = ({ label, value }: LabelLimit): boolean =>
    fleets.some((clusters) =>
      [...clusters.values()].some(({ metadata }) => (metadata.labels?.[label] ?? '') === value),
    );
  const idle = [
    ...atMost
      .filter((limit) => !hasLabel(limit.value))
      .map((limit) => ({ ...limit, missing: `no cluster has ${limit.value.label}=${limit.value.value}` })),
    ...protect
      .filter((limit) => !fleets.some((clusters) => clusters.has(withoutHub(limit.value, hub))))
      .map((limit) => ({ ...limit, missing: `there is no cluster "${limit.value}"` })),
  ];
  return idle.map((limit) =>
    diagnostic('FW8011', {
      message: `${limit.missing}, so this guardrail has no effect`,
      ...placeOf(limit),
      hint: 'correct it, or remove it',
    }),
  );
}

/** Returns the name of a cluster on its hub: of several hubs, one can be named with the cluster. */
function withoutHub(cluster: string, hub: string | undefined): string {
  return hub !== undefined && cluster.startsWith(`${hub}/`) ? cluster.slice(hub.length + 1) : cluster;
}

function uninstallFindings({ summary, addOns }: Plan, { maxUninstalls }: Guardrails): Exceeded[] {
  const { uninstalled } = summary.effects;
  if (maxUninstalls === undefined || uninstalled <= maxUninstalls.value) return [];
  const times = uninstalled === 1 ? 'once' : `${uninstalled} times`;
  return [
    {
      guardrail: 'maxUninstalls',
      finding: diagnostic('FW8004', {
        message: `the change uninstalls ${lostThings(addOns)} from a cluster ${times}, but the guardrails allow at most ${maxUninstalls.value}`,
        ...placeOf(maxUninstalls),
      }),
    },
  ];
}

function deletionFindings({ addOns }: Plan, { maxDeletions }: Guardrails): Exceeded[] {
  const deletions = deletionsOf(addOns);
  if (maxDeletions === undefined || deletions <= maxDeletions.value) return [];
  const times = deletions === 1 ? 'once' : `${deletions} times`;
  return [
    {
      guardrail: 'maxDeletions',
      finding: diagnostic('FW8322', {
        message: `the change makes a cluster delete an object with its content ${times}, but the guardrails allow at most ${maxDeletions.value}`,
        ...placeOf(maxDeletions),
      }),
    },
  ];
}

function applicationFindings(
  { addOns, summary }: Plan,
  { maxDeletedApplications: limit }: Guardrails,
): Exceeded[] {
  const deleted = applicationsWith(addOns, 'deleted');
  const all = summary.placedBefore?.applications ?? 0;
  if (limit === undefined || !isMore(deleted, limit.value, all)) return [];
  const count = ofAll(deleted, limit.value, all);
  const what = count === '1' ? '1 Application with what it' : `${count} Applications with what they`;
  return [
    {
      guardrail: 'maxDeletedApplications',
      finding: diagnostic('FW8065', {
        message: `the change deletes ${what} deployed, but the guardrails allow at most ${sizeText(limit.value)}`,
        ...placeOf(limit),
      }),
    },
  ];
}

function policyFindings({ addOns, summary }: Plan, { maxStoppedPolicies: limit }: Guardrails): Exceeded[] {
  const { removed, unenforced } = stoppedPolicies(addOns);
  const all = summary.placedBefore?.policies ?? 0;
  if (limit === undefined || !isMore(removed + unenforced, limit.value, all)) return [];
  const times = ofAll(removed + unenforced, limit.value, all);
  const parts = [
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(unenforced > 0 ? [`${unenforced} no longer enforced`] : []),
  ];
  const often = times === '1' ? 'once' : `${times} times`;
  return [
    {
      guardrail: 'maxStoppedPolicies',
      finding: diagnostic('FW8066', {
        message: `the change stops a policy on a cluster ${often} (${parts.join(', ')}), but the guardrails allow at most ${sizeText(limit.value)}`,
        ...placeOf(limit),
      }),
    },
  ];
}

/** Whether a number exceeds a limit. Compares integers, because a tenth has no exact double representation. */
function isMore(count: number, most: number | Percentage, all: number): boolean {
  return typeof most === 'number' ? count > most : count * 100 > most.percent * all;
}

/** Returns `12`, or for a share `12 of 30`. */
function ofAll(count: number, most: number | Percentage, all: number): string {
  return typeof most === 'number' ? String(count) : `${count} of ${all}`;
}

function sizeText(most: number | Percentage): string {
  return typeof most === 'number' ? String(most) : `${most.percent}%`;
}

/** Returns `an add-on` or `an add-on, a Policy or an ApplicationSet`: the things that the plan removes from clusters. */
function lostThings(addOns: Plan['addOns']): string {
  const kinds = new Set(
    addOns.flatMap(({ kind = 'add-on', effects }) => (effects.uninstalled > 0 ? [kind] : [])),
  );
  const words = [...kinds].sort().map((kind) => (/^[aeiou]/i.test(kind) ? `an ${kind}` : `a ${kind}`));
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`;
}

function labelFindings({ reach }: Plan, limit: Limit<LabelLimit>): Exceeded[] {
  const { label, value, most } = limit.value;
  const { clusters, reached } = reach.find((row) => row.by === label && row.value === value) ?? {
    clusters: 0,
    reached: 0,
  };
  if (!isMore(reached, most, clusters)) return [];
  return [
    {
      guardrail: `atMost ${label}=${value}`,
      finding: diagnostic('FW8005', {
        message: `the change reaches ${reached} of ${clusters} clusters with ${label}=${value}, but the guardrails allow at most ${sizeText(most)}`,
        ...placeOf(limit),
      }),
    },
  ];
}

function protectedFindings({ addOns }: Plan, { protect }: Guardrails): Exceeded[] {
  const limits = new Map(protect.map((limit) => [limit.value, limit]));
  const reached = new Map<string, string[]>();
  for (const { hub, kind, addOn, groups } of addOns) {
    for (const { effect, clusters } of groups) {
      if (effect === 'moved') continue;
      for (const cluster of clusters) {
        for (const named of new Set([cluster, clusterOnHub(hub, cluster)])) {
          if (!limits.has(named)) continue;
          const name = kind === undefined ? `"${addOn}"` : `${kind} "${addOn}"`;
          const where = hub === undefined ? '' : ` on hub ${hub}`;
          const what = `${name} ${effect === 'rerolled' ? 'is rolled out again' : `is ${effect}`}${where}`;
          addToGroup(reached, named, what);
        }
      }
    }
  }
  return protect.flatMap((limit): Exceeded[] => {
    const what = reached.get(limit.value);
    if (what === undefined) return [];
    const message = `the change reaches the protected cluster "${limit.value}": ${what.join(', ')}`;
    const finding = diagnostic('FW8006', { message, ...placeOf(limit) });
    return [{ guardrail: `protect ${limit.value}`, finding }];
  });
}

function placeOf({ location }: Limit<unknown>): Pick<Diagnostic, 'location'> {
  return location === undefined ? {} : { location };
}
