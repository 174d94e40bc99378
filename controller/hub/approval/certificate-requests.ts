import { identityOf, type ApiObject, type Stored } from '../../kube/object.ts';
import { clusterResource } from '../../kube/resource.ts';
import type { InformerOptions } from '../../cache/informer.ts';
import { Informer } from '../../cache/informer.ts';
import { encodedLength, fingerprintOf } from './content.ts';
import type { CertificateSigningRequest, Limits } from './facts.ts';
import { claimOf, labels } from './judge.ts';
import { grpcServer } from './requester.ts';

/** A condition of a CertificateSigningRequest: `Approved`, `Denied` or `Failed`. */
export interface RequestCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string;
  readonly lastTransitionTime?: string;
}

/** A CertificateSigningRequest of certificates.k8s.io/v1. */
export interface CertificateSigningRequestV1 extends ApiObject, CertificateSigningRequest {
  readonly metadata: ApiObject['metadata'] & CertificateSigningRequest['metadata'];
  readonly status?: {
    readonly conditions?: readonly RequestCondition[];
    /** PEM in Base64. */
    readonly certificate?: string;
  };
}

export const certificateSigningRequests = clusterResource<CertificateSigningRequestV1>(
  'certificates.k8s.io/v1',
  'CertificateSigningRequest',
  'certificatesigningrequests',
);

/**
 * How far a request is: `pending` waits for approval, `approved` for its certificate; `closed` is denied, failed, or has
 * its certificate.
 */
export type RequestState = 'pending' | 'approved' | 'closed';

export function stateOf({
  status: { conditions = [], certificate = '' } = {},
}: CertificateSigningRequestV1): RequestState {
  const types = new Set(conditions.map(({ type }) => type));
  if (certificate !== '' || types.has('Denied') || types.has('Failed')) return 'closed';
  return types.has('Approved') ? 'approved' : 'pending';
}

/** When a request was approved, in milliseconds since 1970; undefined where it was not. */
export function approvedAt({
  status: { conditions = [] } = {},
}: CertificateSigningRequestV1): number | undefined {
  const approval = conditions.find(({ type }) => type === 'Approved');
  return approval === undefined ? undefined : Date.parse(approval.lastUpdateTime ?? '');
}

/** The key of an add-on on a cluster: that of its ManagedClusterAddOn. */
export function claimKey({ cluster, addOn }: { readonly cluster: string; readonly addOn: string }): string {
  return `${cluster}/${addOn}`;
}

/**
 * The requests of add-ons, by the label that says so. `open`: those that wait, by the key of the add-on on its cluster;
 * `approved`: those that were approved, by the same; `key`: those that were approved, by the fingerprint of their key.
 */
export type RequestInformer = Informer<CertificateSigningRequestV1, 'open' | 'approved' | 'key'>;

export function createRequestInformer(
  options: Omit<InformerOptions<CertificateSigningRequestV1, never>, 'indexes' | 'keep' | 'labelSelector'>,
  limits: Limits,
): RequestInformer {
  return new Informer(certificateSigningRequests, {
    ...options,
    labelSelector: labels.addOn,
    // They may be large: a page of megabytes must fit in memory.
    pageSize: 50,
    keep: (request) => withoutBulk(request, limits),
    indexes: {
      open: (request) => (stateOf(request) === 'closed' ? [] : keysOf(request)),
      approved: (request) => (approvedAt(request) === undefined ? [] : keysOf(request)),
      key: (request) => {
        if (approvedAt(request) === undefined) return [];
        const fingerprint = fingerprintOf(request.spec.request, limits);
        return fingerprint === undefined ? [] : [fingerprint];
      },
    },
  });
}

function keysOf(request: CertificateSigningRequestV1): readonly string[] {
  const claim = claimOf(request);
  return claim === undefined ? [] : [claimKey(claim)];
}

/**
 * What is kept in memory of a request: nothing but what is looked at, for whoever may ask may write a megabyte of labels and
 * annotations. One that is too large is cut just so that it still is too large.
 */
function withoutBulk(
  { apiVersion, kind, metadata, spec, status }: Stored<CertificateSigningRequestV1>,
  limits: Limits,
): Stored<CertificateSigningRequestV1> {
  const { signerName, usages, expirationSeconds, username, groups } = spec;
  return {
    apiVersion,
    kind,
    metadata: {
      ...identityOf(metadata),
      labels: only(metadata.labels, [labels.cluster, labels.addOn]),
      annotations: only(metadata.annotations, [grpcServer.userAnnotation]),
    },
    spec: {
      request: spec.request.slice(0, encodedLength(limits.requestOctets) + 4),
      signerName,
      ...(usages && { usages }),
      ...(expirationSeconds !== undefined && { expirationSeconds }),
      ...(username !== undefined && { username }),
      ...(groups && { groups }),
    },
    ...(status && { status }),
  };
}

function only(
  texts: Readonly<Record<string, string>> | undefined,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = texts?.[name];
      return text === undefined ? [] : [[name, text]];
    }),
  );
}
