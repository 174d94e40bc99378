import type { ApiObject } from '../../client/object.ts';
import { clusterResource, namespacedResource } from '../../client/resource.ts';

/** A Secret, with the fields that the agent writes. */
export interface Secret extends ApiObject {
  readonly type?: string;
  /** Base64. */
  readonly data?: Readonly<Record<string, string>>;
}

/** A Deployment, with the fields that probes use. */
export interface Deployment extends ApiObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly readyReplicas?: number };
}

/** A CertificateSigningRequest. */
export interface CertificateSigningRequest extends ApiObject {
  readonly spec?: {
    /** PEM in Base64. */
    readonly request?: string;
    readonly signerName?: string;
    readonly usages?: readonly string[];
    readonly expirationSeconds?: number;
  };
  readonly status?: {
    /** PEM in Base64. */
    readonly certificate?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

export const secrets = namespacedResource<Secret>('v1', 'Secret', 'secrets');

export const deployments = namespacedResource<Deployment>('apps/v1', 'Deployment', 'deployments');

export const certificateSigningRequests = clusterResource<CertificateSigningRequest>(
  'certificates.k8s.io/v1',
  'CertificateSigningRequest',
  'certificatesigningrequests',
);
