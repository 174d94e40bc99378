import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { newCertificateRequest } from '../../certificates/new-certificate-request.ts';
import type { Subject } from '../../certificates/subject.ts';
import { labels } from '../../hub/approval/judge.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import type { ObjectName } from '../../kube/object.ts';
import { certificateSigningRequests, type CertificateSigningRequest, type Secret } from '../resources.ts';
import { decoded, encoded, ownSecret } from './own-secret.ts';

/** What is asked for. */
export interface Wanted {
  readonly addOn: string;
  readonly cluster: string;
  readonly signerName: string;
  readonly subject: Subject;
  /** Milliseconds. */
  readonly lifetime: number;
}

/** A request that was made and whose certificate is not there yet. */
export interface OpenRequest {
  /** Of the CertificateSigningRequest on the hub. */
  readonly request: string;
  /** PEM. */
  readonly key: string;
  /** What it asked for, to tell whether that is still wanted. */
  readonly wanted: string;
}

/** What became of a request. */
export type Outcome =
  | { readonly certificate: string }
  | { readonly refused: string }
  | 'open'
  /** Deleted, by somebody or with age. */
  | 'gone';

const requestKey = 'request';
const privateKey = 'tls.key';
const wantedKey = 'wanted';

/**
 * Makes a key and asks the hub for its certificate, as OCM's registration agent asks: with its labels, usages and name. The key
 * stays on this cluster.
 */
export async function askForCertificate(
  hub: ApiClient,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<OpenRequest> {
  const { addOn, cluster, signerName, subject, lifetime } = wanted;
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const request = newCertificateRequest(key, {
    subject,
    dnsNames: [`${addOn}.addon.open-cluster-management.io`],
  });
  const created = await hub.create<CertificateSigningRequest>(
    certificateSigningRequests,
    {
      apiVersion: certificateSigningRequests.apiVersion,
      kind: certificateSigningRequests.kind,
      metadata: {
        generateName: `addon-${cluster}-${addOn}-`,
        labels: { [labels.cluster]: cluster, [labels.addOn]: addOn },
      },
      spec: {
        request: encoded(request),
        signerName,
        usages: ['digital signature', 'key encipherment', 'client auth'],
        expirationSeconds: Math.floor(lifetime / 1000),
      },
    },
    { signal },
  );
  return {
    request: created.metadata.name,
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    wanted: describe(wanted),
  };
}

/** Equal for what asks for the same. */
export function describe({ signerName, subject }: Wanted): string {
  const { commonName, organizations, organizationalUnits } = subject;
  return JSON.stringify([signerName, commonName, [...organizations].sort(), [...organizationalUnits].sort()]);
}

export async function outcomeOf(
  hub: ApiClient,
  { request }: OpenRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  const found = await hub.get(certificateSigningRequests, { name: request }, signal);
  if (found === undefined) return 'gone';
  const { certificate, conditions = [] } = found.status ?? {};
  const refusal = conditions.find(({ type }) => type === 'Denied' || type === 'Failed');
  if (refusal !== undefined) {
    const { type, reason = '', message = '' } = refusal;
    return { refused: [type, reason, message].filter(Boolean).join(': ') };
  }
  return certificate === undefined || certificate === '' ? 'open' : { certificate: decoded(certificate) };
}

/** The Secret that keeps an open request over a restart. */
export function openRequestSecret(
  name: Required<ObjectName>,
  addOn: string,
  { request, key, wanted }: OpenRequest,
): Secret & { readonly metadata: ObjectName } {
  return ownSecret(name, addOn, { [requestKey]: request, [privateKey]: key, [wantedKey]: wanted });
}

/** The open request that a Secret keeps; undefined where it keeps none that can be used. */
export function openRequestIn(data: Readonly<Record<string, string>> | undefined): OpenRequest | undefined {
  const { [requestKey]: request, [privateKey]: key, [wantedKey]: wanted } = data ?? {};
  if (request === undefined || key === undefined || wanted === undefined) return undefined;
  const kept = { request: decoded(request), key: decoded(key), wanted: decoded(wanted) };
  try {
    createPrivateKey(kept.key);
    return kept;
  } catch {
    return undefined;
  }
}
