import { findKindVersion } from '../schemas/index.ts';
import type { KubernetesObject } from '../schemas/object-meta.ts';
import type { ManagedClusterAddOnV1beta1, ManagedClusterV1 } from '../schemas/types.gen.ts';
import { applyDefaults } from './admit/defaults.ts';
import { syncedAnnotations } from './synced-annotations.ts';
import { compiledAddOn } from './compiled-add-on.ts';
import type { ClusterAddOn, ConfigReference } from './configure/configuration.ts';
import { deliveryAnnotation, ownConfigsAnnotation } from './delivery.ts';
import { forHub, type TargetHub } from './for-hub.ts';
import { groupOf, groupResource } from './resource-name.ts';
import type { Resolution } from './resolve.ts';

/** What Git holds of an add-on with compiled delivery on one cluster. */
export interface CompiledCluster {
  readonly addOn: string;
  readonly cluster: string;
  /** When the cluster changes: all of a turn at the same time, from 1. */
  readonly turn: number;
  /** The ManagedClusterAddOn, then its works. */
  readonly objects: readonly [KubernetesObject, ...KubernetesObject[]];
}

/**
 * What compiled delivery puts on each cluster, add-ons and clusters by name. One at a time: all works of a large fleet need
 * not be in memory at once.
 */
export function* compiledClusters(
  { configuration, decisions, rendering, rollouts }: Resolution,
  target: TargetHub,
): Generator<CompiledCluster> {
  for (const addOn of configuration.values()) {
    if (addOn.delivery !== 'compiled') continue;
    const turns = rollouts.get(addOn.name)?.turns;
    for (const clusterAddOn of addOn.clusters.values()) {
      const { cluster } = clusterAddOn;
      const object = compiledManagedClusterAddOn(addOn.name, clusterAddOn, decisions.clusters.get(cluster));
      const works = rendering.clusterAddOn(addOn.name, cluster)?.works ?? [];
      yield {
        addOn: addOn.name,
        cluster,
        turn: turns?.get(cluster) ?? 1,
        objects: [complete(forHub({ ...object }, target)), ...works.map(withoutOwner)],
      };
    }
  }
}

/**
 * The ManagedClusterAddOn that compiled delivery gives a cluster: it names every configuration that is used there, the
 * template too, so that whoever reads it need not resolve anything.
 */
export function compiledManagedClusterAddOn(
  addOn: string,
  { cluster, effective, written }: ClusterAddOn,
  managedCluster: ManagedClusterV1 | undefined,
): ManagedClusterAddOnV1beta1 {
  const base: ManagedClusterAddOnV1beta1 = written?.object ?? {
    apiVersion: 'addon.open-cluster-management.io/v1beta1',
    kind: 'ManagedClusterAddOn',
    metadata: { name: addOn, namespace: cluster, annotations: syncedAnnotations(managedCluster) },
    spec: {},
  };
  const own = effective.kinds.filter(({ winners }) => winners.some(({ level }) => level === 'cluster'));
  const others = effective.kinds.filter((kind) => !own.includes(kind));
  const kinds = own.map(({ group, resource }) => groupResource(group, resource));
  return {
    ...base,
    metadata: {
      ...base.metadata,
      annotations: {
        ...base.metadata.annotations,
        [deliveryAnnotation]: 'compiled',
        ...(kinds.length === 0 ? {} : { [ownConfigsAnnotation]: kinds.join(',') }),
      },
    },
    spec: {
      ...base.spec,
      // Its own first, where they stood when somebody wrote them.
      configs: [...own, ...others].flatMap(({ winners }) => winners.map(({ reference }) => named(reference))),
    },
  };
}

/** The objects of an app that are emitted one by one, with what compiled delivery makes of its add-ons and without what it emits itself. */
export function individualObjects({ inventory, configuration }: Resolution): KubernetesObject[] {
  const clustersOf = (name = ''): Iterable<string> => configuration.get(name)?.clusters.keys() ?? [];
  return inventory.written
    .filter(({ source }) => source === 'app')
    .flatMap(({ object }) => {
      const kind = `${groupOf(object.apiVersion)}/${object.kind}`;
      const isCompiled = (name = ''): boolean => configuration.get(name)?.delivery === 'compiled';
      const { name } = object.metadata;
      if (kind === 'addon.open-cluster-management.io/ManagedClusterAddOn')
        return isCompiled(name) ? [] : [object];
      if (kind === 'addon.open-cluster-management.io/ClusterManagementAddOn')
        return [isCompiled(name) ? compiledAddOn(object, clustersOf(name)) : object];
      return [object];
    });
}

function named({ group, resource, namespace, name }: ConfigReference) {
  return { group, resource, ...(namespace === undefined ? {} : { namespace }), name };
}

/** As the API server would store it, so that Argo CD sees no difference. */
function complete(object: KubernetesObject): KubernetesObject {
  const schema = findKindVersion(object.apiVersion, object.kind)?.version.schema;
  return schema === undefined ? object : (applyDefaults(object, schema) as KubernetesObject);
}

/** The owner's uid only the hub knows; the companion adds the owner. */
function withoutOwner(work: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: KubernetesObject['metadata'];
}): KubernetesObject {
  const { ownerReferences: _, ...metadata } = work.metadata;
  return { ...work, metadata };
}
