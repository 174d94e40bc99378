import { findKindVersion } from '../../schemas/index.ts';
import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { applyDefaults } from '../admit/defaults.ts';
import { inStableForm } from '../admit/as-converted.ts';
import { forHub, type TargetHub } from '../admit/for-hub.ts';
import type { Resolution } from '../resolve.ts';
import { compiledManagedClusterAddOn } from './compiled-managed-cluster-add-on.ts';

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
        objects: [complete(inStableForm(forHub({ ...object }, target))), ...works.map(withoutOwner)],
      };
    }
  }
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
