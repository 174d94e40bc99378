import { conditionOf } from '../../base/objects/condition.ts';
import type { ResolvedAddOn } from '../configure/resolved-add-on.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import { objectKey } from '../model/inventory.ts';
import type { Resolution } from '../resolve.ts';
import { summaryOf, waveOf, type ExplainedWave } from './explain-add-on.ts';
import { placedObjects, type PlacedObject } from './placed-objects.ts';
import { explainKinds, type ExplainedKind } from './explain-values.ts';
import { unknownRendering } from '../compare/works/unknown-rendering.ts';
import { withNamedConfigs } from '../compare/named-configs.ts';

/** The explanation of one cluster and its add-ons. */
export interface ClusterExplanation {
  readonly cluster: string;
  /** The version that the cluster reports. Absent if the cluster has not reported one yet. */
  readonly kubernetes?: string;
  readonly availability: 'available' | 'unavailable' | 'unreachable';
  readonly labels: Readonly<Record<string, string>>;
  /** In the form `key=value:effect`. */
  readonly taints: readonly string[];
  /** Sorted. */
  readonly clusterSets: readonly string[];
  /** All add-ons by name, including those that the cluster does not have. */
  readonly addOns: readonly ClusterAddOnExplanation[];
  /** Everything else that Placements bring to the cluster, by kind and name. */
  readonly placed: readonly PlacedObject[];
}

/** One add-on on the cluster. */
export interface ClusterAddOnExplanation {
  readonly addOn: string;
  readonly installed: boolean;
  /** Why it is installed or not: one sentence without a period. */
  readonly summary: string;
  /**
   * The component that delivers it: the hub from its template, the compiler, or the add-on's own manager. What a manager renders is
   * predicted if a ManagerProfile declares it.
   */
  readonly delivery: 'template' | 'compiled' | 'manager' | 'predicted manager';
  readonly kinds: readonly ExplainedKind[];
  readonly wave?: ExplainedWave;
  /** The conditions that the fleet snapshot reports for it. */
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly message: string;
  }[];
}

/**
 * Explains a cluster: its state, and for every add-on the reason why it is installed or not.
 *
 * @returns undefined if the fleet has no such cluster
 */
export function explainCluster(
  resolution: Resolution,
  cluster: string,
  hub: HubVersion,
): ClusterExplanation | undefined {
  const { decisions, configuration } = resolution;
  const managed = decisions.clusters.get(cluster);
  if (managed === undefined) return undefined;
  const { metadata, spec, status } = managed;
  const condition = conditionOf(status?.conditions, 'ManagedClusterConditionAvailable');
  const { sets, index } = decisions.scheduler;
  const position = index.indexOf(cluster);
  const kubernetes = status?.version?.kubernetes;
  return {
    cluster,
    ...(kubernetes === undefined ? {} : { kubernetes }),
    availability: availabilities[condition?.status ?? 'Unknown'],
    labels: metadata.labels ?? {},
    taints: (spec?.taints ?? []).map(
      ({ key, value = '', effect }) => `${key}${value === '' ? '' : `=${value}`}:${effect}`,
    ),
    clusterSets: position === undefined ? [] : sets.of(position),
    addOns: Array.from(configuration.values(), (resolved) => ({
      ...explainOne(resolution, resolved, cluster),
      ...(resolved.clusters.has(cluster) ? waveOf(resolution, resolved.name, cluster, hub) : {}),
    })),
    placed: placedObjects(resolution, cluster),
  };
}

const availabilities = { True: 'available', False: 'unavailable', Unknown: 'unreachable' } as const;

function explainOne(
  resolution: Resolution,
  resolved: ResolvedAddOn,
  cluster: string,
): Omit<ClusterAddOnExplanation, 'wave'> {
  const { name, template, delivery } = resolved;
  const clusterAddOn = resolved.clusters.get(cluster);
  const manager = unknownRendering(name, cluster, resolution) === undefined ? 'predicted manager' : 'manager';
  const reported = resolution.inventory.managedClusterAddOns.get(objectKey(cluster, name))?.object.status;
  return {
    addOn: name,
    installed: clusterAddOn !== undefined,
    summary: summaryOf(resolution, name, cluster),
    delivery: delivery === 'compiled' ? 'compiled' : template ? 'template' : manager,
    kinds:
      clusterAddOn === undefined ? [] : explainKinds(withNamedConfigs(clusterAddOn, resolved, resolution)),
    conditions: (reported?.conditions ?? []).map(({ type, status, message }) => ({ type, status, message })),
  };
}
