import { isDeepStrictEqual } from 'node:util';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { jointClasses } from '../../configure/joint-classes.ts';
import type { ClusterAddOn, EffectiveConfiguration, ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { fateOf, isCounted } from './agent.ts';
import {
  desiredOn,
  freshState,
  progressOf,
  released,
  withOwnHashes,
  type ClusterState,
} from './cluster-state.ts';
import { ConfiguredState } from './configured-state.ts';
import type { AddOnState } from './add-on-state.ts';

/** Clusters with the same configuration and the same placements that start from the same state. */
interface StartingClusters {
  /** The add-on on the first of them. */
  readonly child: ClusterAddOn;
  readonly state: ClusterState;
  readonly clusters: readonly string[];
}

/** The part of the initial state of clusters on which the waves depend. */
export interface StartClass {
  /** Whether they wait for their configuration, and then become ready. Otherwise they are complete, or change at once. */
  readonly waits: boolean;
  /** Whether an edit of the configuration that their ManagedClusterAddOn names is all that changes, which no strategy delays. */
  readonly bypasses?: true;
  /** For clusters that change, the reason of their condition Progressing, on which the start of their soak depends. */
  readonly reason?: string;
  /** The time since when they are complete, in milliseconds since the epoch. Absent if the hub does not know it. */
  readonly since?: number;
}

export interface Start extends StartingClusters {
  readonly class: StartClass;
}

/** Returns whether clusters wait for their configuration, and otherwise since when they are complete. */
type StartClassOf = (child: ClusterAddOn, state: ClusterState) => StartClass | undefined;

/**
 * Returns the initial state of all clusters of an add-on. Undefined if the waves depend on more than on the placements, the
 * strategies and these classes.
 */
export function startsOf(
  addOn: ResolvedAddOn,
  from: AddOnState,
  hub: HubVersion,
): readonly Start[] | undefined {
  const classOf = startClassesOf(addOn);
  const starts: Start[] = [];
  for (const start of startingClusters(addOn, from)) {
    const { child, state } = start;
    if (child.placements.length === 0) return undefined;
    if (child.managedClusterAddOn !== undefined && !isCounted(child, hub)) return undefined;
    const startClass = classOf(child, state);
    if (startClass === undefined) return undefined;
    starts.push({ ...start, class: startClass });
  }
  return starts;
}

/** Returns the function that classifies clusters of an add-on. It compares each configuration with each state once. */
export function startClassesOf(addOn: ResolvedAddOn): StartClassOf {
  type OfState = Map<EffectiveConfiguration, StartClass | undefined>;
  const classes = new Map<ClusterState, OfState>();
  return (child, state) => {
    const ofState = getOrInsertComputed(classes, state, (): OfState => new Map());
    return getOrInsertComputed(ofState, child.effective, () => startClassOf(child, state, addOn));
  };
}

/** Returns undefined if the waves depend on more: for clusters in progress, and agents that do not succeed. */
function startClassOf(
  child: ClusterAddOn,
  state: ClusterState,
  addOn: ResolvedAddOn,
): StartClass | undefined {
  const refreshed = withOwnHashes(state, child);
  if (refreshed !== state) return bypassing(child, state, refreshed, addOn);
  const { progress, since } = progressOf(state, desiredOn(child, state));
  if (progress === 'Succeeded') return { waits: false, ...(since !== undefined && { since }) };
  if (progress !== 'ToApply') return undefined;
  if (fateOf(child.effective.references, addOn) !== 'succeeds') return undefined;
  const reason = state.progressing?.reason;
  return { waits: true, ...(reason !== undefined && { reason }) };
}

/**
 * Returns the class of clusters whose own configuration was edited. Undefined if something else changes too, or if the agents were at
 * work before.
 */
function bypassing(
  child: ClusterAddOn,
  state: ClusterState,
  refreshed: ClusterState,
  addOn: ResolvedAddOn,
): StartClass | undefined {
  const desired = desiredOn(child, state);
  const reason = state.progressing?.reason;
  if (reason === 'Progressing' || progressOf(refreshed, desired).progress !== 'Progressing') return undefined;
  if (fateOf(refreshed.references, addOn) !== 'succeeds') return undefined;
  // A snapshot can have them in another order than the hub writes them in.
  if (!isDeepStrictEqual(released(state, desired).references, refreshed.references)) return undefined;
  return { waits: false, bypasses: true, ...(reason !== undefined && { reason }) };
}

function startingClusters({ clusters }: ResolvedAddOn, from: AddOnState): readonly StartingClusters[] {
  if (!(from instanceof ConfiguredState)) {
    const stored = new Set(from.keys());
    const startOn = (cluster: string): readonly StartingClusters[] => {
      const child = clusters.get(cluster);
      return child === undefined
        ? []
        : [{ child, state: from.get(cluster) ?? freshState, clusters: [cluster] }];
    };
    const fresh = clusters.classes.flatMap((each): readonly StartingClusters[] => {
      const starting = each.clusters.filter((cluster) => !stored.has(cluster));
      const child = clusters.get(starting[0] ?? '');
      return child === undefined ? [] : [{ child, state: freshState, clusters: starting }];
    });
    const others = new Set([...clusters.individual.keys(), ...stored]);
    return [...fresh, ...[...others].flatMap(startOn)];
  }
  return jointClasses(from.clusters, clusters).flatMap(({ before, after, clusters: starting }) =>
    after === undefined
      ? []
      : [{ child: after, state: before ? from.of(before.effective) : freshState, clusters: starting }],
  );
}
