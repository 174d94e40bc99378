import { identityOf, type ApiObject, type ObjectKey, type Stored } from '../../../client/object.ts';
import { namespacedResource } from '../../../client/resource.ts';
import { companionName } from '../../../ocm/companion-binding.ts';
import { rbac } from '../../../ocm/role-binding.ts';
import {
  agentAccountName,
  tokenAddOnLabel,
  tokenInfrastructureLabel,
  tokenRoleName,
  type RoleRule,
} from '../../../ocm/token-infrastructure.ts';
import { managedByLabel } from '../../../ocm/writer.ts';
import { roleBindings, type RoleBinding } from '../registration/role-binding.ts';

/** A Role on the hub, of any writer. */
export interface Role extends ApiObject {
  readonly rules?: readonly Partial<RoleRule>[];
}

export const serviceAccounts = namespacedResource('v1', 'ServiceAccount', 'serviceaccounts');
export const roles = namespacedResource<Role>(`${rbac}/v1`, 'Role', 'roles');
export { roleBindings, type RoleBinding };

/** The selector of all objects from which agents get tokens, of all writers. */
export const tokenSelector = `${tokenInfrastructureLabel}=true`;

/** Returns the part of a ServiceAccount to cache. */
export function cachedAccount({ apiVersion, kind, metadata }: Stored<ApiObject>): Stored<ApiObject> {
  const { labels } = metadata;
  return { apiVersion, kind, metadata: { ...identityOf(metadata), ...(labels && { labels }) } };
}

/** Returns the add-on and cluster of an object from which an agent gets its token, as `cluster/addOn`; undefined for other objects. */
export function tokenHolderOf({ kind, metadata }: Stored<ApiObject>): ObjectKey | undefined {
  const { [tokenInfrastructureLabel]: marked, [tokenAddOnLabel]: addOn } = metadata.labels ?? {};
  if (marked !== 'true' || addOn === undefined) return undefined;
  const name = kind === 'ServiceAccount' ? agentAccountName(addOn) : tokenRoleName(addOn);
  return metadata.name === name ? `${metadata.namespace ?? ''}/${addOn}` : undefined;
}

/** Whether the companion created the object. It deletes no others: OCM's hub would create them again. */
export function isOwn({ metadata }: Stored<ApiObject>): boolean {
  return metadata.labels?.[managedByLabel] === companionName;
}
