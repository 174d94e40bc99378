import { hasCertificates } from './token.ts';
import { addOnCondition, causeOf, isFalse, isRecent, type CauseRule, type Evidence } from '../evidence.ts';

const rotated = 'ClusterCertificateRotated';

/** The credentials of the agent: a request that is not approved, or a certificate that ended. */
export const certificateRule: CauseRule = (evidence) => {
  const { now, observed } = evidence;
  // An agent that has a token now keeps the condition of its last certificate.
  if (observed !== undefined && !hasCertificates(observed)) return undefined;
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

/** The newest request decides: an agent sends another one if the last was not served. */
function requestCause({ details, now }: Evidence) {
  const [request] = details.requests;
  if (request === undefined || request.isIssued) return undefined;
  const { created, signer, conditions } = request;
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
