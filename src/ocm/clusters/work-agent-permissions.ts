/** A rule of a ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const read = ['get', 'list', 'watch'];
const write = [...read, 'create', 'update', 'patch', 'delete'];

/**
 * The permissions of the ServiceAccount klusterlet-work-sa: the ClusterRole `admin` of Kubernetes (1.22 to 1.36), as far as a work can
 * create the resources, and OCM's klusterlet-work-clusterrole-execution.yaml, which is the same in OCM 1.1 to 1.3.
 */
export const workAgentRules: readonly PolicyRule[] = [
  {
    apiGroups: [''],
    resources: [
      'configmaps',
      'events',
      'persistentvolumeclaims',
      'pods',
      'replicationcontrollers',
      'secrets',
      'serviceaccounts',
      'services',
    ],
    verbs: write,
  },
  {
    apiGroups: [''],
    resources: ['bindings', 'endpoints', 'limitranges', 'resourcequotas'],
    verbs: read,
  },
  {
    apiGroups: ['apps'],
    resources: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'],
    verbs: write,
  },
  { apiGroups: ['apps'], resources: ['controllerrevisions'], verbs: read },
  { apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'], verbs: write },
  { apiGroups: ['batch'], resources: ['cronjobs', 'jobs'], verbs: write },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: write },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: read },
  { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: write },
  {
    apiGroups: ['extensions'],
    resources: ['daemonsets', 'deployments', 'ingresses', 'networkpolicies', 'replicasets'],
    verbs: write,
  },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'networkpolicies'], verbs: write },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: write },
  { apiGroups: ['resource.k8s.io'], resources: ['resourceclaims', 'resourceclaimtemplates'], verbs: write },
  { apiGroups: ['authorization.k8s.io'], resources: ['localsubjectaccessreviews'], verbs: ['create'] },
  { apiGroups: ['rbac.authorization.k8s.io'], resources: ['rolebindings', 'roles'], verbs: write },
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
    // as ApplyOwnerReferences, which patches
    case 'CreateOnly':
      return ['get', 'create', 'patch'];
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
  const matching = rules.filter(
    (rule) => includes(rule.apiGroups, group) && includes(rule.resources, resource),
  );
  return verbs.filter(
    (verb) =>
      !matching.some(
        (rule) =>
          includes(rule.verbs, verb) &&
          // a request to create has no name
          (rule.resourceNames === undefined ||
            rule.resourceNames.length === 0 ||
            (verb !== 'create' && rule.resourceNames.includes(name))),
      ),
  );
}

function includes(list: readonly string[], text: string): boolean {
  return list.includes('*') || list.includes(text);
}
