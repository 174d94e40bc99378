import { namesInEither } from '../names-in-either.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { objectKey, type Admitted } from '../../model/inventory.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import type { Resolution } from '../../resolve.ts';
import { replicaSetReach, replicaSetSpec } from '../../rollout/replica-set.ts';
import type { Cause } from '../change.ts';
import {
  ChangeGroups,
  additionOrRemoval,
  distinct,
  unchangedIn,
  wholeChange,
  type Change,
  type GroupedChange,
} from '../change-groups.ts';
import { compareWorks, workText } from './compare-works.ts';
import type { Pair } from '../resolution-pair.ts';
import type { SelectionCauses } from '../causes/selection-causes.ts';

/** The kinds of works that were written directly and belong to no add-on. */
export type WorkKind = 'ManifestWork' | 'ManifestWorkReplicaSet';

/**
 * The change to the works with one name in all clusters' namespaces, or to those of one ManifestWorkReplicaSet, whose name is
 * `namespace/name`.
 */
export type WorkChange = GroupedChange<WorkKind>;

type ByCluster = ReadonlyMap<string, readonly Admitted[]>;

/** Compares the works that were written directly, by kind and name. Unchanged works have no groups. */
export function planWorks(pair: Pair, causes: SelectionCauses): WorkChange[] {
  const { base, head } = pair.works;
  const works = namesInEither(base.others, head.others).map((name) =>
    workChange('ManifestWork', name, base.others.get(name), head.others.get(name), () => []),
  );
  const replicaSets = namesInEither(base.replicaSets, head.replicaSets).map((name) => {
    const [before, after] = [base.replicaSets.get(name), head.replicaSets.get(name)];
    const from = spread(before, pair.base.resolution, pair.baseHub);
    const to = spreadAfter(before, after, pair);
    const why = selectionCauses(before, after, pair, causes);
    return workChange('ManifestWorkReplicaSet', name, from, to, why);
  });
  return [...works, ...replicaSets];
}

function workChange(
  kind: WorkKind,
  name: string,
  before: ByCluster | undefined,
  after: ByCluster | undefined,
  why: SelectionCause,
): WorkChange {
  const groups = new ChangeGroups();
  const textOf = rememberedText();
  const compared = new Map<string, Change | undefined>();
  for (const [cluster, works] of before ?? []) {
    const later = after?.get(cluster);
    if (later === undefined) {
      const causes = [...why(cluster, 'lost')];
      const reportedCauses = causes.length > 0 ? causes : compareWorks(works, []).causes;
      groups.add(`uninstalled ${texts(reportedCauses)}`, [], cluster, () =>
        wholeChange('uninstalled', reportedCauses),
      );
      continue;
    }
    const key = `${textOf(works)}\n${textOf(later)}`;
    const change = compared.has(key) ? compared.get(key) : changeOf(works, later);
    compared.set(key, change);
    if (change !== undefined) groups.add(key, [], cluster, () => change);
  }
  for (const [cluster, works] of after ?? []) {
    if (before?.has(cluster) === true) continue;
    const causes = [...why(cluster, 'gained')];
    const reportedCauses = causes.length > 0 ? causes : compareWorks([], works).causes;
    groups.add(`installed ${texts(reportedCauses)}`, [], cluster, () =>
      wholeChange('installed', reportedCauses),
    );
  }
  const changed = groups.all();
  return {
    kind,
    name,
    ...additionOrRemoval(before, after),
    before: before?.size ?? 0,
    after: after?.size ?? 0,
    groups: changed,
    unchanged: unchangedIn(changed, after),
  };
}

/** Returns undefined if the works have equal content. */
function changeOf(before: readonly Admitted[], after: readonly Admitted[]): Change | undefined {
  const { causes, values } = compareWorks(before, after);
  if (causes.length === 0) return undefined;
  const effect = values.length > 0 ? 'changed' : 'rerolled';
  return { effect, causes: distinct(causes), configs: [], values, moreValues: 0 };
}

