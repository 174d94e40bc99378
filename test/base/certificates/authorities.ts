import { createPublicKey, type KeyObject } from 'node:crypto';
import { contextTag } from '../../../src/base/certificates/der-reader.ts';
import {
  bitString,
  element,
  explicit,
  namedBits,
  octetString,
  sequence,
  time,
  trueValue,
  unsignedInteger,
} from '../../../src/base/certificates/der-writer.ts';
import { keyIdentifier } from '../../../src/base/certificates/certificate.ts';
import { extension } from '../../../src/base/certificates/extensions.ts';
import { oids } from '../../../src/base/certificates/object-identifiers.ts';
import { writePemBlock } from '../../../src/base/certificates/pem.ts';
import { signerOf } from '../../../src/base/certificates/signature-algorithm.ts';
import { writeName } from '../../../src/base/certificates/subject.ts';

export interface AuthorityOptions {
  readonly name?: string;
  /** Who signs it. @default - itself */
  readonly issuer?: { readonly name: string; readonly key: KeyObject };
  /** Milliseconds since 1970. */
  readonly notBefore?: number;
  readonly notAfter?: number;
  /** @default - those of an authority */
  readonly extensions?: readonly Buffer[];
}

/** An hour ago, so that an authority is not younger than what it signs. */
const anHour = 3_600_000;
const aYear = 365 * 24 * anHour;

/** Extensions of an authority. */
export function authorityExtensions(key: KeyObject): readonly Buffer[] {
  return [
    extension(oids.basicConstraints, sequence(trueValue()), { critical: true }),
    extension(oids.keyUsage, namedBits([5, 6]), { critical: true }),
    extension(oids.subjectKeyIdentifier, octetString(keyIdentifier(spki(key)))),
  ];
}

/** The certificate of an authority in PEM. */
export function authorityCertificate(key: KeyObject, options: AuthorityOptions = {}): string {
  const { name = 'authority', issuer = { name, key }, notBefore, notAfter } = options;
  const signer = signerOf(issuer.key);
  if (signer === undefined) throw new Error('such a key does not sign');
  const now = Date.now();
  const content = sequence(
    explicit(0, unsignedInteger(Buffer.from([2]))),
    unsignedInteger(Buffer.from([1])),
    signer.algorithm,
    nameOf(issuer.name),
    sequence(time(notBefore ?? now - anHour), time(notAfter ?? now + aYear)),
    nameOf(name),
    spki(key),
    element(contextTag(3, true), sequence(...(options.extensions ?? authorityExtensions(key)))),
  );
  return writePemBlock(sequence(content, signer.algorithm, bitString(signer.sign(content))), 'CERTIFICATE');
}

/** The data of a Secret with an authority. */
export function authoritySecret(
  key: KeyObject,
  certificates = authorityCertificate(key),
  encoding: 'pkcs1' | 'sec1' | 'pkcs8' = 'pkcs8',
): { readonly 'tls.crt': string; readonly 'tls.key': string } {
  const pem = key.export({ type: encoding, format: 'pem' }).toString();
  return { 'tls.crt': base64(certificates), 'tls.key': base64(pem) };
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function spki(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}

function nameOf(commonName: string): Buffer {
  return writeName({ commonName, organizations: [], organizationalUnits: [] });
}
