import { Construct } from 'constructs';
import { ApiObject } from './api-object.ts';
import type { PolicyRule } from './companion-permissions.ts';
import { operationProbes, restrictedContainer, restrictedPod, type PodResources } from './restricted-pod.ts';
import { Variable } from './variable.ts';
import { checkProps } from './check-properties.ts';

/** The settings of the companion of one add-on on a managed cluster. */
export interface AddOnAgentProps {
  /** The image, built from the Dockerfile in the package. */
  readonly image: string;

  /** The name of the add-on. */
  readonly addOn: string;

  /**
   * The namespace that the add-on is installed in. A deployment config that moves the add-on moves these
   * objects too.
   */
  readonly namespace: string;

  /**
   * What the agent probes before each heartbeat: `deployment:NAME`, `http://HOST:PORT/PATH` or `tcp://HOST:PORT`.
   *
   * @default - nothing: the heartbeat only shows that this agent runs
   */
  readonly probe?: string;

  /**
   * The Secret with a `kubeconfig` of the cluster's agent for the hub, for clusters without OCM's registration agent.
   * With it, this agent requests the add-on's certificates and reports its health to the hub.
   *
   * @default - OCM's registration agent does that
   */
  readonly hubKubeconfigSecret?: string;

  /**
   * The add-on's own signers that its template registers, such as `example.com/logs`. With `hubKubeconfigSecret` this
   * agent also requests their certificates, and may write their Secrets. If the template no longer registers a
   * signer, keep it here until all clusters have deleted its Secret.
   *
   * @default - none: only the certificate for the hub's API server
   */
  readonly signers?: readonly string[];

  /**
   * Further options of `fleetwright controller agent`.
   *
   * @default - none
   */
  readonly options?: readonly string[];

  /**
   * Resources of the container.
   *
   * @default { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '128Mi' } }
   */
  readonly resources?: PodResources;
}

const rbac = 'rbac.authorization.k8s.io';
const hubFolder = '/etc/fleetwright/hub';

/**
 * `fleetwright controller agent` for an add-on. Create it in the workload of the add-on's AddOnTemplate. It renews
 * the Lease of the add-on while the add-on is healthy.
 *
 * @example
 * new AddOnAgent(chart, 'agent', {
 *   image: 'registry.example.com/fleetwright:0.1.0',
 *   addOn: 'hello',
 *   namespace: 'hello',
 * });
 */
export class AddOnAgent extends Construct {
  constructor(scope: Construct, id: string, props: AddOnAgentProps) {
    checkProps({ AddOnAgent }, new.target, scope, id, props);
    super(scope, id);
    const { addOn, namespace } = props;
    const metadata = { name: `${addOn}-companion`, namespace };
    const { name } = metadata;
    const labels = { 'app.kubernetes.io/name': 'fleetwright-agent', 'app.kubernetes.io/instance': addOn };
    new ApiObject(this, 'account', { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    new ApiObject(this, 'role', {
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata,
      rules: agentRules(props),
    });
    new ApiObject(this, 'role-binding', {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    });
    new ApiObject(this, 'deployment', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...metadata, labels },
      spec: {
        replicas: 1,
        // Two replicas would renew one Lease, and request two certificates.
        strategy: { type: 'Recreate' },
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podOf(name, props) },
      },
    });
  }
}

/**
 * The permissions of `controller agent` on the managed cluster, and nothing else. The agent uses server-side apply,
 * so RBAC can limit creation by name, too.
 */
function agentRules({
  addOn,
  probe = '',
  hubKubeconfigSecret,
  signers = [],
}: AddOnAgentProps): readonly PolicyRule[] {
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: [addOn] };
  const deployment = probe.startsWith('deployment:') ? probe.slice('deployment:'.length) : undefined;
  const probed =
    deployment === undefined
      ? []
      : [{ apiGroups: ['apps'], resources: ['deployments'], resourceNames: [deployment], verbs: ['get'] }];
  if (hubKubeconfigSecret === undefined) return [{ ...leases, verbs: ['create', 'patch'] }, ...probed];
  const certificates = [
    `${addOn}-hub-kubeconfig`,
    ...signers.map((signer) => `${addOn}-${signer.replaceAll('/', '-')}-client-cert`),
  ];
  const pending = certificates.map((name) => `${name}-pending`);
  // Includes the Secret with the names of the others.
  const resourceNames = [...certificates, ...pending, `${addOn}-companion-secrets`];
  const secrets = { apiGroups: [''], resources: ['secrets'], resourceNames };
  return [
    { ...leases, verbs: ['get', 'create', 'patch'] },
    ...probed,
    { ...secrets, verbs: ['get', 'create', 'patch', 'delete'] },
  ];
}

function podOf(account: string, props: AddOnAgentProps): object {
  const { image, addOn, probe, hubKubeconfigSecret, options = [] } = props;
  const { resources = { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '128Mi' } } } = props;
  const hub =
    hubKubeconfigSecret === undefined
      ? { args: [], pod: {}, container: {} }
      : {
          args: [
            '--credentials',
            '--health-report',
            `--cluster=${Variable.clusterName}`,
            `--hub-kubeconfig=${hubFolder}/kubeconfig`,
          ],
          pod: { volumes: [{ name: 'hub', secret: { secretName: hubKubeconfigSecret } }] },
          container: { volumeMounts: [{ name: 'hub', mountPath: hubFolder, readOnly: true }] },
        };
  const args = [
    'controller',
    'agent',
    `--add-on=${addOn}`,
    ...(probe === undefined ? [] : [`--probe=${probe}`]),
    ...hub.args,
    ...options,
  ];
  return {
    serviceAccountName: account,
    securityContext: restrictedPod,
    ...hub.pod,
    containers: [
      {
        name: 'agent',
        image,
        args,
        ...operationProbes,
        ...hub.container,
        resources,
        securityContext: restrictedContainer,
      },
    ],
  };
}
