import { createHash } from 'node:crypto';
import type { OwnerReference } from '../base/objects/object-meta.ts';
import type { AddOnOnCluster } from './agent-identity.ts';
import type { Permission } from './hub-permissions.ts';
import { addOnNameLabel, clusterNameLabel } from './labels.ts';
import { rbac, type RoleBinding, type RoleRef } from './role-binding.ts';
import { managedByLabel } from './writer.ts';

/** The value of the label of the manager on the bindings of the companion. */
export const companionName = 'fleetwright-controller';

/** The reporter of the Events of `controller status`. */
export const statusReporter = 'fleetwright-status';

/** The names of the companion's bindings begin with it. */
export const bindingPrefix = 'fleetwright:';

/** The add-on and cluster with a permission, and the user of its agent on the API server. */
export interface Holder extends AddOnOnCluster {
  /** The reference to the ManagedClusterAddOn. Permissions in the cluster's own namespace are deleted with it. */
  readonly owner: OwnerReference;
  readonly user: string;
}

/**
 * Returns the RoleBinding with which the companion grants a permission, with compiled delivery. Unlike those of OCM's template
 * manager, it binds only the agent of this cluster, not a group that the agents of all clusters share. It has a separate name
 * for every role and cluster, so that none replaces another.
 */
export function companionBinding(
  holder: Holder,
  { namespace, roleRef: { kind, name } }: Pick<Permission, 'namespace' | 'roleRef'>,
): RoleBinding {
  const { addOn, cluster, owner, user } = holder;
  // As addon-manager, which sets the API group itself.
  const roleRef = { apiGroup: rbac, kind, name };
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: {
      name: bindingName(holder, roleRef),
      namespace,
      labels: {
        [managedByLabel]: companionName,
        [addOnNameLabel]: addOn,
        [clusterNameLabel]: cluster,
      },
      // The garbage collector would remove an object whose owner is in another namespace immediately.
      ...(namespace === cluster ? { ownerReferences: [owner] } : {}),
    },
    roleRef,
    subjects: [{ kind: 'User', apiGroup: rbac, name: user }],
  };
}

/** Names of roles may contain colons. Names of add-ons, kinds and clusters cannot, so no two names are the same. */
function bindingName({ addOn, cluster }: AddOnOnCluster, { kind, name }: RoleRef): string {
  const whole = `${bindingPrefix}${addOn}:${cluster}:${kind.toLowerCase()}:${name}`;
  if (whole.length <= 253) return whole;
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 16);
  return `${whole.slice(0, 236)}:${digest}`;
}
