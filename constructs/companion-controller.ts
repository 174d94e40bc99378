import { Construct } from 'constructs';
import type { CompanionControllerProps, CompanionSigner } from './companion-controller-props.ts';
import { companionGrants } from './companion-grants.ts';
import { bindRules, companionRules, electionRules, leaseNames } from './companion-permissions.ts';
import { companionPolicies } from './companion-policies/companion-policies.ts';
import { ControllerObjects } from './controller-objects.ts';
import { checkProps } from './check-properties.ts';

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
  private readonly objects: ControllerObjects;

  constructor(scope: Construct, id: string, props: CompanionControllerProps) {
    checkProps({ CompanionController }, new.target, scope, id, props);
    super(scope, id);
    this.props = props;
    this.objects = new ControllerObjects(this, 'fleetwright-controller', props);
    this.objects.addAccount();
    this.allow();
    if (props.admissionPolicies ?? true) this.confine();
    this.deploy();
    this.objects.add('disruption-budget', 'policy/v1', 'PodDisruptionBudget', {
      // Drains continue while at least one replica is left, or if there is only one.
      spec: { maxUnavailable: 1, selector: { matchLabels: this.objects.labels } },
    });
    this.objects.addNetwork(props);
  }

  private allow(): void {
    const { namespace, signers = [], configKinds = [], secretConfigs = [] } = this.props;
    if (this.props.options?.some((option) => option.startsWith('--trust-grpc-server')) === true)
      throw new Error(
        `${this.node.path}: write trustGrpcServer: true instead of the option --trust-grpc-server`,
      );
    if (this.props.options?.some((option) => option.startsWith('--shards')) === true)
      throw new Error(`${this.node.path}: write shards: 4 instead of the option --shards=4`);
    const { shards = 1 } = this.props;
    if (!Number.isInteger(shards) || shards < 1 || shards > 64)
      throw new Error(`${this.node.path}: shards must be a whole number from 1 to 64, but is ${shards}`);
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
    this.objects.addClusterRole(companionRules(duties));
    this.objects.addRole('election', namespace, electionRules(this.leases));
    this.addSecretRoles(
      'authorities',
      ['get'],
      signers.map(({ signingCA }) => signingCA),
    );
    for (const [at, roles] of grants)
      if (at !== '') this.objects.addRole(`grants-${at}`, at, bindRules(roles));
    // RBAC compares a name in the field selector with the list.
    this.addSecretRoles('configs', ['list', 'watch'], secretConfigs);
  }

  private get leases(): readonly string[] {
    return leaseNames(this.objects.name, this.props.shards ?? 1);
  }

  private confine(): void {
    const { namespace, signers = [], trustGrpcServer = false, preDeleteHooks = false } = this.props;
    const { tokenRegistration = false, grants = [] } = this.props;
    const companion = {
      name: this.objects.name,
      namespace,
      leases: this.leases,
      signers: [...new Set(signers.map(({ signerName }) => signerName))].sort(),
      trustGrpcServer,
      preDeleteHooks,
      tokenRegistration,
      grantedRoles: [...companionGrants(grants, this.node.path)].flatMap(([at, roles]) =>
        roles.filter(({ kind }) => kind === 'Role').map(({ name }) => `${at}/${name}`),
      ),
    };
    for (const { id, spec } of companionPolicies(companion)) this.objects.addPolicy(id, spec);
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
      this.objects.addRole(`${id}-${namespace}`, namespace, [rule]);
    }
  }

  private deploy(): void {
    const { image, shards = 1, replicas = Math.max(2, shards), addOns = [], signers = [] } = this.props;
    const { trustGrpcServer = false, preDeleteHooks = false, tokenRegistration = false } = this.props;
    const { maxCertificateLifetime, clusterSigningDuration, options = [] } = this.props;
    const { resources = { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } } } =
      this.props;
    const args = [
      'controller',
      'hub',
      `--leader-election-name=${this.objects.name}`,
      ...(shards === 1 ? [] : [`--shards=${shards}`]),
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
    const term = {
      topologyKey: 'kubernetes.io/hostname',
      labelSelector: { matchLabels: this.objects.labels },
    };
    const pod = {
      // Longer than `--stop-within`, so that work in progress can finish.
      terminationGracePeriodSeconds: 30,
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: term }],
        },
      },
    };
    this.objects.addDeployment({ image, args, replicas, resources, pod });
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
