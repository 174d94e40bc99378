import {
  covers,
  isAllowed,
  policyRulesOf,
  type PolicyRule,
} from '../../../base/authorization/policy-rule.ts';
import { isJsonMap } from '../../../base/json/json-map.ts';
import { scopesIn } from '../../../ocm/clusters/kind-scope.ts';
import { isOwned, type ManifestOptions } from '../../../ocm/clusters/manifest-options.ts';
import type { DeliveredManifest } from './deliveries.ts';
import {
  grants,
  roleReferenceOf,
  type RoleReference,
  type Roles,
  type ServiceAccount,
} from './granted-roles.ts';

/** Why the work agent does not apply a manifest for an executor. */
export type Refusal =
  | { readonly reason: 'verbs'; readonly verbs: readonly string[] }
  // a request to create has no name, so that rules with names do not allow it
  | { readonly reason: 'names' }
  | { readonly reason: 'rules' }
  | { readonly reason: 'aggregation' }
  // the role of a binding: the ServiceAccount has not all of its permissions, or the role does not exist
  | {
      readonly reason: 'binding' | 'role';
      readonly role: RoleReference;
      readonly namespace: string;
    };

/** As fullAuthority of the storage of ClusterRoles. */
const fullAuthority: readonly PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { apiGroups: [], resources: [], verbs: ['*'], nonResourceURLs: ['*'] },
];

const scopeOf = scopesIn([]);

/** Returns the namespace in which a manifest is written. Empty for objects of the whole cluster, as BuildResourceMeta. */
export function namespaceOf({ object, kind, resource }: DeliveredManifest): string {
  const isCluster = scopeOf({ apiVersion: String(object['apiVersion']), kind }) === 'Cluster';
  return isCluster ? '' : resource.namespace;
}

/**
 * Returns why the work agent does not apply a manifest for an executor, or undefined if it applies it. As SarValidator.Validate:
 * the update strategy does not count, and the ServiceAccount need not exist.
 */
export function refusalOf(
  roles: Roles,
  account: ServiceAccount,
  manifest: DeliveredManifest,
  options: ManifestOptions,
): Refusal | undefined {
  const namespace = namespaceOf(manifest);
  const { group, resource, name } = manifest.resource;
  const { rules } = roles.permissionsOf(account, namespace);
  const verbs = [
    'create',
    'update',
    'patch',
    'get',
    ...(isOwned(options, manifest.resource) ? ['delete'] : []),
  ];
  // the review of a request to create has the name of the object
  const denied = verbs.filter((verb) => !isAllowed(rules, { verb, group, resource, name }));
  if (denied.length > 0) return { reason: 'verbs', verbs: denied };
  return grants(manifest) ? escalationOf(roles, rules, manifest, namespace) : undefined;
}

/** As CheckEscalation, which creates the object as the ServiceAccount in a dry run, and Kubernetes' storage of these kinds. */
function escalationOf(
  roles: Roles,
  rules: readonly PolicyRule[],
  { object, resource: { group, resource } }: DeliveredManifest,
  namespace: string,
): Refusal | undefined {
  if (!isAllowed(rules, { verb: 'create', group, resource })) return { reason: 'names' };
  if (resource === 'rolebindings' || resource === 'clusterrolebindings') {
    const role = roleReferenceOf(object);
    const bound = role.kind === 'Role' ? 'roles' : 'clusterroles';
    if (isAllowed(rules, { verb: 'bind', group, resource: bound, name: role.name })) return undefined;
    const granted = roles.rulesOf(role, namespace);
    if (granted === undefined) return { reason: 'role', role, namespace };
    return covers(rules, granted) ? undefined : { reason: 'binding', role, namespace };
  }
  if (isAllowed(rules, { verb: 'escalate', group, resource })) return undefined;
  if (!covers(rules, policyRulesOf(object))) return { reason: 'rules' };
  const { aggregationRule } = object;
  const selectors = isJsonMap(aggregationRule) ? aggregationRule['clusterRoleSelectors'] : undefined;
  const aggregates = resource === 'clusterroles' && Array.isArray(selectors) && selectors.length > 0;
  return aggregates && !covers(rules, fullAuthority) ? { reason: 'aggregation' } : undefined;
}
