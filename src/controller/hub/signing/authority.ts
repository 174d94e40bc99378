import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import {
  readAuthorityCertificate,
  type AuthorityCertificate,
} from '../../../base/certificates/authority-certificate.ts';
import { MalformedDer } from '../../../base/certificates/der-reader.ts';
import { oids } from '../../../base/certificates/object-identifiers.ts';
import { signerOf, type KeySigner } from '../../../base/certificates/signature-algorithm.ts';

/** Data of a Secret of type kubernetes.io/tls that contains a certificate authority, in Base64 as in Kubernetes. */
export interface AuthoritySecret {
  readonly 'tls.crt'?: string;
  readonly 'tls.key'?: string;
}

/** A certificate authority that can sign. It is never printed: its key is behind a function. */
export interface Authority {
  readonly certificate: AuthorityCertificate;
  readonly signer: KeySigner;
  /**
   * Certificates in PEM that lead from the authority to its own issuers: intermediate ones, and, while an authority
   * is replaced, the new one as signed by the old one. Self-issued certificates prove nothing, and are left out.
   */
  readonly chain: readonly string[];
}

/** The reason why a Secret does not contain an authority that can sign now. */
export class UnfitAuthority extends Error {}

const leastRsaBits = 2048;

/**
 * Reads the authority of a Secret. The first certificate that matches the key is the authority; the others are its
 * chain.
 *
 * @param now Milliseconds since 1970.
 * @throws UnfitAuthority with a sentence for the owner of the Secret. It contains no part of the key.
 */
export function readAuthority(secret: AuthoritySecret, now: number): Authority {
  const certificates = readCertificates(decoded(secret, 'tls.crt'));
  const key = readKey(decoded(secret, 'tls.key'));
  const certificateOfKey = certificates.find((certificate) => certificate.checkPrivateKey(key));
  if (certificateOfKey === undefined)
    throw new UnfitAuthority('no certificate of its tls.crt fits its tls.key');
  const signer = signerOf(key);
  if (signer === undefined || (key.asymmetricKeyDetails?.modulusLength ?? leastRsaBits) < leastRsaBits) {
    throw new UnfitAuthority(
      `its tls.key is neither RSA with ${leastRsaBits} bits or more, nor ECDSA on P-256, P-384 or P-521, nor Ed25519`,
    );
  }
  const certificate = readOwn(certificateOfKey);
  requireFit(certificate, now);
  const leading = [certificateOfKey, ...certificates.filter((other) => other !== certificateOfKey)];
  return {
    certificate,
    signer,
    chain: leading.filter((other) => !other.checkIssued(other)).map((other) => other.toString()),
  };
}

function decoded(secret: AuthoritySecret, field: 'tls.crt' | 'tls.key'): string {
  const value = secret[field] ?? '';
  if (value === '') throw new UnfitAuthority(`it has no ${field}`);
  return Buffer.from(value, 'base64').toString('latin1');
}

function readCertificates(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new UnfitAuthority('its tls.crt is not a certificate in PEM');
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    throw new UnfitAuthority('its tls.crt has a certificate that cannot be read');
  }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // The message of OpenSSL is left out: it may quote its input.
    throw new UnfitAuthority('its tls.key is not a private key in PEM without a passphrase');
  }
}

function readOwn({ raw }: X509Certificate): AuthorityCertificate {
  try {
    return readAuthorityCertificate(raw);
  } catch (error) {
    if (!(error instanceof MalformedDer)) throw error;
    throw new UnfitAuthority(`its certificate cannot be read: ${error.message}`);
  }
}

function requireFit(certificate: AuthorityCertificate, now: number): void {
  const { isAuthority, maySignCertificates, extendedKeyUsages, notBefore, notAfter } = certificate;
  if (!isAuthority) throw new UnfitAuthority('its certificate is not that of a certificate authority');
  if (!maySignCertificates)
    throw new UnfitAuthority('the key usage of its certificate lacks certificate signing');
  if (extendedKeyUsages !== undefined && !extendedKeyUsages.some((usage) => clientUsages.has(usage))) {
    throw new UnfitAuthority('the extended key usage of its certificate lacks client auth');
  }
  if (now < notBefore) throw new UnfitAuthority(`its certificate is not valid before ${moment(notBefore)}`);
  if (now >= notAfter) throw new UnfitAuthority(`its certificate has expired at ${moment(notAfter)}`);
}

const clientUsages: ReadonlySet<string> = new Set([oids.clientAuth, oids.anyExtendedKeyUsage]);

function moment(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}
