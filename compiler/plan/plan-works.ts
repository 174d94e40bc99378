import { compareUtf8 } from '../../encoding/go-json.ts';
import { objectKey, type Admitted } from '../inventory.ts';
import type { Resolution } from '../resolve.ts';
import { replicaSetReach, replicaSetSpec } from '../rollout/replica-set.ts';
import type { Cause, ChangeGroup } from './change.ts';
import {
  ChangeGroups,
  comesOrGoes,
  distinct,
  unchangedIn,
  wholeChange,
  type Change,
} from './change-groups.ts';
import { compareWorks, workText } from './compare-works.ts';
import type { Pair } from './resolution-pair.ts';
import type { SelectionCauses } from './selection-causes.ts';

/** The kinds of works that are written by themselves, and belong to no add-on. */
export type WorkKind = 'ManifestWork' | 'ManifestWorkReplicaSet';

/** What happens to the works of one name, or to those of one ManifestWorkReplicaSet. */
export interface WorkChange {
  readonly kind: WorkKind;
  /** Of the ManifestWorks in all clusters' namespaces; `namespace/name` of a ManifestWorkReplicaSet. */
  readonly name: string;
  readonly change?: 'added' | 'removed';
  readonly before: number;
  readonly after: number;
  readonly groups: readonly ChangeGroup[];
  /** Clusters on which they stay as they are. */
  readonly unchanged: number;
}

type ByCluster = ReadonlyMap<string, readonly Admitted[]>;

/** Compares the works that were written by themselves; by kind and name. Those that stay as they are have no groups. */
export function planWorks(pair: Pair, causes: SelectionCauses): WorkChange[] {
  const { base, head } = pair.works;
  const works = namesIn(base.others, head.others).map((name) =>
    workChange('ManifestWork', name, base.others.get(name), head.others.get(name), () => []),
  );
  const replicaSets = namesIn(base.replicaSets, head.replicaSets).map((name) => {
    const [before, after] = [base.replicaSets.get(name), head.replicaSets.get(name)];
    const from = spread(before, pair.base.resolution);
    const to = spreadAfter(before, after, pair);
    const why = selectionCauses(before, after, pair, causes);
    return workChange('ManifestWorkReplicaSet', name, from, to, why);
  });
  return [...works, ...replicaSets];
}

function namesIn(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort(compareUtf8);
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
      const told = causes.length > 0 ? causes : compareWorks(works, []).causes;
      groups.add(`uninstalled ${texts(told)}`, [], cluster, () => wholeChange('uninstalled', told));
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
    const told = causes.length > 0 ? causes : compareWorks([], works).causes;
    groups.add(`installed ${texts(told)}`, [], cluster, () => wholeChange('installed', told));
  }
  const changed = groups.all();
  return {
    kind,
    name,
    ...comesOrGoes(before, after),
    before: before?.size ?? 0,
    after: after?.size ?? 0,
    groups: changed,
    unchanged: unchangedIn(changed, after),
  };
}

/** Undefined where the works say the same. */
function changeOf(before: readonly Admitted[], after: readonly Admitted[]): Change | undefined {
  const { causes, values } = compareWorks(before, after);
  if (causes.length === 0) return undefined;
  const effect = values.length > 0 ? 'changed' : 'rerolled';
  return { effect, causes: distinct(causes), configs: [], values, moreValues: 0 };
}

function texts(causes: readonly Cause[]): string {
  return causes.map(({ text }) => text).join('\n');
}

/** The works of a ManifestWorkReplicaSet are one list for all clusters. */
function rememberedText(): (works: readonly Admitted[]) => string {
  const known = new Map<readonly Admitted[], string>();
  return (works) => {
    const text = known.get(works) ?? workText(works);
    known.set(works, text);
    return text;
  };
}

/** A ManifestWorkReplicaSet makes the same work on all clusters that it reaches. */
function spread(
  replicaSet: Admitted | undefined,
  { decisions, inventory }: Resolution,
): ByCluster | undefined {
  if (replicaSet === undefined) return undefined;
  const work = [replicaSet];
  const { clusters } = replicaSetReach(replicaSet, decisions, inventory);
  return new Map(Array.from(clusters.keys(), (cluster) => [cluster, work]));
}

/**
 * Where the works are after a change. As OCM's manifestworkreplicasetcontroller: it touches no work of a Placement at which it
 * stops, so that what was there before stays as it was.
 */
function spreadAfter(
  before: Admitted | undefined,
  after: Admitted | undefined,
  { base, head }: Pair,
): ByCluster | undefined {
  const works = spread(after, head.resolution);
  if (before === undefined || after === undefined || works === undefined) return works;
  const { stopped } = replicaSetReach(after, head.resolution.decisions, head.resolution.inventory);
  if (stopped.size === 0) return works;
  const earlier = replicaSetReach(before, base.resolution.decisions, base.resolution.inventory);
  const staying = [...earlier.clusters].filter(
    ([cluster, placement]) =>
      stopped.has(placement) && !works.has(cluster) && head.resolution.decisions.clusters.has(cluster),
  );
  return new Map([...works, ...staying.map(([cluster]) => [cluster, [before]] as const)]);
}

/** `namespace/name` of the Placements that it names: those of its own namespace. */
function placementsOf(replicaSet: Admitted): readonly string[] {
  const { namespace } = replicaSet.object.metadata;
  return replicaSetSpec(replicaSet).placementRefs.map(({ name }) => objectKey(namespace, name));
}

type SelectionCause = (cluster: string, change: 'lost' | 'gained') => readonly Cause[];

/** Why a ManifestWorkReplicaSet reaches a cluster in one state only; no cause where it is itself new or gone. */
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
    const { decisions } = (change === 'lost' ? base : head).resolution.decisions;
    const key = `${change} ${placement}`;
    const clusters = selected.get(key) ?? new Set(decisions.get(placement)?.selected);
    selected.set(key, clusters);
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
