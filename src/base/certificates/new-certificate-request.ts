import { createPublicKey, type KeyObject } from 'node:crypto';
import { contextTag } from './der-reader.ts';
import { bitString, element, objectIdentifier, sequence, setOf, unsignedInteger } from './der-writer.ts';
import { dnsNames, extension } from './extensions.ts';
import { oids } from './object-identifiers.ts';
import { writePemBlock } from './pem.ts';
import { signerOf } from './signature-algorithm.ts';
import { writeName, type Subject } from './subject.ts';

/** The content of a new request. */
export interface RequestContent {
  readonly subject: Subject;
  /** Alternative names. @default none */
  readonly dnsNames?: readonly string[];
}

/**
 * Returns a certificate request in PEM, `CERTIFICATE REQUEST`, as a CertificateSigningRequest contains it in Base64.
 *
 * @param privateKey RSA, ECDSA on P-256, P-384 or P-521, or Ed25519. It signs the request and is not sent.
 * @throws Error for a key of another type.
 */
export function newCertificateRequest(
  privateKey: KeyObject,
  { subject, dnsNames: names = [] }: RequestContent,
): string {
  const signer = signerOf(privateKey);
  if (signer === undefined)
    throw new Error('the key is neither RSA, nor ECDSA on P-256, P-384 or P-521, nor Ed25519');
  const extensions =
    names.length === 0
      ? []
      : [
          sequence(
            objectIdentifier(oids.extensionRequest),
            setOf([sequence(extension(oids.subjectAlternativeName, dnsNames(names)))]),
          ),
        ];
  const information = sequence(
    unsignedInteger(Buffer.from([0])),
    writeName(subject),
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    element(contextTag(0, true), ...extensions),
  );
  const request = sequence(information, signer.algorithm, bitString(signer.sign(information)));
  return writePemBlock(request, 'CERTIFICATE REQUEST');
}
