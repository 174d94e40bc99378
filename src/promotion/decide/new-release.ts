import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { compareText } from '../../base/collections/compare-text.ts';
import { formatGoDuration } from '../../base/time/duration.ts';
import type { ResolvedAddOn } from '../../compiler/configure/resolved-add-on.ts';
import {
  dependentsByName,
  orderedRequirements,
  requiredAddOns,
} from '../../compiler/configure/required-add-ons.ts';
import type { Resolution } from '../../compiler/resolve.ts';
import {
  mandatoryGroups,
  reachableGroups,
  type TrackedGroup,
} from '../../compiler/rollout/decision-tracker.ts';
import { rolloutGraph, type StrategyNode } from '../../compiler/rollout/graph.ts';
import { sizeOf, type Size } from '../../compiler/rollout/strategy/strategy.ts';
import { behindRequired } from '../../compiler/rollout/required-waves.ts';
import type { PlacementContent } from './placement-content.ts';
import { absent, clusterKey, type Release, type ReleaseGate, type WavePart } from './promotion.ts';
import { releaseHash } from './release-hash.ts';

/** New content of an add-on on a cluster. */
export interface ChangedCluster {
  readonly addOn: string;
  readonly cluster: string;
  /** The hash of the new content. */
  readonly hash: string;
  /** With hub delivery: the content of the placement that leads the cluster. */
  readonly content?: PlacementContent;
  /** With hub delivery: the wave of the placement, from 1. */
  readonly wave?: number;
}

/**
 * Returns the release of changed clusters: the waves of the rollout strategies, without the clusters that do not change, and the
 * limits of the strategies as gates. Add-ons proceed together: wave 2 of one is released with wave 2 of the other.
 */
export function newRelease(
  changed: Iterable<ChangedCluster>,
  resolution: Resolution,
  { source, base }: Pick<Release, 'source' | 'base'>,
): Release {
  const gateOf = gateFinder(resolution);
  const gates = new Map<string, ReleaseGate>();
  const waves = new Map<number, Map<string, NewPart>>();
  const changes = [...changed];
  const required = orderedRequirements(requiredAddOns(resolution.inventory));
  const dependents = dependentsByName(required);
  const waveOf = waveFinder(changes, resolution, dependents);
  for (const change of changes) {
    const { addOn, cluster, hash } = change;
    const { name, gate } = gateOf(addOn, cluster);
    gates.set(name, gate);
    const parts = getOrInsertComputed(waves, waveOf(change), () => new Map());
    const isRemoval = isRemoved(change);
    const part = getOrInsertComputed(
      parts,
      `${clusterKey(addOn, name)}${isRemoval ? ' absent' : ''}`,
      () => ({
        addOn,
        gate: name,
        ...change.content,
        ...(isRemoval
          ? namedBy('requiredBy', dependents.get(addOn))
          : namedBy(
              'requires',
              required.get(addOn)?.map((requirement) => requirement.name),
            )),
        clusters: new Map<string, string>(),
      }),
    );
    part.clusters.set(cluster, hash);
  }
  const content = {
    gates: Object.fromEntries([...gates].sort(([a], [b]) => compareText(a, b))),
    waves: [...waves]
      .sort(([a], [b]) => a - b)
      .map(([, parts]) =>
        [...parts]
          .sort(([a], [b]) => compareText(a, b))
          .map(([, { clusters, ...part }]) => ({
            ...part,
            clusters: Object.fromEntries([...clusters].sort(([a], [b]) => compareText(a, b))),
          })),
      ),
  };
  return { hash: releaseHash(content), source, base, released: 0, ...content };
}

/** Whether a release removes an add-on with compiled delivery. The hub itself removes what it delivers. */
function isRemoved({ hash, wave }: ChangedCluster): boolean {
  return hash === absent && wave === undefined;
}

function namedBy(
  field: 'requires' | 'requiredBy',
  addOns: readonly string[] = [],
): Pick<WavePart, 'requires' | 'requiredBy'> {
  return addOns.length === 0 ? {} : { [field]: addOns.toSorted(compareText) };
}

/** Returns the waves of changes: those of rollout strategies and placements, behind those of the add-ons that must be Available first. */
function waveFinder(
  changes: readonly ChangedCluster[],
  { rollouts, inventory }: Resolution,
  dependents: ReadonlyMap<string, readonly string[]>,
): (change: ChangedCluster) => number {
  const own = new Map<string, Map<string, number>>();
  for (const change of changes) {
    const { addOn, cluster, wave } = change;
    if (isRemoved(change)) continue;
    const ofStrategy = rollouts.get(addOn)?.waveNumbers?.get(cluster);
    getOrInsertComputed(own, addOn, () => new Map()).set(cluster, wave ?? ofStrategy ?? 1);
  }
  const wavesOf = behindRequired(requiredAddOns(inventory), (addOn) => own.get(addOn));
  const removalWave = removalWaves(changes, dependents);
  return (change) =>
    isRemoved(change)
      ? removalWave(change.addOn, change.cluster)
      : (wavesOf(change.addOn)?.get(change.cluster) ?? 1);
}

