import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import type { Subject } from '../../../base/certificates/subject.ts';
import { timestamp } from '../../../client/clock.ts';

/** A certificate and its key, both in PEM. */
export interface Credential {
  readonly certificate: string;
  readonly key: string;
}

/** The state of a stored certificate. */
export type CertificateState =
  /** When to request the next one, and when it expires; milliseconds since the epoch. */
  { readonly renewAt: number; readonly notAfter: number } | { readonly unusable: string };

/** The remaining share of the lifetime at which OCM's agent renews: a random share between `least` and `most`. */
const renewal = { least: 0.2, most: 0.25 };

/**
 * Checks a credential: whether its key matches the certificate, whether the certificate is for this subject, and
 * until when it is valid.
 */
export function certificateState(
  { certificate, key }: Credential,
  subject: Subject,
  now: number,
): CertificateState {
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(certificate);
    if (!parsed.checkPrivateKey(createPrivateKey(key))) return { unusable: 'it has another key' };
  } catch {
    return { unusable: 'it cannot be read' };
  }
  const [notBefore, notAfter] = [Date.parse(parsed.validFrom), Date.parse(parsed.validTo)];
  if (now >= notAfter) {
    // For a certificate that was just signed, this means that the clocks differ.
    const unusable = `it expired at ${timestamp(notAfter)}, and the local time is ${timestamp(now)}`;
    return { unusable };
  }
  const other = otherSubject(parsed, subject);
  if (other !== undefined) return { unusable: other };
  // Derived from the certificate: the same after a restart, and different on each cluster.
  const fraction = createHash('sha256').update(parsed.raw).digest().readUInt32BE() / 2 ** 32;
  const share = renewal.least + (renewal.most - renewal.least) * fraction;
  return { renewAt: notAfter - (notAfter - notBefore) * share, notAfter };
}

/** As in OCM: the common name as it is, organizations and units as sets. */
function otherSubject({ subject }: X509Certificate, desired: Subject): string | undefined {
  const attributes = attributesOf(subject);
  const values = (type: string): string[] =>
    attributes.flatMap((attribute) => (attribute.type === type ? [attribute.value] : []));
  if (values('CN').join('\n') !== desired.commonName) return 'it is for another user';
  if (!isSameSet(values('O'), desired.organizations)) return 'it is for other groups';
  return isSameSet(values('OU'), desired.organizationalUnits) ? undefined : 'it is for other units';
}

/**
 * Returns the attributes of a subject as Node writes it: one entry per line. Attributes of one entry, such as the
 * groups of a user, are separated by ` + `. Special characters in a value, including `+`, have a backslash before
 * them; control characters are two digits.
 */
function attributesOf(subject: string): readonly { readonly type: string; readonly value: string }[] {
  return subject.split(/\n| \+ /).map((attribute) => {
    const equals = attribute.indexOf('=');
    const value = attribute
      .slice(equals + 1)
      .replaceAll(/\\(?:([0-9A-F]{2})|(.))/g, (_, digits: string | undefined, special: string) =>
        digits === undefined ? special : String.fromCharCode(Number.parseInt(digits, 16)),
      );
    return { type: attribute.slice(0, equals), value };
  });
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [new Set(one), new Set(other)];
  return left.size === right.size && [...left].every((value) => right.has(value));
}
