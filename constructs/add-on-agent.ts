import { Construct } from 'constructs';
import { ApiObject } from './api-object.ts';
import type { PolicyRule } from './companion-permissions.ts';
import { operationProbes, restrictedContainer, restrictedPod, type PodResources } from './restricted-pod.ts';
import { Variable } from './variable.ts';

/** The companion of one add-on on a managed cluster. */
export interface AddOnAgentProps {
  /** The image, built of the Dockerfile in the package. */
  readonly image: string;

  /** The name of the add-on. */
  readonly addOn: string;

  /**
   * The namespace that the add-on is installed in. A deployment config that moves the add-on moves these
   * objects too.
   */
  readonly namespace: string;

  /**
   * What has to be well for the heartbeat to go on: `deployment:NAME`, `http://HOST:PORT/PATH` or
   * `tcp://HOST:PORT`.
   *
   * @default - nothing: the heartbeat tells of this agent alone
   */
  readonly probe?: string;

  /**
   * The Secret with a `kubeconfig` of the cluster's agent for the hub, on clusters without OCM's registration
   * agent. With it, this agent gets the add-on's certificates and tells the hub how it is.
   *
   * @default - OCM's registration agent does that
   */
  readonly hubKubeconfigSecret?: string;

  /**
   * Signers of the add-on's own that its template registers, as `example.com/logs`. With `hubKubeconfigSecret` this agent
   * gets their certificates too, and may write their Secrets. One that the template no longer registers stays here until all
   * clusters have deleted its Secret.
   *
   * @default - none: the certificate for the hub's API server is the only one
   */
  readonly signers?: readonly string[];

  /**
   * Further options of `fleetwright controller agent`.
   *
   * @default - none
   */
  readonly options?: readonly string[];

  /**
   * What it may use.
   *
   * @default { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '128Mi' } }
   */
  readonly resources?: PodResources;
}

const rbac = 'rbac.authorization.k8s.io';
const hubFolder = '/etc/fleetwright/hub';

/**
 * `fleetwright controller agent` for an add-on, to be created in the workload of its AddOnTemplate: keeps the Lease of
 * the add-on renewed while it is well.
 */
export class AddOnAgent extends Construct {
  constructor(scope: Construct, id: string, props: AddOnAgentProps) {
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
        // Two would renew one Lease, and ask for two certificates.
        strategy: { type: 'Recreate' },
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podOf(name, props) },
      },
    });
  }
}

/**
 * What `controller agent` does on the managed cluster, and nothing else. It applies what it writes, so that creation too can be
 * held against names.
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
  // With the Secret that keeps the names of the others.
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
