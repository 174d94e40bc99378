import { defaultClusterRoles } from '../../base/authorization/default-cluster-roles.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { isAllowed, type PolicyRule } from '../../base/authorization/policy-rule.ts';

const read = ['get', 'list', 'watch'];
const write = [...read, 'create', 'update', 'patch', 'delete'];

/**
 * The permissions of the ServiceAccount klusterlet-work-sa: the ClusterRole `admin` of Kubernetes, and OCM's
 * klusterlet-work-clusterrole-execution.yaml, which is the same in OCM 1.1 to 1.3.
 */
export const workAgentRules: readonly PolicyRule[] = [
  // the ClusterRoles that `admin` aggregates
  ...defaultClusterRoles
    .filter(({ name }) => name.startsWith('system:aggregate-to-'))
    .flatMap(({ rules }) => rules),
  // from here, OCM's
  {
    apiGroups: ['apiextensions.k8s.io'],
    resources: ['customresourcedefinitions'],
    verbs: [...read, 'create', 'update', 'delete'],
  },
  { apiGroups: [''], resources: ['namespaces'], verbs: write },
  {
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['clusterrolebindings', 'clusterroles'],
    verbs: write,
  },
  { apiGroups: ['monitoring.coreos.com'], resources: ['servicemonitors'], verbs: write },
  { apiGroups: ['oauth.openshift.io'], resources: ['oauthclients'], verbs: write },
  { apiGroups: ['scheduling.k8s.io'], resources: ['priorityclasses'], verbs: write },
  {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
    verbs: [...read, 'create', 'update', 'patch'],
  },
];

/** The labels of ClusterRoles whose rules the work agent gets: OCM's own, and those of Kubernetes that `admin` aggregates. */
export const aggregatingLabels: readonly string[] = [
  'open-cluster-management.io/aggregate-to-work',
  'rbac.authorization.k8s.io/aggregate-to-admin',
  'rbac.authorization.k8s.io/aggregate-to-edit',
  'rbac.authorization.k8s.io/aggregate-to-view',
];

/** The verbs with which the agent writes an object by an update strategy. */
export function verbsOf(strategy: string): readonly string[] {
  switch (strategy) {
    // as ReadOnlyApply, which does nothing
    case 'ReadOnly':
      return [];
    // as CreateOnlyApply, which creates the object with its owner, so that ApplyOwnerReferences does not patch it
    case 'CreateOnly':
      return ['get', 'create'];
    case 'ServerSideApply':
      return ['create', 'patch'];
    default:
      return ['get', 'create', 'update'];
  }
}

/** Returns the verbs that no rule allows for an object. As the RBAC authorizer of Kubernetes. */
export function deniedVerbs(
  rules: readonly PolicyRule[],
  verbs: readonly string[],
  { group, resource, name }: { readonly group: string; readonly resource: string; readonly name: string },
): readonly string[] {
  return verbs.filter(
    (verb) =>
      // a request to create has no name
      !isAllowed(rules, { verb, group, resource, ...(verb !== 'create' && { name }) }),
  );
}

const allowedToAgent = new Map<string, boolean>();

/** Returns the verbs that the agent's own rules do not allow for a kind. No such rule is for single names, so a kind is looked up once. */
export function deniedToAgent(
  verbs: readonly string[],
  { group, resource }: { readonly group: string; readonly resource: string },
): readonly string[] {
  const isAllowedKind = (verb: string): boolean => isAllowed(workAgentRules, { verb, group, resource });
  return verbs.filter(
    (verb) => !getOrInsertComputed(allowedToAgent, `${verb} ${group}/${resource}`, () => isAllowedKind(verb)),
  );
}
