import { Construct } from 'constructs';
import type { CompanionControllerProps, CompanionSigner } from './companion-controller-props.ts';
import { companionGrants } from './companion-grants.ts';
import { bindRules, companionRules, electionRules, type PolicyRule } from './companion-permissions.ts';
import { companionPolicies } from './companion-policies/companion-policies.ts';
import { ApiObject } from './api-object.ts';
import { operationNetwork, operationService } from './operation-network.ts';
import { operationProbes, restrictedContainer, restrictedPod } from './restricted-pod.ts';

const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io/v1';

/**
 * The companion on the hub, `fleetwright controller hub`, with everything that it needs there: a Deployment, minimal
 * permissions, a PodDisruptionBudget, a NetworkPolicy, and a Service for its metrics.
 *
 * @example
 * new CompanionController(chart, 'companion', {
 *   image: 'registry.example.com/fleetwright:0.1.0',
 *   namespace: 'fleetwright',
 * });
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
    if (props.admissionPolicies ?? true) this.confine();
    this.add('deployment', 'apps/v1', 'Deployment', { spec: this.deployment() });
    this.add('disruption-budget', 'policy/v1', 'PodDisruptionBudget', {
      // Drains continue while at least one replica is left, or if there is only one.
      spec: { maxUnavailable: 1, selector: { matchLabels: this.labels } },
    });
    this.add('network-policy', 'networking.k8s.io/v1', 'NetworkPolicy', {
      spec: operationNetwork(this.labels, props),
    });
    this.add('metrics', 'v1', 'Service', { spec: operationService(this.labels) });
  }

  private allow(): void {
    const { namespace, signers = [], configKinds = [], secretConfigs = [] } = this.props;
    if (this.props.options?.some((option) => option.startsWith('--trust-grpc-server')) === true)
      throw new Error(
        `${this.node.path}: write trustGrpcServer: true instead of the option --trust-grpc-server`,
      );
    if (this.props.options?.some((option) => option.startsWith('--pre-delete-hooks')) === true)
      throw new Error(
        `${this.node.path}: write preDeleteHooks: true instead of the option --pre-delete-hooks`,
      );
    if (this.props.options?.some((option) => option.startsWith('--token-registration')) === true)
      throw new Error(
        `${this.node.path}: write tokenRegistration: true instead of the option --token-registration`,
      );
    if (this.props.tokenRegistration === true && this.props.admissionPolicies === false)
      throw new Error(
        `${this.node.path}: tokenRegistration needs admissionPolicies: without them, the ServiceAccount of the companion could create any Role in any namespace, and bind it`,
      );
    if (configKinds.some(({ group, resource }) => group === '' && resource === 'secrets'))
      throw new Error(
        `${this.node.path}: configKinds would let the companion read all Secrets: name those that it shall read in secretConfigs`,
      );
    const kubernetesSigner = signers.find(({ signerName }) => isKubernetesSigner(signerName));
    if (kubernetesSigner !== undefined)
      throw new Error(
        `${this.node.path}: ${kubernetesSigner.signerName} is a signer of Kubernetes itself, which needs no entry in signers: name those of add-ons, such as example.com/logs`,
      );
    const grants = companionGrants(this.props.grants ?? [], this.node.path);
    const duties = {
      grants: grants.get('') ?? [],
      configKinds,
      signers: signers.map(({ signerName }) => signerName),
      preDeleteHooks: this.props.preDeleteHooks ?? false,
      tokenRegistration: this.props.tokenRegistration ?? false,
    };
    const rules = companionRules(duties);
    this.add('role', `${rbac}/v1`, 'ClusterRole', { rules });
    this.add('role-binding', `${rbac}/v1`, 'ClusterRoleBinding', this.binding('ClusterRole', this.name));
    this.addRole('election', namespace, electionRules(this.name));
    this.addSecretRoles(
      'authorities',
      ['get'],
      signers.map(({ signingCA }) => signingCA),
    );
    for (const [at, roles] of grants) if (at !== '') this.addRole(`grants-${at}`, at, bindRules(roles));
    // RBAC compares a name in the field selector with the list.
    this.addSecretRoles('configs', ['list', 'watch'], secretConfigs);
  }

  private confine(): void {
    const { namespace, signers = [], trustGrpcServer = false, preDeleteHooks = false } = this.props;
    const { tokenRegistration = false, grants = [] } = this.props;
    const companion = {
      name: this.name,
      namespace,
      signers: [...new Set(signers.map(({ signerName }) => signerName))].sort(),
      trustGrpcServer,
      preDeleteHooks,
      tokenRegistration,
      grantedRoles: [...companionGrants(grants, this.node.path)].flatMap(([at, roles]) =>
        roles.filter(({ kind }) => kind === 'Role').map(({ name }) => `${at}/${name}`),
      ),
    };
    for (const { id, spec } of companionPolicies(companion)) {
      const policyName = `${this.name}-${id}`;
      this.add(`${id}-policy`, admission, 'ValidatingAdmissionPolicy', { spec }, { name: policyName });
      const binding = { spec: { policyName, validationActions: ['Deny'] } };
      this.add(`${id}-policy-binding`, admission, 'ValidatingAdmissionPolicyBinding', binding, {
        name: policyName,
      });
    }
  }

  /** Creates a Role in each namespace, for these Secrets and no others. */
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
    const { image, replicas = 2, addOns = [], signers = [] } = this.props;
    const { trustGrpcServer = false, preDeleteHooks = false, tokenRegistration = false } = this.props;
    const { maxCertificateLifetime, clusterSigningDuration, options = [] } = this.props;
    const { resources = { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } } } =
      this.props;
    const args = [
      'controller',
      'hub',
      `--leader-election-name=${this.name}`,
      ...addOns.map(({ addOnName }) => `--add-on=${addOnName}`),
      ...signers.map(signerOption),
      ...(trustGrpcServer ? ['--trust-grpc-server'] : []),
      ...(preDeleteHooks ? ['--pre-delete-hooks'] : []),
      ...(tokenRegistration ? ['--token-registration'] : []),
      ...(maxCertificateLifetime === undefined
        ? []
        : [`--max-certificate-lifetime=${maxCertificateLifetime}`]),
      ...(clusterSigningDuration === undefined
        ? []
        : [`--cluster-signing-duration=${clusterSigningDuration}`]),
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
          // Longer than `--stop-within`, so that work in progress can finish.
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

  private add(
    id: string,
    apiVersion: string,
    kind: string,
    content: object,
    { name = this.name, namespace = this.props.namespace } = {},
  ): void {
    // Cluster-scoped kinds have no namespace.
    new ApiObject(this, id, {
      apiVersion,
      kind,
      metadata: { name, namespace, labels: this.labels },
      ...content,
    });
  }
}

/** Returns the value of `--signer`. */
function signerOption({ signerName, signingCA, addOn }: CompanionSigner): string {
  const only = addOn === undefined ? '' : `:${addOn.addOnName}`;
  return `--signer=${signerName}=${signingCA.namespace}/${signingCA.name}${only}`;
}

/** The same rule as in the companion: Kubernetes itself signs these certificates. */
function isKubernetesSigner(signerName: string): boolean {
  return /^(?:[^/]*\.)?(?:kubernetes|k8s)\.io\//.test(signerName);
}
