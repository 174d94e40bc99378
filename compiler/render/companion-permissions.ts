import { createHash } from 'node:crypto';
import type {
  AddOnTemplateV1alpha1,
  ManagedClusterAddOnV1beta1RegistrationConfig,
} from '../../schemas/types.gen.ts';
import { addOnNameLabel } from '../api/labels.ts';
import { objectKey } from '../inventory.ts';
import {
  invalidBinding,
  permissionsOf,
  rbac,
  roleFaults,
  type AppliedPermissions,
  type RoleBinding,
  type RoleRef,
} from './hub-permissions.ts';
import { addOnOwner } from './owner.ts';
import { apiServerSubject, type Agent } from './registrations.ts';

/**
 * Binds the permissions of a template for a cluster as the companion does with compiled delivery: only to this cluster's agent,
 * with a separate name per role and cluster. It mirrors controller/hub/registration/hub-permissions.ts, which does not depend on
 * the compiler. A test compares the two.
 */
export function companionPermissions(
  template: AddOnTemplateV1alpha1,
  { addOn, cluster, hub }: Agent,
  registrations: readonly ManagedClusterAddOnV1beta1RegistrationConfig[],
  bindings: Map<string, RoleBinding>,
): AppliedPermissions {
  const { permissions, incomplete } = permissionsOf(template, cluster);
  if (incomplete !== undefined) return { state: 'failed', ...incomplete };
  const { user = '' } = apiServerSubject(registrations) ?? {};
  if (permissions.length > 0 && user === '') return { state: 'pending' };
  for (const { namespace, roleRef, path } of permissions) {
    const role = { ...roleRef, apiGroup: rbac };
    const name = nameOf(addOn, cluster, role);
    const faults = roleFaults(role);
    if (faults.length > 0) return { state: 'failed', ...invalidBinding(name, faults, path) };
    const owner = addOnOwner(addOn, hub.controllersApiVersion);
    bindings.set(objectKey(namespace, name), {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: {
        name,
        namespace,
        labels: {
          'app.kubernetes.io/managed-by': 'fleetwright-controller',
          [addOnNameLabel]: addOn,
          'open-cluster-management.io/cluster-name': cluster,
        },
        ...(namespace === cluster ? { ownerReferences: [owner] } : {}),
      },
      roleRef: role,
      subjects: [{ kind: 'User', apiGroup: rbac, name: user }],
    });
  }
  return { state: 'applied' };
}

function nameOf(addOn: string, cluster: string, { kind, name }: RoleRef): string {
  const whole = `fleetwright:${addOn}:${cluster}:${kind.toLowerCase()}:${name}`;
  if (whole.length <= 253) return whole;
  return `${whole.slice(0, 236)}:${createHash('sha256').update(whole).digest('hex').slice(0, 16)}`;
}
