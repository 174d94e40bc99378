import { createHash } from 'node:crypto';
import { contextTag } from './der-reader.ts';
import {
  bitString,
  element,
  explicit,
  octetString,
  sequence,
  time,
  trueValue,
  unsignedInteger,
} from './der-writer.ts';
import {
  alternativeNames,
  clientAuthentication,
  clientKeyUsage,
  dnsNames,
  extension,
  tlsAuthentication,
  tlsKeyUsage,
} from './extensions.ts';
import { oids } from './object-identifiers.ts';
import { keyBits } from './public-key.ts';
import type { KeySigner } from './signature-algorithm.ts';
import { writeName, type Subject } from './subject.ts';

/** The content of a certificate, without its issuer. */
export interface ClientCertificate {
  readonly subject: Subject;
  readonly dnsNames: readonly string[];
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
  /** Octets of the serial number, at most 20. Its value is positive. */
  readonly serialNumber: Buffer;
  /** Milliseconds since 1970, counted in whole seconds. */
  readonly notBefore: number;
  /** Milliseconds since 1970, counted in whole seconds. */
  readonly notAfter: number;
}

/** The issuer of a certificate. */
export interface Issuer {
  /** The authority's name, in DER, as in its own certificate. */
  readonly name: Buffer;
  /** The authority's subject key identifier. */
  readonly keyIdentifier: Buffer;
  readonly signer: KeySigner;
}

/** A certificate of a TLS server and client, or of an authority of them, as sprig's functions make it. */
export interface TlsCertificate extends ClientCertificate {
  /** The octets of each address: 4 or 16. */
  readonly ipAddresses: readonly Buffer[];
  readonly isAuthority: boolean;
}

/** Signs a certificate (RFC 5280) that is valid only for TLS clients. Returns DER. */
export function signClientCertificate(certificate: ClientCertificate, issuer: Issuer): Buffer {
  const names = certificate.dnsNames;
  return signed(certificate, issuer, [
    extension(oids.keyUsage, clientKeyUsage(), { critical: true }),
    extension(oids.extendedKeyUsage, clientAuthentication()),
    extension(oids.basicConstraints, sequence(), { critical: true }),
    ...keyIdentifiers(certificate, issuer),
    ...(names.length === 0 ? [] : [extension(oids.subjectAlternativeName, dnsNames(names))]),
  ]);
}

/**
 * Signs a certificate for TLS servers and clients, or for an authority. Returns DER. As x509.CreateCertificate of Go: only an authority has a
 * subject key identifier. Only a certificate that another key signed has that of its authority, also if both have one name, with which
 * OpenSSL would otherwise take it for its own issuer.
 */
export function signTlsCertificate(certificate: TlsCertificate, issuer: Issuer): Buffer {
  const { isAuthority, ipAddresses, dnsNames: names, publicKey, subject } = certificate;
  const own = keyIdentifier(publicKey);
  return signed(certificate, issuer, [
    extension(oids.keyUsage, tlsKeyUsage(isAuthority), { critical: true }),
    extension(oids.extendedKeyUsage, tlsAuthentication()),
    extension(oids.basicConstraints, sequence(...(isAuthority ? [trueValue()] : [])), { critical: true }),
    ...(isAuthority ? [subjectKeyIdentifier(own)] : []),
    ...(own.equals(issuer.keyIdentifier) ? [] : [authorityKeyIdentifier(issuer)]),
    ...(names.length + ipAddresses.length === 0
      ? []
      : [
          extension(oids.subjectAlternativeName, alternativeNames(names, ipAddresses), {
            // RFC 5280, section 4.2.1.6: if the subject is empty
            critical: subject.commonName === '',
          }),
        ]),
  ]);
}

function signed(certificate: ClientCertificate, issuer: Issuer, extensions: readonly Buffer[]): Buffer {
  const { algorithm } = issuer.signer;
  const content = sequence(
    explicit(0, unsignedInteger(Buffer.from([2]))), // version 3
    unsignedInteger(certificate.serialNumber),
    algorithm,
    issuer.name,
    sequence(time(certificate.notBefore), time(certificate.notAfter)),
    writeName(certificate.subject),
    certificate.publicKey,
    explicit(3, sequence(...extensions)),
  );
  return sequence(content, algorithm, bitString(issuer.signer.sign(content)));
}

/** Returns the key identifier of a SubjectPublicKeyInfo: SHA-256 cut to 160 bits, the first method of RFC 7093. */
export function keyIdentifier(publicKey: Buffer): Buffer {
  return createHash('sha256').update(keyBits(publicKey)).digest().subarray(0, 20);
}

function keyIdentifiers({ publicKey }: ClientCertificate, issuer: Issuer): readonly Buffer[] {
  return [subjectKeyIdentifier(keyIdentifier(publicKey)), authorityKeyIdentifier(issuer)];
}

function subjectKeyIdentifier(identifier: Buffer): Buffer {
  return extension(oids.subjectKeyIdentifier, octetString(identifier));
}

function authorityKeyIdentifier(issuer: Issuer): Buffer {
  return extension(
    oids.authorityKeyIdentifier,
    sequence(element(contextTag(0, false), issuer.keyIdentifier)),
  );
}
