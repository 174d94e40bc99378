import { Budgets } from '../../events/budgets.ts';
import { identityOf, pick, type ApiObject, type ObjectKey, type Stored } from '../../../client/object.ts';
import { clusterResource } from '../../../client/resource.ts';
import type { ReadonlyStore } from '../../cache/store.ts';
import type { InformerOptions } from '../../cache/informer.ts';
import { Informer } from '../../cache/informer.ts';
import {
  readIssuedCertificate,
  type IssuedCertificate,
} from '../../../base/certificates/issued-certificate.ts';
import { fingerprintOf } from './content.ts';
import type { CertificateSigningRequest, Limits } from './facts.ts';
import { claimOf } from './judge.ts';
import { isServed, wholeHub, type Shard } from '../shard.ts';
import { decisiveGroups, grpcServer, readRequester } from './requester.ts';
import { clusterNameLabel, addOnNameLabel } from '../../../ocm/labels.ts';

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
export interface CertificateSigningRequestV1 extends ApiObject {
  readonly metadata: ApiObject['metadata'] & CertificateSigningRequest['metadata'];
  readonly spec?: Partial<CertificateSigningRequest['spec']> & {
    /** PEM in Base64. */
    readonly request?: string;
  };
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
 * The state of a request: `pending` waits for approval, `approved` for its certificate; `closed` is denied, failed,
 * or has its certificate.
 */
export type RequestState = 'pending' | 'approved' | 'closed';

/**
 * The cached part of a request. The request itself, up to a megabyte, is omitted: it is read from the
 * API server when everything else matches.
 */
export interface CachedRequest extends ApiObject, CertificateSigningRequest {
  readonly metadata: ApiObject['metadata'] & CertificateSigningRequest['metadata'];
  readonly state: RequestState;
  /** The cluster whose registration agent sent it, or `others`. */
  readonly party: string;
  /** The conditions of a pending request. */
  readonly conditions: readonly RequestCondition[];
  /** When it was approved, in milliseconds since 1970. */
  readonly approvedAt?: number;
  /** The fingerprint of the key of an approved request; undefined if its key cannot be read. */
  readonly fingerprint?: string;
  /** The certificate of a request that has one. */
  readonly issued?: IssuedCertificate;
}

/**
 * The party of all requests that do not come from the registration agent of the cluster that they name. No cluster
 * has this name.
 */
export const others = '(others)';

/** Returns the key of an add-on on a cluster: that of its ManagedClusterAddOn. */
export function claimKey({ cluster, addOn }: { readonly cluster: string; readonly addOn: string }): string {
  return `${cluster}/${addOn}`;
}

type RequestIndex = 'pending' | 'approved' | 'unsigned' | 'key' | 'party';

/**
 * The requests of add-ons, which a label marks. Indexes: `pending` contains the requests of the clusters' own agents
 * that wait for approval, by the key of the add-on on its cluster. `approved` contains the approved ones, and
 * `unsigned` those of them that wait for a certificate, by the same key. `key` contains the approved ones, by the
 * fingerprint of their key. `party` contains those that wait for approval, by their party.
 */
export type RequestInformer = Informer<CachedRequest, RequestIndex, CertificateSigningRequestV1>;

/** Maximum number of requests of a party that are cached while they wait for approval. */
export const maxCachedPerParty = 1000;

export interface RequestInformerOptions extends Omit<
  InformerOptions<CachedRequest, RequestIndex, CertificateSigningRequestV1>,
  'indexes' | 'transform' | 'hasRoom' | 'labelSelector'
> {
  readonly limits: Limits;
  /** The clusters whose requests are served. @default - all */
  readonly shard?: Shard;
}

/**
 * Follows the requests of add-ons. Caches about one kilobyte of each, and at most `maxCachedPerParty` of each party that
 * wait for approval. The others are listed again when half of these are gone.
 */
export function createRequestInformer({
  limits,
  shard = wholeHub,
  ...options
}: RequestInformerOptions): RequestInformer {
  const { clock, log } = options;
  /** The number of requests of a party that were not cached since all were listed for it. */
  const omitted = new Map<string, number>();
  const reports = new Budgets({ clock, burst: 1, refill: 60_000 });
  return new Informer(certificateSigningRequests, {
    ...options,
    labelSelector: addOnNameLabel,
    pageSize: 50,
    transform: (request, store) => {
      const cached = cachedRequest(request, limits);
      if (cached !== undefined && !isServed(claimOf(cached)?.cluster ?? '', shard))
        return keyOfOtherShard(cached);
      if (cached === undefined || !isBeyond(cached, store)) return cached;
      const count = (omitted.get(cached.party) ?? 0) + 1;
      omitted.set(cached.party, count);
      if (reports.take(cached.party))
        log.warn(
          { party: cached.party, kept: maxCachedPerParty, omitted: count },
          'a party has too many certificate requests: the excess requests wait until others are deleted',
        );
      return undefined;
    },
    hasRoom: (store) => {
      for (const party of omitted.keys()) {
        if (store.count('party', party) > maxCachedPerParty / 2) continue;
        omitted.clear();
        return true;
      }
      return false;
    },
    indexes: {
      pending: (request) => [pendingClaim(request) ?? []].flat(),
      approved: (request) => (request.approvedAt === undefined ? [] : claimKeysOf(request)),
      unsigned: (request) => (request.state === 'approved' ? claimKeysOf(request) : []),
      key: ({ fingerprint }) => (fingerprint === undefined ? [] : [fingerprint]),
      party: ({ state, party }) => (state === 'pending' ? [party] : []),
    },
  });
}

/** Returns what counts of a request that another shard serves: the key that was approved, which no other add-on may use. */
function keyOfOtherShard({ issued: _, ...cached }: Stored<CachedRequest>): Stored<CachedRequest> | undefined {
  return cached.fingerprint === undefined ? undefined : { ...cached, state: 'closed', conditions: [] };
}

/** Returns the key of the add-on whose cluster's agent sent a pending request; undefined for other requests. */
export function pendingClaim(request: CachedRequest): ObjectKey | undefined {
  return request.state === 'pending' && request.party !== others ? claimKeysOf(request)[0] : undefined;
}

function claimKeysOf(request: CachedRequest): readonly ObjectKey[] {
  const claim = claimOf(request);
  return claim === undefined ? [] : [claimKey(claim)];
}

function isBeyond(
  { state, party, metadata: { name } }: Stored<CachedRequest>,
  store: ReadonlyStore<CachedRequest, RequestIndex>,
): boolean {
  return (
    state === 'pending' && store.count('party', party) >= maxCachedPerParty && store.get(name) === undefined
  );
}

/** Maximum number of characters of a user or group name to cache: those of agents are shorter. */
const longestText = 400;
/** Maximum number of usages to cache. No request with more is approved. */
const mostUsages = 8;

/** Returns all usages, or the first ones and one that does not exist: what is left out must not be approved. */
function boundedUsages(usages: readonly string[]): readonly string[] {
  const kept = usages.slice(0, mostUsages).map(cut);
  return usages.length > mostUsages ? [...kept, `${usages.length - mostUsages} more`] : kept;
}

function cut(text: string): string {
  return text.slice(0, longestText);
}

/**
 * Returns the part of a request to cache, of bounded size: anyone who may create requests may write a megabyte of
 * labels and annotations. Undefined for a request that has no effect.
 */
export function cachedRequest(
  { apiVersion, kind, metadata, spec = {}, status = {} }: Stored<CertificateSigningRequestV1>,
  limits: Limits,
): Stored<CachedRequest> | undefined {
  const claim = claimOf({ metadata });
  if (claim === undefined) return undefined;
  const { signerName = '', usages, expirationSeconds, username, groups = [], request = '' } = spec;
  const { conditions = [], certificate = '' } = status;
  const state = stateOf(conditions, certificate);
  const approval = conditions.find(({ type }) => type === 'Approved');
  if (state === 'closed' && approval === undefined) return undefined;
  const fingerprint = approval === undefined ? undefined : fingerprintOf(request, limits);
  const issued = certificate === '' ? undefined : readIssuedCertificate(certificate);
  const user = metadata.annotations?.[grpcServer.userAnnotation];
  const fields = {
    metadata: {
      ...identityOf(metadata),
      labels: pick(metadata.labels, [clusterNameLabel, addOnNameLabel]),
      annotations: { ...(user !== undefined && { [grpcServer.userAnnotation]: user.slice(0, longestText) }) },
    },
    spec: {
      signerName,
      ...(usages && { usages: boundedUsages(usages) }),
      ...(expirationSeconds !== undefined && { expirationSeconds }),
      ...(username !== undefined && { username: cut(username) }),
      groups: decisiveGroups(groups, claim.cluster).map(cut),
    },
    requestLength: request.length,
  };
  const requester = readRequester(fields, claim.cluster, { allowGrpcServer: limits.grpcServer });
  return {
    apiVersion,
    kind,
    ...fields,
    state,
    party: 'agent' in requester ? claim.cluster : others,
    conditions: state === 'pending' ? conditions : [],
    ...(approval !== undefined && { approvedAt: Date.parse(approval.lastUpdateTime ?? '') }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(issued !== undefined && { issued }),
  };
}

function stateOf(conditions: readonly RequestCondition[], certificate: string): RequestState {
  const types = new Set(conditions.map(({ type }) => type));
  if (certificate !== '' || types.has('Denied') || types.has('Failed')) return 'closed';
  return types.has('Approved') ? 'approved' : 'pending';
}
