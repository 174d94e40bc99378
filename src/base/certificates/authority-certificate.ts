import { contextTag, DerReader, MalformedDer, readBoolean, tags } from './der-reader.ts';
import { keyIdentifier } from './certificate.ts';
import { keyUsageBits, readExtendedKeyUsages, readExtensions } from './extensions.ts';
import { oids } from './object-identifiers.ts';

/** The fields of an authority's certificate that matter for the certificates that it signs. */
export interface AuthorityCertificate {
  /** Its subject in DER, which becomes the issuer of signed certificates. */
  readonly name: Buffer;
  readonly keyIdentifier: Buffer;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
  readonly isAuthority: boolean;
  readonly maySignCertificates: boolean;
  /** Dotted object identifiers; undefined if every purpose is allowed. */
  readonly extendedKeyUsages: readonly string[] | undefined;
}

/**
 * Reads the certificate of an authority (RFC 5280).
 *
 * @throws MalformedDer
 */
export function readAuthorityCertificate(der: Buffer): AuthorityCertificate {
  const fields = new DerReader(der).enter(tags.sequence).enter(tags.sequence);
  if (fields.follows(contextTag(0, true))) fields.read(contextTag(0, true)); // version
  fields.read(tags.integer); // serial number
  fields.read(tags.sequence); // signature algorithm
  fields.read(tags.sequence); // issuer
  const validity = fields.enter(tags.sequence);
  const [notBefore, notAfter] = [readTime(validity), readTime(validity)];
  const name = fields.readEncoded(tags.sequence);
  const publicKey = fields.readEncoded(tags.sequence);
  const extensions = fields.follows(contextTag(3, true))
    ? readExtensions(fields.enter(contextTag(3, true)))
    : [];
  const valueOf = (type: string): Buffer | undefined =>
    extensions.find((extension) => extension.type === type)?.value;
  const identifier = valueOf(oids.subjectKeyIdentifier);
  const usages = valueOf(oids.extendedKeyUsage);
  return {
    name,
    keyIdentifier:
      identifier === undefined ? keyIdentifier(publicKey) : new DerReader(identifier).read(tags.octetString),
    notBefore,
    notAfter,
    isAuthority: isMarkedAuthority(valueOf(oids.basicConstraints)),
    maySignCertificates: hasBit(valueOf(oids.keyUsage), keyUsageBits.keyCertSign),
    extendedKeyUsages: usages === undefined ? undefined : readExtendedKeyUsages(usages),
  };
}

function isMarkedAuthority(basicConstraints: Buffer | undefined): boolean {
  if (basicConstraints === undefined) return false;
  const fields = new DerReader(basicConstraints).enter(tags.sequence);
  return fields.follows(tags.boolean) && readBoolean(fields);
}

/** Whether the key usage has a bit. A certificate without key usage may be used for everything. */
function hasBit(keyUsage: Buffer | undefined, bit: number): boolean {
  if (keyUsage === undefined) return true;
  const [, ...octets] = new DerReader(keyUsage).read(tags.bitString);
  return ((octets[Math.floor(bit / 8)] ?? 0) & (0x80 >> (bit % 8))) !== 0;
}

const timeText = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;

/** Returns a time in milliseconds since 1970. Two digits mean a year from 1950 to 2049. */
function readTime(reader: DerReader): number {
  const isShort = reader.follows(tags.utcTime);
  const text = reader.read(isShort ? tags.utcTime : tags.generalizedTime).toString('latin1');
  const century = text.charAt(0) < '5' ? '20' : '19';
  const matched = timeText.exec(isShort ? century + text : text);
  if (matched === null) throw new MalformedDer(`${text} is not a time`);
  const [, year, month, day, hour, minute, second] = matched.map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}
