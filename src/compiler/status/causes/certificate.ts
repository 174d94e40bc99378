import { signersOf } from './token.ts';
import {
  addOnCondition,
  causeOf,
  isFalse,
  isRecent,
  type CauseRule,
  type ClusterCause,
  type Evidence,
} from '../evidence.ts';
import type { ObservedRequest } from '../observation.ts';

const rotated = 'ClusterCertificateRotated';

/** The credentials of the agent: a request that is not approved, or a certificate that ended. */
export const certificateRule: CauseRule = (evidence) => {
  const { now, observed } = evidence;
  // An agent that has a token now keeps the condition of its last certificate.
  if (observed !== undefined && signersOf(observed).length === 0) return undefined;
  const condition = addOnCondition(evidence, rotated);
  const expiry = expiryOf(condition?.message);
  const hasCertificate = condition?.status === 'True' && (expiry === undefined || expiry > now);
  const refused = addOnCondition(evidence, 'CertificateRequestsServed');
  if (isFalse(refused))
    return causeOf('request-refused', `${refused.reason}: ${refused.message}`, refused.lastTransitionTime);
  if (hasCertificate) return undefined;
  const ofRequest = requestCause(evidence);
  if (ofRequest !== undefined) return ofRequest;
  if (isFalse(condition))
    return causeOf(
      'certificate-failed',
      `${condition.reason}: ${condition.message}`,
      condition.lastTransitionTime,
    );
  if (condition !== undefined && expiry !== undefined)
    return causeOf(
      'certificate-expired',
      'the client certificate has expired, and the agent has requested no other',
      new Date(expiry).toISOString().replace(/\.\d+Z$/, 'Z'),
    );
  return undefined;
};

/** Of each signer the newest request decides: an agent sends another one if the last was not served. */
function requestCause({ details, observed, now }: Evidence): ClusterCause | undefined {
  // Requests to other signers are those of an earlier template, and earlier ones those of an earlier installation: nobody answers them.
  const installed = observed?.metadata.creationTimestamp ?? '';
  const requests = details.requests.filter(({ created }) => created >= installed);
  const signers = observed === undefined ? requests.map(({ signer }) => signer) : signersOf(observed);
  for (const signer of new Set(signers)) {
    const newest = requests.find((request) => request.signer === signer);
    const cause = newest && causeOfRequest(newest, now);
    if (cause !== undefined) return cause;
  }
  return undefined;
}

function causeOfRequest(
  { isIssued, created, signer, conditions }: ObservedRequest,
  now: number,
): ClusterCause | undefined {
  if (isIssued) return undefined;
  const denied = conditions.find(({ type }) => type === 'Denied' || type === 'Failed');
  if (denied !== undefined)
    return causeOf(
      'request-refused',
      `the request to ${signer} is ${denied.type}: ${denied.message ?? ''}`,
      created,
    );
  const isApproved = conditions.some(({ type }) => type === 'Approved');
  const message = isApproved
    ? `the request to ${signer} is approved, and no signer has issued the certificate`
    : `the request to ${signer} waits for an approval`;
  return causeOf(isRecent(created, now) ? 'request-in-progress' : 'request-pending', message, created);
}

/** Returns the end of the certificate from the message of OCM's registration agent, `… starting from A to B`, which Go printed. */
export function expiryOf(message = ''): number | undefined {
  const [, date, time] = /\bto (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)? \+0000 UTC/.exec(message) ?? [];
  return date === undefined ? undefined : Date.parse(`${date}T${time}Z`);
}
