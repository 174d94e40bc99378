import type { IClusterManagementAddOn } from './cluster-management-add-on.ts';
import type { CompanionGrant } from './companion-grants.ts';
import type { OperationNetworkProps } from './operation-network.ts';
import type { PodResources } from './restricted-pod.ts';

/** An add-on's own signer, and the Secret of its authority. */
export interface CompanionSigner {
  /** Name of the signer as in the template: `example.com/logs`. */
  readonly signerName: string;

  /** The Secret with `tls.crt` and `tls.key`, named as in the template. */
  readonly signingCA: { readonly name: string; readonly namespace: string };

  /**
   * The add-on whose template may use the signer. A template chooses the subjects that its signer signs, so without
   * this limit the author of another add-on's template could get certificates from this authority.
   *
   * @default - all add-ons
   */
  readonly addOn?: IClusterManagementAddOn;
}

/** The settings and permissions of a companion. */
export interface CompanionControllerProps extends OperationNetworkProps {
  /** The image, built from the Dockerfile in the package. */
  readonly image: string;

  /**
   * The name of all its objects.
   *
   * @default - the construct's id
   */
  readonly name?: string;

  /** The namespace on the hub. It must exist. */
  readonly namespace: string;

  /**
   * Number of replicas. One is the leader, the others take over. With `shards`, they divide the clusters among them.
   *
   * @default 2, or `shards` if that is more
   */
  readonly replicas?: number;

  /**
   * Number of parts of the clusters, which replicas serve separately: for hubs whose objects do not fit into the memory of one replica.
   * 1 to 64. Each replica serves about `shards / replicas` of them, and those of a replica that ends go to the others.
   *
   * @default 1
   */
  readonly shards?: number;

  /**
   * The roles that the companion may bind to agents, named in `hubPermissions` of templates. It can bind no other
   * roles, and roles with a namespace in that namespace only. A Role must have one.
   *
   * @default - none
   */
  readonly grants?: readonly CompanionGrant[];

  /**
   * The add-ons' own signers. The companion approves and signs their requests.
   *
   * @default - none
   */
  readonly signers?: readonly CompanionSigner[];

  /**
   * Kinds of configuration other than OCM's, whose hashes the companion reports. Secrets are not allowed here: name
   * them one by one in `secretConfigs`.
   *
   * @default - none
   */
  readonly configKinds?: readonly { readonly group: string; readonly resource: string }[];

  /**
   * Secrets that add-ons use as configurations, whose hashes the companion reports. It may read no other Secrets,
   * except those of `signers`.
   *
   * @default - none
   */
  readonly secretConfigs?: readonly { readonly name: string; readonly namespace: string }[];

  /**
   * Add-ons without a manager to manage, in addition to those with compiled delivery.
   *
   * @default - none
   */
  readonly addOns?: readonly IClusterManagementAddOn[];

  /**
   * Whether OCM's gRPC server may request certificates for the agents that connect through it. Sets `trustGrpcServer`
   * of the companion and the matching admission policies.
   *
   * @default false
   */
  readonly trustGrpcServer?: boolean;

  /**
   * Whether the companion runs the pre-delete hooks of add-ons with compiled delivery that request it. It may then create works with
   * Jobs and Pods on all clusters, and delete works that Git leaves to it. Sets `preDeleteHooks` of the companion.
   *
   * @default false
   */
  readonly preDeleteHooks?: boolean;

  /**
   * Whether the companion creates the ServiceAccounts of agents that register with tokens, instead of certificates. Enable it on
   * hubs where the addon-manager of OCM, which does the same, does not run. The companion may then create Roles in all namespaces,
   * which only the admission policies limit. Sets `tokenRegistration` of the companion.
   *
   * @default false
   */
  readonly tokenRegistration?: boolean;

  /**
   * Whether ValidatingAdmissionPolicies limit what the ServiceAccount of the companion can write. Without them,
   * anyone who has its token can change all ManifestWorks and approve certificates for any user of the hub. Disable
   * them if the hub's API server is older than Kubernetes 1.30, which does not serve these policies: applying them
   * would fail.
   *
   * @default true
   */
  readonly admissionPolicies?: boolean;

  /**
   * Further options of `fleetwright controller hub`.
   *
   * @default - none
   */
  readonly options?: readonly string[];

  /**
   * Maximum lifetime of certificates of any signer, such as `24h`. Requests for a longer one are refused.
   *
   * @default '8760h'
   */
  readonly maxCertificateLifetime?: string;

  /**
   * Lifetime of certificates for the hub's API server if a request sets none: `--cluster-signing-duration` of
   * kube-controller-manager. If it is longer than `maxCertificateLifetime`, requests must set a lifetime.
   *
   * @default '8760h'
   */
  readonly clusterSigningDuration?: string;

  /**
   * Resources of a replica. Its memory grows with the add-ons on all clusters: see docs/controller.md.
   *
   * @default { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } }
   */
  readonly resources?: PodResources;
}
