/** The order of the objects of a chart. As releaseutil.InstallOrder of Helm. */
const installOrder = [
  'PriorityClass',
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
];

const rank = new Map(installOrder.map((kind, index) => [kind, index]));

/** Compares kinds: other kinds come last, by name. */
export function compareKinds(a: string, b: string): number {
  const first = rank.get(a) ?? installOrder.length;
  const second = rank.get(b) ?? installOrder.length;
  if (first !== second || first < installOrder.length) return first - second;
  return a === b ? 0 : a < b ? -1 : 1;
}
