import { Construct } from 'constructs';
import type { IClusterManagementAddOn } from './cluster-management-add-on.ts';
import { companionRules, electionRules, type PolicyRule } from './companion-permissions.ts';
import { ApiObject } from './api-object.ts';
import type { HubRole } from './hub-permission.ts';
import {
  operationPort,
  operationProbes,
  restrictedContainer,
  restrictedPod,
  type PodResources,
} from './restricted-pod.ts';

/** A signer of an add-on's own, and the Secret of its authority. */
export interface CompanionSigner {
  /** As the template names it: `example.com/logs`. */
  readonly signerName: string;

  /** The Secret with `tls.crt` and `tls.key`, as the template names it. */
  readonly signingCA: { readonly name: string; readonly namespace: string };

  /**
   * The add-on whose template may use it. Templates say which subjects it signs, so that whoever writes the template of
   * another add-on would have certificates of its authority.
   *
   * @default - all add-ons
   */
  readonly addOn?: IClusterManagementAddOn;
}

/** A companion and what it may do. */
export interface CompanionControllerProps {
  /** The image, built of the Dockerfile in the package. */
  readonly image: string;

  /**
   * The name of all its objects.
   *
   * @default - the construct's id
   */
  readonly name?: string;

  /** The namespace on the hub. It has to be there. */
  readonly namespace: string;

  /**
   * How many replicas run. One of them works, the others take over.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * Roles that `hubPermissions` of templates name. The companion can bind no others to the agents.
   *
   * @default - none
   */
  readonly grants?: readonly HubRole[];

  /**
   * Signers of add-ons' own, whose requests the companion approves and signs.
   *
   * @default - none
   */
  readonly signers?: readonly CompanionSigner[];

  /**
   * Kinds of configuration that are not OCM's, of which the companion tells the hashes. Not Secrets: they are named one by
   * one.
   *
   * @default - none
   */
  readonly configKinds?: readonly { readonly group: string; readonly resource: string }[];

  /**
   * Secrets that add-ons name as configurations, of which the companion tells the hashes. It may read no others but those of
   * `signers`.
   *
   * @default - none
   */
  readonly secretConfigs?: readonly { readonly name: string; readonly namespace: string }[];

  /**
   * Add-ons with a manager of nobody's to look after, besides those with compiled delivery.
   *
   * @default - none
   */
  readonly addOns?: readonly IClusterManagementAddOn[];

  /**
   * Further options of `fleetwright controller hub`.
   *
   * @default - none
   */
  readonly options?: readonly string[];

  /**
   * Ports of the hub's API server, which are all that it may connect to besides DNS.
   *
   * @default [443, 6443]
   */
  readonly apiServerPorts?: readonly number[];

  /**
   * What a replica may use. Its memory grows with the add-ons on all clusters: see docs/controller.md.
   *
   * @default { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } }
   */
  readonly resources?: PodResources;
}

const rbac = 'rbac.authorization.k8s.io';

/**
 * The companion on the hub, `fleetwright controller hub`, with all that it needs to run there: a Deployment, permissions for
 * exactly what it does, a PodDisruptionBudget, a NetworkPolicy, and a Service for its metrics.
 */
