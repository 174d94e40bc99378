import { findKindVersion } from '../../../schemas/index.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { applyDefaults } from '../admit/schema/defaults.ts';
import { forHub, type TargetHub } from '../admit/conversion/for-hub.ts';
import { inStableForm } from '../admit/conversion/stable-form.ts';
import type { Resolution } from '../resolve.ts';
import { compiledManagedClusterAddOn } from './compiled-managed-cluster-add-on.ts';
import { withHostingHooks } from './hosting-hooks.ts';

/** The objects in Git of an add-on with compiled delivery on one cluster. */
export interface CompiledCluster {
  readonly addOn: string;
  readonly cluster: string;
  /** The wave in which the cluster changes, from 1. All clusters of a wave change at the same time. */
  readonly wave: number;
  /** The ManagedClusterAddOn, then its works. */
  readonly objects: readonly [KubernetesObject, ...KubernetesObject[]];
}

/**
 * Yields the objects that compiled delivery writes for each cluster, sorted by add-on and cluster. Yields one cluster at a time,
 * so that the works of a large fleet need not be in memory at once.
 */
export function* compiledClusters(
  { configuration, decisions, rendering, rollouts }: Resolution,
  target: TargetHub,
): Generator<CompiledCluster> {
  for (const addOn of configuration.values()) {
    if (addOn.delivery !== 'compiled') continue;
    const waveNumbers = rollouts.get(addOn.name)?.waveNumbers;
    for (const clusterAddOn of addOn.clusters.values()) {
      const { cluster } = clusterAddOn;
      const rendered = rendering.clusterAddOn(addOn.name, cluster);
      const managedCluster = decisions.clusters.get(cluster);
      const object = compiledManagedClusterAddOn(addOn.name, clusterAddOn, managedCluster, rendered);
      const works = withHostingHooks(rendered);
      yield {
        addOn: addOn.name,
        cluster,
        wave: waveNumbers?.get(cluster) ?? 1,
        objects: [complete(inStableForm(forHub({ ...object }, target))), ...works.map(withoutOwner)],
      };
    }
  }
}

/** Returns the object as the API server would store it, so that Argo CD reports no difference. */
function complete(object: KubernetesObject): KubernetesObject {
  const schema = findKindVersion(object.apiVersion, object.kind)?.version.schema;
  return schema === undefined ? object : (applyDefaults(object, schema) as KubernetesObject);
}

/** Removes the owner reference, because only the hub knows the owner's uid. The companion adds the owner. */
function withoutOwner(work: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: KubernetesObject['metadata'];
}): KubernetesObject {
  const { ownerReferences: _, ...metadata } = work.metadata;
  return { ...work, metadata };
}
