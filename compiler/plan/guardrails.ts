import type { Diagnostic } from '../diagnostic.ts';
import type { Location } from '../origin.ts';
import type { Resolution } from '../resolve.ts';
import type { Plan } from './plan.ts';

/** How much a change may do before somebody has to approve this very plan. */
export interface Guardrails {
  /** So many times an add-on may be uninstalled from a cluster. @default - any number */
  readonly maxUninstalls?: Limit<number>;
  /** How many of the clusters with a label may be reached. */
  readonly atMost: readonly Limit<LabelLimit>[];
  /** Clusters that may not be reached at all. */
  readonly protect: readonly Limit<string>[];
  /** Hashes of plans that may exceed all of it. */
  readonly approved: readonly string[];
}

/** A limit and where it is written; flags have no place. */
export interface Limit<T> {
  readonly value: T;
  readonly location?: Location;
}

export interface LabelLimit {
  readonly label: string;
  readonly value: string;
  /** A number of clusters, or a share of those with the label. */
  readonly most: number | Percentage;
}

export interface Percentage {
  /** 0 to 100. */
  readonly percent: number;
}

/** What a plan does to guardrails. */
export interface GuardrailVerdict {
  /** Empty where the plan stays within them, or is approved. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether it exceeds them and is approved. */
  readonly approved: boolean;
}

/**
 * Holds a plan against guardrails. Clusters that an add-on only moves on are not reached.
 *
 * @param plan - its reach has to be counted by every label that `guardrails` limits
 */
export function checkGuardrails(plan: Plan, guardrails: Guardrails): GuardrailVerdict {
  const exceeded = [
    ...uninstallFindings(plan, guardrails),
    ...guardrails.atMost.flatMap((limit) => labelFindings(plan, limit)),
    ...protectedFindings(plan, guardrails),
  ];
  const approved = exceeded.length > 0 && guardrails.approved.includes(plan.hash);
  const hint = `where that is meant, approve this plan: add ${plan.hash} to guardrails.approved`;
  return { diagnostics: approved ? [] : exceeded.map((finding) => ({ ...finding, hint })), approved };
}

/**
 * Guardrails that speak of clusters which none of the apps has, in neither state.
 *
 * @param apps - all apps of the repository: guardrails are those of all of them
 */
export function idleGuardrails(
  apps: readonly { readonly base: Resolution; readonly head: Resolution }[],
  { atMost, protect }: Guardrails,
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
      .filter((limit) => !fleets.some((clusters) => clusters.has(limit.value)))
      .map((limit) => ({ ...limit, missing: `there is no cluster "${limit.value}"` })),
  ];
  return idle.map((limit) => ({
    code: 'FW8011',
    severity: 'warning',
    message: `${limit.missing}, so that this guardrail guards nothing`,
    ...placeOf(limit),
    hint: 'correct it, or remove it',
  }));
}

function uninstallFindings({ summary, addOns }: Plan, { maxUninstalls }: Guardrails): Diagnostic[] {
  const { uninstalled } = summary.effects;
  if (maxUninstalls === undefined || uninstalled <= maxUninstalls.value) return [];
  const times = uninstalled === 1 ? 'once' : `${uninstalled} times`;
  return [
    {
      code: 'FW8004',
      severity: 'error',
      message: `the change uninstalls ${lostThings(addOns)} from a cluster ${times}, and ${maxUninstalls.value} is the most that the guardrails allow`,
      ...placeOf(maxUninstalls),
    },
  ];
}

/** `an add-on`, `an add-on, a Policy or an ApplicationSet`: what the plan takes from clusters. */
function lostThings(addOns: Plan['addOns']): string {
  const kinds = new Set(
    addOns.flatMap(({ kind = 'add-on', effects }) => (effects.uninstalled > 0 ? [kind] : [])),
  );
  const words = [...kinds].sort().map((kind) => (/^[aeiou]/i.test(kind) ? `an ${kind}` : `a ${kind}`));
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`;
}

function labelFindings({ reach }: Plan, limit: Limit<LabelLimit>): Diagnostic[] {
  const { label, value, most } = limit.value;
  const { clusters, reached } = reach.find((row) => row.by === label && row.value === value) ?? {
    clusters: 0,
    reached: 0,
  };
  // In whole numbers: a tenth has no exact double.
  const isExceeded = typeof most === 'number' ? reached > most : reached * 100 > most.percent * clusters;
  if (!isExceeded) return [];
  return [
    {
      code: 'FW8005',
      severity: 'error',
      message: `the change reaches ${reached} of ${clusters} clusters with ${label}=${value}, and ${typeof most === 'number' ? most : `${most.percent}%`} is the most that the guardrails allow`,
      ...placeOf(limit),
    },
  ];
}

function protectedFindings({ addOns }: Plan, { protect }: Guardrails): Diagnostic[] {
  const limits = new Map(protect.map((limit) => [limit.value, limit]));
  const reached = new Map<string, string[]>();
  for (const { kind, addOn, groups } of addOns) {
    for (const { effect, clusters } of groups) {
      if (effect === 'moved') continue;
      for (const cluster of clusters) {
        if (!limits.has(cluster)) continue;
        const name = kind === undefined ? `"${addOn}"` : `${kind} "${addOn}"`;
        const what = `${name} ${effect === 'rerolled' ? 'is rolled out again' : `is ${effect}`}`;
        reached.set(cluster, [...(reached.get(cluster) ?? []), what]);
      }
    }
  }
  return protect.flatMap((limit): Diagnostic[] => {
    const what = reached.get(limit.value);
    if (what === undefined) return [];
    const message = `the change reaches the protected cluster "${limit.value}": ${what.join(', ')}`;
    return [{ code: 'FW8006', severity: 'error', message, ...placeOf(limit) }];
  });
}

function placeOf({ location }: Limit<unknown>): Pick<Diagnostic, 'location'> {
  return location === undefined ? {} : { location };
}
