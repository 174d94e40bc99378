import type { IClusterManagementAddOn } from './cluster-management-add-on.ts';
import type { CompanionGrant } from './companion-grants.ts';
import type { PodResources } from './restricted-pod.ts';
import type { SelectorLike } from './selector.ts';

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

/** Pods that a NetworkPolicy lets in. */
export interface NetworkPeer {
  /**
   * The pods, in the namespaces of `namespaces`.
   *
   * @default - all
   */
  readonly pods?: SelectorLike;

  /**
   * The namespaces of the pods.
   *
   * @default - the companion's
   */
  readonly namespaces?: SelectorLike;
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
   * Roles that `hubPermissions` of templates name. The companion can bind no others to the agents, and those with a namespace
   * in that namespace only. A Role needs one.
   *
   * @default - none
   */
  readonly grants?: readonly CompanionGrant[];

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
   * Whether OCM's gRPC server may request certificates for the agents that are connected to it. As the setting
   * `trustGrpcServer`; the admission policies follow it.
   *
   * @default false
   */
  readonly trustGrpcServer?: boolean;

  /**
   * Whether ValidatingAdmissionPolicies confine the ServiceAccount to what the companion writes. Without them, whoever has its
   * token can change all ManifestWorks and approve certificates for any user of the hub. Turn them off where the hub's API
   * server is older than Kubernetes 1.30, which does not serve these policies: applying them fails there.
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
   * Ports of the hub's API server, which are all that it may connect to besides DNS.
   *
   * @default [443, 6443]
   */
  readonly apiServerPorts?: readonly number[];

  /**
   * Who may read the metrics, which name signers, such as
   * `[{ namespaces: { 'kubernetes.io/metadata.name': 'monitoring' } }]`.
   *
   * Probes come from the node, which network policies let through.
   *
   * @default - everybody in the cluster
   */
  readonly metricsFrom?: readonly NetworkPeer[];

  /**
   * Maximum lifetime of certificates of any signer, such as `24h`. Requests for a longer one are refused.
   *
   * @default '8760h'
   */
  readonly maxCertificateLifetime?: string;

  /**
   * Lifetime of certificates for the hub's API server where a request asks for none: `--cluster-signing-duration` of
   * kube-controller-manager. Where it is longer than `maxCertificateLifetime`, requests have to ask for a lifetime.
   *
   * @default '8760h'
   */
  readonly clusterSigningDuration?: string;

  /**
   * What a replica may use. Its memory grows with the add-ons on all clusters: see docs/controller.md.
   *
   * @default { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } }
   */
  readonly resources?: PodResources;
}
