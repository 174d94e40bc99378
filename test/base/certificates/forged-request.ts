import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { contextTag } from '../../../src/base/certificates/der-reader.ts';
import {
  bitString,
  element,
  objectIdentifier,
  sequence,
  setOf,
  unsignedInteger,
  utf8String,
} from '../../../src/base/certificates/der-writer.ts';
import { oids } from '../../../src/base/certificates/object-identifiers.ts';
import { writePemBlock } from '../../../src/base/certificates/pem.ts';
import { signerOf } from '../../../src/base/certificates/signature-algorithm.ts';

/** A certificate request of which every part can be another than a client would make it. All parts are DER. */
export interface ForgedRequest {
  /** @default - a new key on P-256 */
  readonly key?: KeyObject;
  /** Entries of the subject, each an attribute or several. */
  readonly name: readonly (readonly Buffer[])[];
  /** @default - the one of the key */
  readonly publicKey?: Buffer;
  readonly extensions?: readonly Buffer[];
  /** Instead of an attribute with the extensions. */
  readonly attributes?: readonly Buffer[];
  /** @default 0 */
  readonly version?: number;
  /** @default - the one that suits the key */
  readonly algorithm?: Buffer;
  /** Makes the signature. @default - the key */
  readonly sign?: (content: Buffer) => Buffer;
}

/** One attribute of a name, in UTF-8 unless its text comes encoded. */
export function attribute(type: string, text: string | Buffer): Buffer {
  return sequence(objectIdentifier(type), typeof text === 'string' ? utf8String(text) : text);
}

export function newKey(curve: 'P-256' | 'P-384' | 'P-521' | 'P-224' | 'secp256k1' = 'P-256'): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: curve }).privateKey;
}

/** The DER of a forged request. */
export function forge({ key = newKey(), name, version = 0, ...parts }: ForgedRequest): Buffer {
  const signer = signerOf(key);
  const requested = sequence(
    objectIdentifier(oids.extensionRequest),
    setOf([sequence(...(parts.extensions ?? []))]),
  );
  const attributes = parts.attributes ?? (parts.extensions === undefined ? [] : [requested]);
  const information = sequence(
    unsignedInteger(Buffer.from([version])),
    sequence(...name.map((entry) => setOf(entry))),
    parts.publicKey ?? createPublicKey(key).export({ type: 'spki', format: 'der' }),
    element(contextTag(0, true), ...attributes),
  );
  const hash = key.asymmetricKeyType === 'ed448' ? null : 'sha256';
  const signed = parts.sign ?? signer?.sign ?? ((content: Buffer) => sign(hash, content, key));
  return sequence(
    information,
    parts.algorithm ?? signer?.algorithm ?? sequence(objectIdentifier('1.2.840.10045.4.3.2')),
    bitString(signed(information)),
  );
}

/** As a CertificateSigningRequest holds it. */
export function inBase64(der: Buffer): string {
  return Buffer.from(writePemBlock(der, 'CERTIFICATE REQUEST')).toString('base64');
}
