import { createHash } from 'node:crypto';
import { contextTag } from './der-reader.ts';
import { bitString, element, explicit, octetString, sequence, time, unsignedInteger } from './der-writer.ts';
import { clientAuthentication, clientKeyUsage, dnsNames, extension } from './extensions.ts';
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

/** Signs a certificate (RFC 5280) that is valid only for TLS clients. Returns DER. */
export function signClientCertificate(certificate: ClientCertificate, issuer: Issuer): Buffer {
  const { algorithm } = issuer.signer;
  const content = sequence(
    explicit(0, unsignedInteger(Buffer.from([2]))), // version 3
    unsignedInteger(certificate.serialNumber),
    algorithm,
    issuer.name,
    sequence(time(certificate.notBefore), time(certificate.notAfter)),
    writeName(certificate.subject),
    certificate.publicKey,
    explicit(3, sequence(...extensions(certificate, issuer))),
  );
  return sequence(content, algorithm, bitString(issuer.signer.sign(content)));
}

/** Returns the key identifier of a SubjectPublicKeyInfo: SHA-256 cut to 160 bits, the first method of RFC 7093. */
export function keyIdentifier(publicKey: Buffer): Buffer {
  return createHash('sha256').update(keyBits(publicKey)).digest().subarray(0, 20);
}

function extensions(certificate: ClientCertificate, issuer: Issuer): readonly Buffer[] {
  const names = certificate.dnsNames;
  return [
    extension(oids.keyUsage, clientKeyUsage(), { critical: true }),
    extension(oids.extendedKeyUsage, clientAuthentication()),
    extension(oids.basicConstraints, sequence(), { critical: true }),
    extension(oids.subjectKeyIdentifier, octetString(keyIdentifier(certificate.publicKey))),
    extension(oids.authorityKeyIdentifier, sequence(element(contextTag(0, false), issuer.keyIdentifier))),
    ...(names.length === 0 ? [] : [extension(oids.subjectAlternativeName, dnsNames(names))]),
  ];
}