function texts(causes: readonly Cause[]): string {
  return causes.map(({ text }) => text).join('\n');
}

/** Returns a cached `workText`. The works of a ManifestWorkReplicaSet are one list for all clusters. */
function rememberedText(): (works: readonly Admitted[]) => string {
  const cache = new Map<readonly Admitted[], string>();
  return (works) => {
    return getOrInsertComputed(cache, works, () => workText(works));
  };
}

/** Returns the works of a ManifestWorkReplicaSet by cluster. It creates the same work on all clusters that it reaches. */
function spread(
  replicaSet: Admitted | undefined,
  { decisions, inventory }: Resolution,
  hub: HubVersion,
): ByCluster | undefined {
  if (replicaSet === undefined) return undefined;
  const work = [replicaSet];
  const { clusters } = replicaSetReach(replicaSet, decisions, inventory, hub);
  return new Map(Array.from(clusters.keys(), (cluster) => [cluster, work]));
}

/**
 * Returns the works by cluster after a change. As OCM's manifestworkreplicasetcontroller: it does not touch the works of a
 * Placement at which it stops, nor of clusters that a rollout never reaches, so these works remain as they were.
 */
function spreadAfter(
  before: Admitted | undefined,
  after: Admitted | undefined,
  { base, head, hub, baseHub }: Pair,
): ByCluster | undefined {
  const works = spread(after, head.resolution, hub);
  if (before === undefined || after === undefined || works === undefined) return works;
  const later = replicaSetReach(after, head.resolution.decisions, head.resolution.inventory, hub);
  if (later.stopped.size + later.waiting.size === 0) return works;
  const earlier = replicaSetReach(before, base.resolution.decisions, base.resolution.inventory, baseHub);
  const staying = [...earlier.clusters].filter(
    ([cluster, placements]) =>
      placements.some(
        (placement) =>
          later.stopped.has(placement) || later.waiting.get(placement)?.includes(cluster) === true,
      ) &&
      !works.has(cluster) &&
      head.resolution.decisions.clusters.has(cluster),
  );
  return new Map([...works, ...staying.map(([cluster]) => [cluster, [before]] as const)]);
}

/** Returns `namespace/name` of the Placements that it names, which are in its own namespace. */
function placementsOf(replicaSet: Admitted): readonly string[] {
  const { namespace } = replicaSet.object.metadata;
  return replicaSetSpec(replicaSet).placementRefs.map(({ name }) => objectKey(namespace, name));
}

type SelectionCause = (cluster: string, change: 'lost' | 'gained') => readonly Cause[];

/** Returns why a ManifestWorkReplicaSet reaches a cluster in one state only. Empty if the set itself is added or removed. */
function selectionCauses(
  before: Admitted | undefined,
  after: Admitted | undefined,
  { base, head }: Pair,
  causes: SelectionCauses,
): SelectionCause {
  if (before === undefined || after === undefined) return () => [];
  const lists = { lost: placementsOf(before), gained: placementsOf(after) };
  const others = { lost: new Set(lists.gained), gained: new Set(lists.lost) };
  const selected = new Map<string, ReadonlySet<string>>();
  const selects = (placement: string, cluster: string, change: 'lost' | 'gained'): boolean => {
    const { byPlacement: decisions } = (change === 'lost' ? base : head).resolution.decisions;
    const key = `${change} ${placement}`;
    const clusters = getOrInsertComputed(selected, key, () => new Set(decisions.get(placement)?.selected));
    return clusters.has(cluster);
  };
  return (cluster, change) =>
    lists[change].flatMap((placement): readonly Cause[] => {
      if (!selects(placement, cluster, change)) return [];
      if (others[change].has(placement)) return causes.of(placement, cluster, change);
      return [
        {
          kind: 'work edited',
          text: `it ${change === 'lost' ? 'no longer' : 'now'} names Placement "${placement}"`,
          side: 'head',
          location: after.origin.locate(['spec', 'placementRefs']),
        },
      ];
    });
}
