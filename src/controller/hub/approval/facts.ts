import type { Registration } from '../../add-on/registration.ts';

/** The parts of a CertificateSigningRequest that are read before its content. */
export interface CertificateSigningRequest {
  readonly metadata: ObjectFacts & {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly signerName: string;
    readonly usages?: readonly string[];
    readonly expirationSeconds?: number;
    /** The creator of the request: the API server fills it in. */
    readonly username?: string;
    readonly groups?: readonly string[];
  };
  /** Characters of the request, which is PEM in Base64. */
  readonly requestLength: number;
}

/** The metadata of an object that affects the decision on requests. */
export interface ObjectFacts {
  readonly name: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
}

/** The ManagedCluster that a request names. */
export interface ClusterFacts {
  readonly metadata: ObjectFacts;
  readonly spec?: { readonly hubAcceptsClient?: boolean };
}

/** The ManagedClusterAddOn that a request names. */
export interface AddOnFacts {
  readonly metadata: ObjectFacts;
  readonly status?: { readonly registrations?: readonly Registration[] };
}

/** The facts about the hub that decide on a request. */
export interface HubFacts {
  /** The cluster that the request names; undefined if it does not exist. */
  readonly cluster: ClusterFacts | undefined;
  /** The add-on on that cluster; undefined if it does not exist, or if this controller does not manage it. */
  readonly addOn: AddOnFacts | undefined;
  /**
   * The registrations of the add-on on that cluster, according to its definition on the hub. The status is not
   * enough: the agents of a cluster may write the status of its add-ons, and could register anything.
   */
  readonly declared: readonly Registration[];
  /** Signers that the add-on may not use, whatever it declares. @default none */
  readonly foreignSigners?: ReadonlySet<string>;
  /** Returns the names of earlier requests that were approved with the same public key, by its fingerprint. */
  readonly approvedWithKey: (fingerprint: string) => readonly string[];
  /** The number of requests of this add-on on this cluster that were approved within the window of the limits. */
  readonly recentApprovals: number;
}

/** The upper limits. */
export interface Limits {
  /** Octets of a request in PEM; larger ones are not read. */
  readonly requestOctets: number;
  /** The longest lifetime of a certificate, in seconds. */
  readonly lifetime: number;
  /**
   * The lifetime of certificates for the hub's API server if a request does not set it, in seconds:
   * kube-controller-manager's `--cluster-signing-duration`.
   */
  readonly apiServerLifetime: number;
  /** The number of open requests of an add-on on a cluster that are judged; later ones wait. */
  readonly openRequests: number;
  /** Approvals within a window of time for one add-on on one cluster. */
  readonly approvals: number;
  /** Whether OCM's gRPC server may send requests for agents that are connected to it. */
  readonly grpcServer: boolean;
}

/** Limits that suit OCM's agents. */
export const defaultLimits: Limits = {
  // An RSA key of 8192 bits with a subject of a dozen long groups has about 5,000.
  requestOctets: 16_384,
  lifetime: 31_536_000,
  apiServerLifetime: 31_536_000,
  approvals: 20,
  // OCM's agents stop at 10.
  openRequests: 50,
  grpcServer: false,
};