/** Returns the wave in which a cluster loses an add-on: after the add-ons that require it and that the cluster loses too. */
function removalWaves(
  changes: readonly ChangedCluster[],
  dependents: ReadonlyMap<string, readonly string[]>,
): (addOn: string, cluster: string) => number {
  if (dependents.size === 0) return () => 1;
  const removed = new Set(
    changes.flatMap((change) => (isRemoved(change) ? [clusterKey(change.addOn, change.cluster)] : [])),
  );
  const waves = new Map<string, number>();
  const waveOf = (addOn: string, cluster: string): number => {
    const key = clusterKey(addOn, cluster);
    const known = waves.get(key);
    if (known !== undefined) return known;
    // Ends a cycle of requirements, which is reported as an error.
    waves.set(key, 1);
    const first = (dependents.get(addOn) ?? []).filter((name) => removed.has(clusterKey(name, cluster)));
    const wave = Math.max(1, ...first.map((name) => waveOf(name, cluster) + 1));
    waves.set(key, wave);
    return wave;
  };
  return waveOf;
}

/** A part of a wave while its clusters are collected. */
interface NewPart extends Omit<WavePart, 'clusters'> {
  readonly clusters: Map<string, string>;
}

interface NamedGate {
  readonly name: string;
  readonly gate: ReleaseGate;
}

/** Returns a function that returns the gate of an add-on on a cluster. */
function gateFinder({
  configuration,
  inventory,
  decisions,
}: Resolution): (addOn: string, cluster: string) => NamedGate {
  const byAddOn = new Map<string, (cluster: string) => NamedGate>();
  return (name, cluster) => {
    const finder = getOrInsertComputed(byAddOn, name, () => {
      const addOn = configuration.get(name);
      const graph = addOn && rolloutGraph(addOn, inventory, decisions);
      const nodes = graph === undefined || 'error' in graph ? [] : graph.nodes;
      return addOn === undefined ? () => ({ name, gate: {} }) : gatesOf(addOn, nodes);
    });
    return finder(cluster);
  };
}

function gatesOf(addOn: ResolvedAddOn, nodes: readonly StrategyNode[]): (cluster: string) => NamedGate {
  const byPlacement = new Map(nodes.map((node) => [node.placement, gatesOfNode(addOn.name, node)]));
  return (cluster) => {
    // If several placements select a cluster, the last one leads it.
    const placement = addOn.clusters.get(cluster)?.placements.at(-1) ?? '';
    return byPlacement.get(placement)?.(cluster) ?? { name: addOn.name, gate: {} };
  };
}

function gatesOfNode(addOn: string, node: StrategyNode): (cluster: string) => NamedGate {
  const { strategy, groups, placement } = node;
  const name = `${addOn} ${placement}`;
  const limits = limitsOf(node);
  const all = reachableGroups(groups);
  const total = new Set(all.flatMap(({ clusters }) => clusters)).size;
  const budget = (size: Size, clusters: number): ReleaseGate => {
    const limit = sizeOf(size, clusters, 0);
    // Rollouts report an invalid size as an error, and nothing is released.
    return { ...limits, maxFailures: typeof limit === 'number' ? limit : 0 };
  };
  if (strategy.type === 'All') return () => ({ name, gate: limits });
  // As sdk-go's RolloutHandler: with mandatory groups, a failed cluster of any group stops the placement.
  if (mandatoryGroups(groups, strategy).length > 0) return () => ({ name, gate: budget(0, total) });
  if (strategy.type === 'Progressive') return () => ({ name, gate: budget(strategy.maxFailures, total) });
  const groupOf = new Map<string, TrackedGroup>();
  for (const group of all) for (const cluster of group.clusters) groupOf.set(cluster, group);
  return (cluster) => {
    const group = groupOf.get(cluster);
    if (group === undefined) return { name, gate: limits };
    return {
      name: `${name} group ${group.index}`,
      gate: budget(strategy.maxFailures, group.clusters.length),
    };
  };
}

function limitsOf({ strategy }: StrategyNode): ReleaseGate {
  const { type, minSuccessTime, progressDeadline } = strategy;
  const isLimited = typeof progressDeadline === 'number' && progressDeadline !== Infinity;
  return {
    ...(type !== 'All' && minSuccessTime > 0 && { minSuccessTime: formatGoDuration(minSuccessTime) }),
    ...(isLimited && { progressDeadline: formatGoDuration(progressDeadline) }),
  };
}
