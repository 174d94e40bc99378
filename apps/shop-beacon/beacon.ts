import type { Workload } from 'fleetwright';
import { ApiObject, Variable } from 'fleetwright';

const name = 'shop-beacon';
const labels = { app: name };

/** The workload of every shop. A deployment config names the namespace. */
export function beacon(scope: Workload): void {
  new ApiObject(scope, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

  new ApiObject(scope, 'deployment', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: name, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container()] } },
    },
  });
}

function container() {
  return {
    name: 'beacon',
    image: 'registry.example.com/shop-beacon:1.0.0',
    args: [
      `--shop=${Variable.clusterName}`,
      // The kubeconfig for the hub is mounted into every container, because the template has a registration.
      `--hub=${Variable.hubKubeconfig}`,
      `--interval=${Variable.custom('INTERVAL')}`,
    ],
    resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '64Mi' } },
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsNonRoot: true },
  };
}
