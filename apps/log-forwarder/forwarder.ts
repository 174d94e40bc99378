import type { Workload } from 'fleetwright';
import { Variable } from 'fleetwright';
import { Size } from 'cdk8s';
import {
  ApiResource,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  Cpu,
  DaemonSet,
  EnvFieldPaths,
  EnvValue,
  ImagePullPolicy,
  ServiceAccount,
  Volume,
} from 'cdk8s-plus-27';

/** The signer of the certificate that identifies a cluster to the collector. */
export const signerName = 'logs.example.com/forwarder';

// The hub mounts the certificate into every container of the workload, in a folder named after the signer.
const certificate = `/managed/${signerName.replace('/', '-')}`;

// ${…} is an environment variable of the container. CA_BUNDLE_FILE_PATH and HTTPS_PROXY are set if a deployment
// config names a proxy with a CA bundle. Otherwise the system's own bundle is used.
const configuration = `\
data_dir: /var/lib/log-forwarder
sources:
  containers:
    type: kubernetes_logs
sinks:
  collector:
    type: http
    inputs: [containers]
    uri: ${Variable.custom('COLLECTOR')}/ingest?cluster=${Variable.clusterName}
    encoding: { codec: json }
    tls:
      ca_file: \${CA_BUNDLE_FILE_PATH:-/etc/ssl/certs/ca-certificates.crt}
      crt_file: ${certificate}/tls.crt
      key_file: ${certificate}/tls.key
`;

/**
 * The workload of every cluster: a forwarder on each of its nodes, with its configuration and the permission to read the
 * owners of containers. The ids of the constructs are the names of the objects.
 */
export function forwarder(scope: Workload): void {
  const account = new ServiceAccount(scope, 'log-forwarder');
  const reader = new ClusterRole(scope, 'log-forwarder-reader');
  reader.allowRead(ApiResource.PODS, ApiResource.NAMESPACES, ApiResource.NODES);
  new ClusterRoleBinding(scope, 'log-forwarder-reads', { role: reader }).addSubjects(account);

  const config = new ConfigMap(scope, 'log-forwarder-config', { data: { 'vector.yaml': configuration } });

  const daemons = new DaemonSet(scope, 'log-forwarder-nodes', {
    serviceAccount: account,
    automountServiceAccountToken: true,
    // The files of containers belong to root.
    securityContext: { ensureNonRoot: false },
  });
  const container = daemons.addContainer({
    name: 'vector',
    image: 'docker.io/timberio/vector:0.49.0-distroless-static',
    imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT,
    args: ['--config', '/etc/vector/vector.yaml'],
    envVariables: {
      VECTOR_LOG: EnvValue.fromValue(Variable.custom('LOG_LEVEL')),
      VECTOR_SELF_NODE_NAME: EnvValue.fromFieldRef(EnvFieldPaths.NODE_NAME),
    },
    // A deployment config can override this for a region with resourceRequirements.
    resources: {
      cpu: { request: Cpu.millis(50), limit: Cpu.millis(500) },
      memory: { request: Size.mebibytes(64), limit: Size.mebibytes(256) },
    },
    securityContext: { ensureNonRoot: false, readOnlyRootFilesystem: true },
  });
  container.mount('/etc/vector', Volume.fromConfigMap(scope, 'config', config), { readOnly: true });
  container.mount('/var/log', hostFolder(scope, 'logs', '/var/log'), { readOnly: true });
  container.mount('/var/lib/log-forwarder', hostFolder(scope, 'state', '/var/lib/log-forwarder'));
}

function hostFolder(scope: Workload, name: string, path: string): Volume {
  return Volume.fromHostPath(scope, name, name, { path });
}
