import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { groupOf } from '../api/resource-name.ts';
import { fleetwright, managedByLabel } from '../api/writer.ts';
import type { Engine } from './engine.ts';

/** Groups of OCM whose controllers leave the labels of objects alone, but for the kinds below. */
const groups: ReadonlySet<string> = new Set([
  'addon.open-cluster-management.io',
  'cluster.open-cluster-management.io',
  'work.open-cluster-management.io',
]);

/** Kinds whose labels mean something: placements select by those of clusters, and works get those of their replica set. */
const exceptions: ReadonlySet<string> = new Set(['ManagedCluster', 'ManifestWorkReplicaSet']);

/**
 * The object with the label that says it comes from here, unless it says something else itself. Kinds that are not known
 * have none: their controllers may pass labels on to what is not ours, as operators and the policy propagator do. For no engine
 * nothing is added to objects at all.
 */
export function asManaged(object: KubernetesObject, engine: Engine): KubernetesObject {
  if (engine === 'none') return object;
  const { apiVersion, kind, metadata } = object;
  const group = groupOf(apiVersion);
  const isKnown = groups.has(group) ? !exceptions.has(kind) : isOfKubernetes(group);
  if (!isKnown || metadata.labels?.[managedByLabel] !== undefined) return object;
  return {
    ...object,
    metadata: { ...metadata, labels: { ...metadata.labels, [managedByLabel]: fleetwright } },
  };
}

/** Kubernetes' own groups have no dots, or end with its domain. */
function isOfKubernetes(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}
