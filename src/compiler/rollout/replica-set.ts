import { compareText } from '../../base/collections/compare-text.ts';
import type { ManifestWorkReplicaSetV1alpha1Spec } from '../../../schemas/types.gen.ts';
import { isOfKind } from '../api/placement-references.ts';
import { objectKey, type Admitted, type Inventory } from '../model/inventory.ts';
import type { Decisions } from '../place/decision.ts';
import { trackGroups, type TrackedGroup } from './decision-tracker.ts';
import { ConcurrentClusters } from './concurrent-clusters.ts';
import { readStrategy, type Strategy } from './strategy/strategy.ts';
import { reportsProgressing } from '../../ocm/progressing-rule.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { workGroup, clusterGroup } from '../../../schemas/groups.ts';

/** The clusters on which a ManifestWorkReplicaSet has its works after the hub is idle and all agents have applied them. */
export interface ReplicaSetReach {
  /** The names of its Placements, in order. */
  readonly named: readonly string[];
  /** The names of the Placements for which a cluster has a work each, by cluster. Sorted by cluster. At least one. */
  readonly clusters: ReadonlyMap<string, readonly string[]>;
  /**
   * The names of the Placements for which the hub no longer creates, changes or deletes works, each with the reason. Existing
   * works remain.
   */
  readonly stopped: ReadonlyMap<string, PlacementStop>;
  /**
   * The names of the Placements whose rollout stays in its first wave, each with the clusters that it never reaches. Existing works
   * there remain as they are.
   */
  readonly waiting: ReadonlyMap<string, readonly string[]>;
  /** The clusters that several of its Placements select, with the names of these Placements. */
  readonly contested: ReadonlyMap<string, readonly string[]>;
}

/** The reason why the hub stops at a Placement of a set. */
export type PlacementStop =
  /** It does not exist, and the hub processes no further one. */
  | 'missing'
  /** An earlier Placement does not exist. */
  | 'behind a missing one'
  /** Its decisions are unknown. */
  | 'unknown'
  /** Its decisions do not identify their group, or its strategy has an invalid size or deadline. */
  | { readonly error: string };

/** Returns the ManifestWorkReplicaSets among the objects of other kinds. */
export function replicaSets({ others }: Pick<Inventory, 'others'>): readonly Admitted[] {
  return others.filter((each) => isOfKind(each, workGroup, 'ManifestWorkReplicaSet'));
}

const noWorks: ManifestWorkReplicaSetV1alpha1Spec = {
  cascadeDeletionPolicy: 'Background',
  placementRefs: [],
};

/** Returns the spec, which has been validated. */
export function replicaSetSpec({ object }: Admitted): ManifestWorkReplicaSetV1alpha1Spec {
  return (object['spec'] as ManifestWorkReplicaSetV1alpha1Spec | undefined) ?? noWorks;
}

/**
 * Simulates OCM's manifestworkreplicasetcontroller for a set, from no works to the final state. Placements are processed in the
 * order of the references. If several select a cluster, each has a work there; on releases that do not generate names, the hub relabels
 * the only work for each of them in turn and never settles, and this function assigns the cluster to the last one.
 */
export function replicaSetReach(
  set: Admitted,
  decisions: Decisions,
  { elsewhere }: Pick<Inventory, 'elsewhere'>,
  { generatesWorkNames }: Pick<HubVersion, 'generatesWorkNames'>,
): ReplicaSetReach {
  const { namespace = '' } = set.object.metadata;
  const stopped = new Map<string, PlacementStop>();
  const waiting = new Map<string, readonly string[]>();
  const proceeds = reportsProgressing(replicaSetSpec(set).manifestWorkTemplate ?? {});
  const selectors = new Map<string, string[]>();
  let isMissing = false;
  for (const { name, rolloutStrategy } of replicaSetSpec(set).placementRefs) {
    const decision = decisions.byPlacement.get(objectKey(namespace, name));
    const identity = { group: clusterGroup, kind: 'Placement', namespace, name };
    if (isMissing) stopped.set(name, 'behind a missing one');
    else if (decision === undefined) {
      isMissing = elsewhere.existence(identity) === 'missing';
      stopped.set(name, isMissing ? 'missing' : 'unknown');
    } else {
      const groups = trackGroups(decision.objects);
      const strategy = readStrategy(rolloutStrategy);
      const { clusters, left, error } =
        groups instanceof Error
          ? { clusters: [], left: [], error: groups }
          : rolledOut(strategy, groups, { start: decisions.now, proceeds });
      if (error !== undefined) stopped.set(name, { error: error.message });
      else if (left.length > 0) waiting.set(name, left);
      for (const cluster of clusters) {
        const names = selectors.get(cluster);
        if (names === undefined) selectors.set(cluster, [name]);
        else if (!names.includes(name)) names.push(name);
      }
    }
  }
  const onHub = [...selectors].filter(([cluster]) => decisions.clusters.has(cluster));
  const sorted = onHub.sort(([a], [b]) => compareText(a, b));
  return {
    named: replicaSetSpec(set).placementRefs.map(({ name }) => name),
    clusters: new Map(
      sorted.map(([cluster, names]) => [cluster, generatesWorkNames ? names : names.slice(-1)]),
    ),
    stopped,
    waiting,
    contested: new Map(sorted.filter(([, names]) => names.length > 1)),
  };
}

interface RolledOut {
  readonly clusters: readonly string[];
  /** The selected clusters that it does not reach. */
  readonly left: readonly string[];
  readonly error?: Error;
}

/**
 * Returns the clusters that a strategy reaches if every agent applies its work immediately.
 *
 * @param proceeds - whether agents report Progressing. As clusterRolloutStatusFunc of OCM's controller: without that condition, a work
 * counts as one that still has to be applied, so the first wave never ends, not even by a deadline
 */
function rolledOut(
  strategy: Strategy,
  groups: readonly TrackedGroup[],
  { start, proceeds }: { readonly start: number; readonly proceeds: boolean },
): RolledOut {
  const all = [...new Set(groups.flatMap(({ clusters }) => clusters))];
  const handler = new ConcurrentClusters(
    strategy,
    groups,
    all.map((cluster) => ({ cluster, progress: 'ToApply' })),
  );
  const reached: string[] = [];
  const end = (error?: Error): RolledOut => {
    const changed = new Set(reached);
    const left = all.filter((cluster) => !changed.has(cluster)).sort();
    return { clusters: reached, left, ...(error && { error }) };
  };
  let now = start;
  for (;;) {
    const step = handler.step(now);
    if (step instanceof Error) return end(step);
    if (!proceeds) {
      reached.push(...step.starting);
      return end();
    }
    for (const cluster of step.starting) {
      reached.push(cluster);
      handler.update({ cluster, progress: 'Succeeded', since: now });
    }
    if (step.starting.length > 0) continue;
    if (step.due === undefined || step.due <= now) return end();
    now = step.due;
  }
}
