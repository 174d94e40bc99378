import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { formatTime } from '../../base/time/rfc3339.ts';
import type { ManagedClusterV1Taint } from '../../../schemas/types.gen.ts';
import { byFirstCluster } from '../configure/add-on-clusters.ts';
import { taintWords } from '../place/explain/words.ts';
import { rolloutGraph } from '../rollout/graph.ts';
import { causes, type CauseCode, type StatusState } from './cause-table.ts';
import { isTaintOfHealth, taintOfHealthCause } from './causes/cluster.ts';
import { causeRules } from './causes/rules.ts';
import { addOnsNotInGit, type ComparedAddOn, type StatusInput } from './compare.ts';
import type { ClusterCause, Evidence, Suspect } from './evidence.ts';
import { emptyPlacements } from './empty-placements.ts';
import type {
  AddOnFleetStatus,
  ContestedObject,
  ExcludedClusters,
  FleetStatus,
  StatusClass,
} from './fleet-status.ts';
import type { ClusterDetails } from './observation.ts';
import { RolloutPosition } from './rollout-position.ts';
import { UnappliedObjects } from './unapplied.ts';

/** What was read about the suspects. */
export interface StatusDetails {
  /** Returns the details of an add-on on a cluster. */
  readonly of: (addOn: string, cluster: string) => ClusterDetails;
  /** What the credentials do not allow to read, such as `manifestworks`. */
  readonly unread: readonly string[];
  /** Objects that two engines apply. @default - none is looked for */
  readonly contested?: readonly ContestedObject[];
}

/**
 * Returns the status of the compared add-ons: for every cluster that is not as predicted its first cause. Clusters with the same
 * cause are one class.
 */
export function fleetStatus(
  input: StatusInput,
  compared: readonly ComparedAddOn[],
  details: StatusDetails,
): FleetStatus {
  const { resolution, held, hub, isApplied = false } = input;
  const unapplied = isApplied ? undefined : new UnappliedObjects(held, resolution.inventory, hub);
  const addOns = compared.map((each) => addOnStatus(input, each, details, unapplied));
  return {
    time: formatTime(input.now),
    asPredicted: addOns.every(({ classes }) => classes.length === 0),
    addOns,
    notInGit: addOnsNotInGit(resolution),
    contested: details.contested ?? [],
    unread: details.unread,
  };
}

function addOnStatus(
  { resolution, now, promotionOf }: StatusInput,
  { addOn, asPredicted, suspects, changing, excluded }: ComparedAddOn,
  details: StatusDetails,
  unapplied: UnappliedObjects | undefined,
): AddOnFleetStatus {
  const { inventory, decisions, rollouts } = resolution;
  const graph = rolloutGraph(addOn, inventory, decisions);
  const position = new RolloutPosition(rollouts.get(addOn.name), graph, changing, now);
  const classes = new Classes();
  let predicted = asPredicted;
  const awaited = suspects.filter(
    ({ progress }) => progress === 'missing' || progress === 'unexpected',
  ).length;
  const evidenceOf = (suspect: Suspect): Evidence => ({
    ...suspect,
    addOn,
    managedCluster: decisions.clusters.get(suspect.cluster),
    taint: excluded.get(suspect.cluster),
    position,
    unapplied: unapplied?.of(addOn, suspect) ?? [],
    promotion: promotionOf?.(addOn, suspect),
    details: details.of(addOn.name, suspect.cluster),
    awaited,
    now,
  });
  for (const suspect of suspects) {
    const cause = firstCause(evidenceOf(suspect));
    if (cause === undefined) predicted += 1;
    else classes.add(suspect.cluster, cause);
  }
  const present = new Set(suspects.map(({ cluster }) => cluster));
  const tainted = [...excluded].filter(([cluster]) => !present.has(cluster));
  const chosen: [string, ManagedClusterV1Taint][] = [];
  for (const [cluster, taint] of tainted) {
    if (!isTaintOfHealth(taint.key)) {
      chosen.push([cluster, taint]);
      continue;
    }
    const without: Suspect = { cluster, progress: 'unexpected', expected: undefined, observed: undefined };
    classes.add(cluster, taintOfHealthCause(evidenceOf(without), taint));
  }
  const all = classes.sorted();
  const counts = { 'as predicted': predicted, 'on the way': 0, different: 0, unhealthy: 0 };
  for (const { state, clusters } of all) counts[state] += clusters.length;
  return {
    addOn: addOn.name,
    counts,
    classes: all,
    excluded: byTaint(chosen),
    emptyPlacements: addOn.clusters.size > 0 ? [] : emptyPlacements(addOn.name, resolution),
  };
}

/** Returns the first cause of a cluster; undefined if a closer look shows that it is as predicted. */
function firstCause(evidence: Evidence): ClusterCause | undefined {
  for (const rule of causeRules) {
    const cause = rule(evidence);
    if (cause !== undefined) return cause;
  }
  return undefined;
}

function byTaint(tainted: readonly [string, ManagedClusterV1Taint][]): readonly ExcludedClusters[] {
  const lists = new Map<string, string[]>();
  for (const [cluster, taint] of tainted)
    getOrInsertComputed(lists, taintWords(taint), () => []).push(cluster);
  return [...lists].map(([taint, clusters]) => ({ taint, clusters: clusters.sort() })).sort(byFirstCluster);
}

/** Clusters by state, cause and wave. */
class Classes {
  readonly #classes = new Map<string, { clusters: string[]; value: Omit<StatusClass, 'clusters'> }>();

  add(cluster: string, { code, message, since, wave }: ClusterCause): void {
    const key = `${code} ${message}`;
    const existing = this.#classes.get(key);
    if (existing === undefined) {
      const value = {
        state: causes[code].state,
        cause: { code, message },
        ...(since !== undefined && { since }),
        ...(wave !== undefined && { wave }),
      };
      this.#classes.set(key, { clusters: [cluster], value });
      return;
    }
    existing.clusters.push(cluster);
    if (since !== undefined && (existing.value.since ?? '~') > since)
      existing.value = { ...existing.value, since };
  }

  sorted(): readonly StatusClass[] {
    const order = Object.keys(causes) as CauseCode[];
    return Array.from(this.#classes.values(), ({ clusters, value }) => ({
      ...value,
      clusters: clusters.sort(),
    })).sort((a, b) => order.indexOf(a.cause.code) - order.indexOf(b.cause.code) || byFirstCluster(a, b));
  }
}

/** The states in the order in which reports show them. */
export const statusStates: readonly StatusState[] = ['as predicted', 'on the way', 'different', 'unhealthy'];
