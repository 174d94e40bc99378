import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { Admitted } from './inventory.ts';

/** Kinds that users write. A fleet snapshot has their objects that are not in Git. */
const kindsOfUsers: ReadonlySet<string> = new Set([
  'AddOnDeploymentConfig',
  'AddOnTemplate',
  'ClusterManagementAddOn',
  'ManagedClusterSetBinding',
  'Placement',
]);

/** Whether users, not the hub, write objects of the kind. */
export function isWrittenKind(kind: string): boolean {
  return kindsOfUsers.has(kind);
}

/**
 * Whether an object is on the hub but not in Git. It affects the hub, but it is not emitted, and the user does not get findings
 * about it.
 */
export function isHubOwned({ object, source }: Admitted<Pick<KubernetesObject, 'kind'>>): boolean {
  return source === 'fleet' && isWrittenKind(object.kind);
}
