import type { Workload } from 'fleetwright';
import { ApiObject, Variable } from 'fleetwright';

/** The namespace of the agent, unless a deployment config moves it. */
export const agentNamespace = 'helloworld';

const name = 'helloworld-agent';
const labels = { app: name };
const rbac = 'rbac.authorization.k8s.io';

/**
 * The workload of every cluster: the agent, which copies ConfigMaps from the namespace of its cluster on the
 * hub, with its permissions. apps/log-forwarder uses the constructs of cdk8s-plus instead.
 */
export function agent(scope: Workload): void {
  // A deployment config that moves the agent renames this Namespace too.
  new ApiObject(scope, 'namespace', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: agentNamespace },
  });

  const account = new ApiObject(scope, 'account', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name },
  });

  const role = new ApiObject(scope, 'role', {
    apiVersion: `${rbac}/v1`,
    kind: 'Role',
    metadata: { name },
    rules: [
      {
        apiGroups: [''],
        resources: ['configmaps'],
        verbs: ['get', 'list', 'watch', 'create', 'update', 'delete'],
      },
      {
        apiGroups: ['coordination.k8s.io'],
        resources: ['leases'],
        verbs: ['get', 'create', 'update', 'patch'],
      },
    ],
  });

  new ApiObject(scope, 'role-binding', {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: role.kind, name: role.name },
    // The namespaces of subjects are moved, too.
    subjects: [{ kind: account.kind, name: account.name, namespace: agentNamespace }],
  });

  new ApiObject(scope, 'deployment', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { serviceAccountName: account.name, containers: [container()] },
      },
    },
  });
}

function container() {
  return {
    name: 'agent',
    image: 'quay.io/open-cluster-management/addon-examples:v1',
    imagePullPolicy: 'IfNotPresent',
    args: [
      '/helloworld',
      'agent',
      `--addon-name=helloworld-template`,
      `--cluster-name=${Variable.clusterName}`,
      // The hub mounts a kubeconfig for itself into every container, because the template has a registration.
      `--hub-kubeconfig=${Variable.hubKubeconfig}`,
      // Not Variable.installNamespace, which is empty if a deployment config does not move the agent.
      '--addon-namespace=$(POD_NAMESPACE)',
      `--v=${Variable.custom('LOG_LEVEL')}`,
    ],
    env: [
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'GREETING', value: Variable.custom('GREETING') },
    ],
    resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '64Mi' } },
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsNonRoot: true },
  };
}
