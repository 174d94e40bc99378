import type { PolicyRule } from './policy-rule.ts';

const read = ['get', 'list', 'watch'];
const write = ['create', 'update', 'patch', 'delete', 'deletecollection'];

function rule(verbs: readonly string[], apiGroups: readonly string[], ...resources: string[]): PolicyRule {
  return { apiGroups, resources, verbs };
}

const scaled = (...resources: string[]): string[] =>
  resources.flatMap((name) => [name, `${name}/status`, `${name}/scale`]);

/** As viewRules of Kubernetes 1.35, bootstrappolicy. */
const viewRules: readonly PolicyRule[] = [
  rule(
    read,
    [''],
    'pods',
    'pods/status',
    'pods/log',
    ...scaled('replicationcontrollers'),
    'serviceaccounts',
    'services',
    'services/status',
    'endpoints',
    'persistentvolumeclaims',
    'persistentvolumeclaims/status',
    'configmaps',
    'limitranges',
    'resourcequotas',
    'resourcequotas/status',
    'bindings',
    'namespaces',
    'namespaces/status',
  ),
  rule(read, ['', 'events.k8s.io'], 'events'),
  rule(read, ['discovery.k8s.io'], 'endpointslices'),
  rule(
    read,
    ['apps'],
    'controllerrevisions',
    ...scaled('statefulsets', 'deployments', 'replicasets'),
    'daemonsets',
    'daemonsets/status',
  ),
  rule(read, ['autoscaling'], 'horizontalpodautoscalers', 'horizontalpodautoscalers/status'),
  rule(read, ['batch'], 'jobs', 'jobs/status', 'cronjobs', 'cronjobs/status'),
  rule(
    read,
    ['extensions'],
    ...scaled('deployments', 'replicasets'),
    'daemonsets',
    'daemonsets/status',
    'ingresses',
    'ingresses/status',
    'replicationcontrollers/scale',
    'networkpolicies',
  ),
  rule(read, ['policy'], 'poddisruptionbudgets', 'poddisruptionbudgets/status'),
  rule(read, ['networking.k8s.io'], 'networkpolicies', 'ingresses', 'ingresses/status'),
  rule(read, ['resource.k8s.io'], 'resourceclaims', 'resourceclaims/status', 'resourceclaimtemplates'),
];

/** As editRules of Kubernetes 1.35, bootstrappolicy. */
const editRules: readonly PolicyRule[] = [
  rule(read, [''], 'pods/attach', 'pods/proxy', 'pods/exec', 'pods/portforward', 'secrets', 'services/proxy'),
  rule(['impersonate'], [''], 'serviceaccounts'),
  rule(
    write,
    [''],
    'pods',
    'pods/attach',
    'pods/proxy',
    'pods/exec',
    'pods/portforward',
    'replicationcontrollers',
    'replicationcontrollers/scale',
    'serviceaccounts',
    'services',
    'services/proxy',
    'persistentvolumeclaims',
    'configmaps',
    'secrets',
  ),
  rule(['create'], [''], 'pods/eviction', 'serviceaccounts/token'),
  rule(write, ['', 'events.k8s.io'], 'events'),
  rule(
    write,
    ['apps'],
    'statefulsets',
    'statefulsets/scale',
    'daemonsets',
    'deployments',
    'deployments/scale',
    'deployments/rollback',
    'replicasets',
    'replicasets/scale',
  ),
  rule(write, ['autoscaling'], 'horizontalpodautoscalers'),
  rule(write, ['batch'], 'jobs', 'cronjobs'),
  rule(
    write,
    ['extensions'],
    'daemonsets',
    'deployments',
    'deployments/scale',
    'deployments/rollback',
    'ingresses',
    'replicasets',
    'replicasets/scale',
    'replicationcontrollers/scale',
    'networkpolicies',
  ),
  rule(write, ['policy'], 'poddisruptionbudgets'),
  rule(write, ['networking.k8s.io'], 'networkpolicies', 'ingresses'),
  rule([...read, ...write], ['coordination.k8s.io'], 'leases'),
  rule(write, ['resource.k8s.io'], 'resourceclaims', 'resourceclaimtemplates'),
];

const adminRules: readonly PolicyRule[] = [
  rule(['create'], ['authorization.k8s.io'], 'localsubjectaccessreviews'),
  rule([...read, ...write], ['rbac.authorization.k8s.io'], 'roles', 'rolebindings'),
];

/** A ClusterRole that every cluster has. */
export interface DefaultClusterRole {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly PolicyRule[];
  /** The label of the ClusterRoles whose rules it gets. */
  readonly aggregates?: string;
}

const aggregate = (to: string): string => `rbac.authorization.k8s.io/aggregate-to-${to}`;
const labelled = (to: string): Readonly<Record<string, string>> => ({ [aggregate(to)]: 'true' });

/**
 * The ClusterRoles of every cluster that users bind to, and those that they aggregate. As ClusterRoles of Kubernetes 1.35,
 * bootstrappolicy.
 */
export const defaultClusterRoles: readonly DefaultClusterRole[] = [
  {
    name: 'cluster-admin',
    labels: {},
    rules: [rule(['*'], ['*'], '*'), { apiGroups: [], resources: [], verbs: ['*'], nonResourceURLs: ['*'] }],
  },
  { name: 'admin', labels: {}, rules: [], aggregates: aggregate('admin') },
  { name: 'edit', labels: labelled('admin'), rules: [], aggregates: aggregate('edit') },
  { name: 'view', labels: labelled('edit'), rules: [], aggregates: aggregate('view') },
  { name: 'system:aggregate-to-admin', labels: labelled('admin'), rules: adminRules },
  { name: 'system:aggregate-to-edit', labels: labelled('edit'), rules: editRules },
  { name: 'system:aggregate-to-view', labels: labelled('view'), rules: viewRules },
];
