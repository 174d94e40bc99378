import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { newCertificateRequest } from '../../../base/certificates/new-certificate-request.ts';
import type { Subject } from '../../../base/certificates/subject.ts';
import type { ApiClient } from '../../../client/api-client.ts';
import type { ObjectName } from '../../../client/object.ts';
import { certificateSigningRequests, type CertificateSigningRequest, type Secret } from '../resources.ts';
import { decoded, encoded, agentSecret } from './agent-secret.ts';
import { clusterNameLabel, addOnNameLabel } from '../../../ocm/labels.ts';

/** The requested certificate. */
export interface DesiredCertificate {
  readonly addOn: string;
  readonly cluster: string;
  readonly signerName: string;
  readonly subject: Subject;
  /** Milliseconds. */
  readonly lifetime: number;
}

/** A request that was sent and whose certificate has not been issued yet. */
export interface OpenRequest {
  /** The name of the CertificateSigningRequest on the hub. */
  readonly request: string;
  /** PEM. */
  readonly key: string;
  /** The description of the requested certificate, to check whether it is still needed. */
  readonly desired: string;
}

/** The outcome of a request. */
export type Outcome =
  | { readonly certificate: string }
  | { readonly refused: string }
  | 'open'
  /** Deleted, by a user or because of its age. */
  | 'gone';

const requestKey = 'request';
const privateKey = 'tls.key';
const desiredKey = 'wanted';

/**
 * Creates a key and requests its certificate from the hub, as OCM's registration agent does: with its labels, usages
 * and name. The key stays on this cluster.
 */
export async function createRequest(
  hub: ApiClient,
  desired: DesiredCertificate,
  signal: AbortSignal,
): Promise<OpenRequest> {
  const { addOn, cluster, signerName, subject, lifetime } = desired;
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
        labels: { [clusterNameLabel]: cluster, [addOnNameLabel]: addOn },
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
    desired: describe(desired),
  };
}

/** Returns a text that is equal for equal requests. */
export function describe({ signerName, subject }: DesiredCertificate): string {
  const { commonName, organizations, organizationalUnits } = subject;
  return JSON.stringify([signerName, commonName, [...organizations].sort(), [...organizationalUnits].sort()]);
}

export async function outcomeOf(
  hub: ApiClient,
  { request }: OpenRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  const csr = await hub.get(certificateSigningRequests, { name: request }, signal);
  if (csr === undefined) return 'gone';
  const { certificate, conditions = [] } = csr.status ?? {};
  const refusal = conditions.find(({ type }) => type === 'Denied' || type === 'Failed');
  if (refusal !== undefined) {
    const { type, reason = '', message = '' } = refusal;
    return { refused: [type, reason, message].filter(Boolean).join(': ') };
  }
  return certificate === undefined || certificate === '' ? 'open' : { certificate: decoded(certificate) };
}

/** Returns the Secret that stores an open request, so that it survives a restart. */
export function openRequestSecret(
  name: Required<ObjectName>,
  addOn: string,
  { request, key, desired }: OpenRequest,
): Secret & { readonly metadata: ObjectName } {
  return agentSecret(name, addOn, { [requestKey]: request, [privateKey]: key, [desiredKey]: desired });
}

/** Returns the open request that a Secret stores; undefined if it stores no valid one. */
export function openRequestIn(data: Readonly<Record<string, string>> | undefined): OpenRequest | undefined {
  const { [requestKey]: request, [privateKey]: key, [desiredKey]: desired } = data ?? {};
  if (request === undefined || key === undefined || desired === undefined) return undefined;
  const stored = { request: decoded(request), key: decoded(key), desired: decoded(desired) };
  try {
    createPrivateKey(stored.key);
    return stored;
  } catch {
    return undefined;
  }
}
