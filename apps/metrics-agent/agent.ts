import type { Workload } from 'fleetwright';
import { Variable } from 'fleetwright';
import { Size } from 'cdk8s';
import {
  ApiResource,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  Cpu,
  Deployment,
  ImagePullPolicy,
  Namespace,
  ServiceAccount,
  Volume,
} from 'cdk8s-plus-27';

const configuration = `\
global:
  scrape_interval: ${Variable.custom('INTERVAL')}s
  external_labels: { cluster: ${Variable.clusterName}, team: ${Variable.custom('TEAM')} }
scrape_configs:
  - job_name: nodes
    scheme: https
    kubernetes_sd_configs: [{ role: node }]
    authorization: { credentials_file: /var/run/secrets/kubernetes.io/serviceaccount/token }
    tls_config: { ca_file: /var/run/secrets/kubernetes.io/serviceaccount/ca.crt }
remote_write:
  - url: ${Variable.custom('COLLECTOR')}/api/v1/write
`;

/** The workload of every cluster. The ids of the constructs are the names of the objects. */
export function agent(scope: Workload): void {
  const namespace = 'metrics-agent';
  new Namespace(scope, 'namespace', { metadata: { name: namespace } });
  const account = new ServiceAccount(scope, 'metrics-agent', { metadata: { namespace } });
  const reader = new ClusterRole(scope, 'metrics-agent-reader');
  reader.allowRead(ApiResource.NODES);
  reader.allowGet(ApiResource.custom({ apiGroup: '', resourceType: 'nodes/metrics' }));
  new ClusterRoleBinding(scope, 'metrics-agent-reads', { role: reader }).addSubjects(account);

  const config = new ConfigMap(scope, 'metrics-agent-config', {
    metadata: { namespace },
    data: { 'prometheus.yml': configuration },
  });

  const deployment = new Deployment(scope, 'metrics-agent-server', {
    metadata: { namespace },
    replicas: 1,
    serviceAccount: account,
    automountServiceAccountToken: true,
  });
  const container = deployment.addContainer({
    name: 'prometheus',
    image: 'docker.io/prom/prometheus:v3.5.0',
    imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT,
    args: [
      '--agent',
      '--config.file=/etc/prometheus/prometheus.yml',
      '--storage.agent.path=/prometheus',
      `--log.level=${Variable.custom('LOG_LEVEL')}`,
    ],
    resources: {
      cpu: { request: Cpu.millis(50), limit: Cpu.millis(500) },
      memory: { request: Size.mebibytes(128), limit: Size.mebibytes(512) },
    },
    securityContext: { ensureNonRoot: true, readOnlyRootFilesystem: true, user: 65534 },
  });
  container.mount('/etc/prometheus', Volume.fromConfigMap(scope, 'config', config), { readOnly: true });
  container.mount('/prometheus', Volume.fromEmptyDir(scope, 'data', 'data'));
}
