import type { KubernetesObject } from '../schemas/object-meta.ts';
import type { Admitted } from './inventory.ts';

/** Kinds that people write, of which a fleet snapshot has the objects that Git does not have. */
const writtenKinds: ReadonlySet<string> = new Set([
  'AddOnDeploymentConfig',
  'AddOnTemplate',
  'ClusterManagementAddOn',
  'ManagedClusterSetBinding',
  'Placement',
]);

/** Whether people write objects of the kind, and not the hub. */
export function isWrittenKind(kind: string): boolean {
  return writtenKinds.has(kind);
}

/**
 * Whether an object is on the hub and not from Git: it counts for what the hub does, is not emitted, and findings about it are
 * not the user's.
 */
export function isHubsOwn({ object, source }: Admitted<Pick<KubernetesObject, 'kind'>>): boolean {
  return source === 'fleet' && isWrittenKind(object.kind);
}
