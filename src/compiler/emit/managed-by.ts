import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import { fleetwright, managedByLabel } from '../../ocm/writer.ts';
import type { Engine } from './engine.ts';
import { addOnGroup, clusterGroup, workGroup } from '../../../schemas/groups.ts';

/** Groups of OCM whose controllers do not process the labels of objects, except for the kinds below. */
const groups: ReadonlySet<string> = new Set([addOnGroup, clusterGroup, workGroup]);

/** Kinds whose labels have a meaning: placements select clusters by labels, and works get the labels of their replica set. */
const exceptions: ReadonlySet<string> = new Set(['ManagedCluster', 'ManifestWorkReplicaSet']);

/**
 * Adds the label that marks the object as managed by Fleetwright, unless the object sets the label itself. Unknown kinds do not
 * get it: their controllers may copy labels to objects that Fleetwright does not manage, as operators and the policy propagator
 * do. For engine `none`, nothing is added to objects.
 */
export function asManaged(object: KubernetesObject, engine: Engine): KubernetesObject {
  if (engine === 'none') return object;
  const { apiVersion, kind, metadata } = object;
  const group = groupOf(apiVersion);
  const isListed = groups.has(group) ? !exceptions.has(kind) : isOfKubernetes(group);
  if (!isListed || metadata.labels?.[managedByLabel] !== undefined) return object;
  return {
    ...object,
    metadata: { ...metadata, labels: { ...metadata.labels, [managedByLabel]: fleetwright } },
  };
}

/** Kubernetes' own groups have no dots, or end with its domain. */
function isOfKubernetes(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}