export class CompanionController extends Construct {
  private readonly props: CompanionControllerProps;
  private readonly name: string;
  private readonly labels: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, props: CompanionControllerProps) {
    super(scope, id);
    this.props = props;
    this.name = props.name ?? id;
    this.labels = {
      'app.kubernetes.io/name': 'fleetwright-controller',
      'app.kubernetes.io/instance': this.name,
    };
    this.add('account', 'v1', 'ServiceAccount', {});
    this.allow();
    this.add('deployment', 'apps/v1', 'Deployment', { spec: this.deployment() });
    this.add('disruption-budget', 'policy/v1', 'PodDisruptionBudget', {
      // Drains go on while at least one replica is left, or where there never was more than one.
      spec: { maxUnavailable: 1, selector: { matchLabels: this.labels } },
    });
    this.add('network-policy', 'networking.k8s.io/v1', 'NetworkPolicy', { spec: this.network() });
    this.add('metrics', 'v1', 'Service', {
      spec: {
        selector: this.labels,
        ports: [{ name: 'metrics', port: operationPort, targetPort: 'metrics' }],
      },
    });
  }

  private allow(): void {
    const { namespace, grants = [], signers = [], configKinds = [], secretConfigs = [] } = this.props;
    if (configKinds.some(({ group, resource }) => group === '' && resource === 'secrets'))
      throw new Error(
        `${this.node.path}: configKinds would let the companion read all Secrets: name those that it shall read in secretConfigs`,
      );
    for (const [index, { kind }] of grants.entries()) {
      if (kind === 'Role' || kind === 'ClusterRole') continue;
      throw new Error(
        `${this.node.path}: grants[${index}] has to be a Role or a ClusterRole, such as { kind: 'ClusterRole', name: 'reader' }`,
      );
    }
    const duties = { grants, configKinds, signers: signers.map(({ signerName }) => signerName) };
    const rules = companionRules(duties);
    this.add('role', `${rbac}/v1`, 'ClusterRole', { rules });
    this.add('role-binding', `${rbac}/v1`, 'ClusterRoleBinding', this.binding('ClusterRole', this.name));
    this.addRole('election', namespace, electionRules(this.name));
    this.addSecretRoles(
      'authorities',
      ['get'],
      signers.map(({ signingCA }) => signingCA),
    );
    // A name among the fields that are asked for is held against the list.
    this.addSecretRoles('configs', ['list', 'watch'], secretConfigs);
  }

  /** A Role in each namespace, for these Secrets and no others. */
  private addSecretRoles(
    id: string,
    verbs: readonly string[],
    secrets: readonly { readonly name: string; readonly namespace: string }[],
  ): void {
    const namespaces = new Map<string, Set<string>>();
    for (const { namespace, name } of secrets)
      namespaces.set(namespace, (namespaces.get(namespace) ?? new Set()).add(name));
    for (const [namespace, names] of namespaces) {
      const rule = { apiGroups: [''], resources: ['secrets'], resourceNames: [...names].sort(), verbs };
      this.addRole(`${id}-${namespace}`, namespace, [rule]);
    }
  }

  private addRole(id: string, namespace: string, rules: readonly PolicyRule[]): void {
    const at = { name: `${this.name}-${id}`, namespace };
    this.add(id, `${rbac}/v1`, 'Role', { rules }, at);
    this.add(`${id}-binding`, `${rbac}/v1`, 'RoleBinding', this.binding('Role', at.name), at);
  }

  private binding(kind: string, name: string): object {
    return {
      roleRef: { apiGroup: rbac, kind, name },
      subjects: [{ kind: 'ServiceAccount', name: this.name, namespace: this.props.namespace }],
    };
  }

  private deployment(): object {
    const { image, replicas = 2, addOns = [], signers = [], options = [] } = this.props;
    const { resources = { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } } } =
      this.props;
    const args = [
      'controller',
      'hub',
      `--leader-election-name=${this.name}`,
      ...addOns.map(({ addOnName }) => `--add-on=${addOnName}`),
      ...signers.map(signerOption),
      ...options,
    ];
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: this.labels } };
    return {
      replicas,
      selector: { matchLabels: this.labels },
      template: {
        metadata: { labels: this.labels },
        spec: {
          serviceAccountName: this.name,
          securityContext: restrictedPod,
          // Longer than `--stop-within`, so that what is under way comes to its end.
          terminationGracePeriodSeconds: 30,
          affinity: {
            podAntiAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: term }],
            },
          },
          containers: [
            {
              name: 'controller',
              image,
              args,
              ...operationProbes,
              resources,
              securityContext: restrictedContainer,
            },
          ],
        },
      },
    };
  }

  private network(): object {
    const { apiServerPorts = [443, 6443] } = this.props;
    return {
      podSelector: { matchLabels: this.labels },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: [{ protocol: 'TCP', port: operationPort }] }],
      egress: [
        { ports: apiServerPorts.map((port) => ({ protocol: 'TCP', port })) },
        { ports: ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 })) },
      ],
    };
  }

  private add(
    id: string,
    apiVersion: string,
    kind: string,
    content: object,
    { name = this.name, namespace = this.props.namespace } = {},
  ): void {
    const metadata = { name, labels: this.labels };
    const isClusterScoped = kind.startsWith('Cluster');
    new ApiObject(this, id, {
      apiVersion,
      kind,
      metadata: isClusterScoped ? metadata : { ...metadata, namespace },
      ...content,
    });
  }
}

/** As `controller hub` takes it. */
function signerOption({ signerName, signingCA, addOn }: CompanionSigner): string {
  const only = addOn === undefined ? '' : `:${addOn.addOnName}`;
  return `--signer=${signerName}=${signingCA.namespace}/${signingCA.name}${only}`;
}
