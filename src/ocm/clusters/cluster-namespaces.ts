import { defaultInstallNamespace } from '../install-namespace.ts';

/** The namespaces that each managed cluster has. */
const everywhere: ReadonlySet<string> = new Set([
  'default',
  'kube-node-lease',
  'kube-public',
  'kube-system',
  'open-cluster-management-agent',
  defaultInstallNamespace,
]);

/** Whether each managed cluster has the namespace. The distribution of a cluster creates those of `openshift`. */
export function isOnEveryCluster(namespace: string): boolean {
  return everywhere.has(namespace) || namespace === 'openshift' || namespace.startsWith('openshift-');
}
