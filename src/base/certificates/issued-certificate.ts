import { X509Certificate } from 'node:crypto';

/** The facts by which an audit identifies a certificate. */
export interface IssuedCertificate {
  /** Hexadecimal digits. */
  readonly serialNumber: string;
  /** SHA-256 of the certificate, in hexadecimal digits. */
  readonly fingerprint: string;
  readonly issuer: string;
  /** The format of OpenSSL, in one line. */
  readonly subject: string;
  /** `DNS:hello.example.com, …`; empty if there are none. */
  readonly alternativeNames: string;
  /** ISO 8601. */
  readonly notBefore: string;
  /** ISO 8601. */
  readonly notAfter: string;
}

/** Maximum number of characters of a certificate's text that are kept: signers may write any text. */
const longestText = 1000;
/** Maximum number of characters of PEM in Base64 that are read. */
const largest = 262_144;

/**
 * Reads the first certificate of a chain.
 *
 * @param encoded - PEM in Base64
 * @returns undefined if it cannot be read
 */
export function readIssuedCertificate(encoded: string): IssuedCertificate | undefined {
  if (encoded.length > largest) return undefined;
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
  const { serialNumber, fingerprint256, issuer, subject, subjectAltName, validFrom, validTo } = certificate;
  return {
    serialNumber: serialNumber.toLowerCase(),
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    issuer: inOneLine(issuer),
    subject: inOneLine(subject),
    alternativeNames: (subjectAltName ?? '').slice(0, longestText),
    notBefore: new Date(validFrom).toISOString(),
    notAfter: new Date(validTo).toISOString(),
  };
}

/** Joins the lines of a name: Node writes one attribute per line. */
function inOneLine(name: string): string {
  return name.replaceAll('\n', ', ').slice(0, longestText);
}
