import { sign, verify, type KeyObject } from 'node:crypto';
import { type DerReader, readObjectIdentifier, tags } from './der-reader.ts';
import { nullValue, objectIdentifier, sequence } from './der-writer.ts';
import { oids } from './object-identifiers.ts';

/** A signature algorithm that is still considered safe: no MD5, no SHA-1. */
interface SignatureAlgorithm {
  readonly oid: string;
  /** The type of the key in node:crypto. */
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  /** The digest, or null if the algorithm includes one. */
  readonly hash: 'sha256' | 'sha384' | 'sha512' | null;
}

const algorithms: readonly SignatureAlgorithm[] = [
  { oid: '1.2.840.113549.1.1.11', keyType: 'rsa', hash: 'sha256' },
  { oid: '1.2.840.113549.1.1.12', keyType: 'rsa', hash: 'sha384' },
  { oid: '1.2.840.113549.1.1.13', keyType: 'rsa', hash: 'sha512' },
  { oid: '1.2.840.10045.4.3.2', keyType: 'ec', hash: 'sha256' },
  { oid: '1.2.840.10045.4.3.3', keyType: 'ec', hash: 'sha384' },
  { oid: '1.2.840.10045.4.3.4', keyType: 'ec', hash: 'sha512' },
  { oid: oids.ed25519, keyType: 'ed25519', hash: null },
];

/** Digests by the size of the curve, as RFC 5758 pairs them. */
const hashOfCurve: ReadonlyMap<string | undefined, 'sha256' | 'sha384' | 'sha512'> = new Map([
  ['prime256v1', 'sha256'],
  ['secp384r1', 'sha384'],
  ['secp521r1', 'sha512'],
]);

/** The signing function for a key: the algorithm as a certificate names it, and the signing itself. */
export interface KeySigner {
  /** AlgorithmIdentifier. */
  readonly algorithm: Buffer;
  readonly sign: (content: Buffer) => Buffer;
}

/**
 * Returns the signer of a private key; undefined for keys of other types than RSA, ECDSA on NIST's curves, and
 * Ed25519.
 */
export function signerOf(privateKey: KeyObject): KeySigner | undefined {
  const { asymmetricKeyType: keyType, asymmetricKeyDetails: details } = privateKey;
  const hash = keyType === 'ec' ? hashOfCurve.get(details?.namedCurve) : keyType === 'rsa' ? 'sha256' : null;
  const algorithm = algorithms.find((candidate) => candidate.keyType === keyType && candidate.hash === hash);
  if (algorithm === undefined) return undefined;
  const parameters = algorithm.keyType === 'rsa' ? [nullValue()] : [];
  return {
    algorithm: sequence(objectIdentifier(algorithm.oid), ...parameters),
    sign: (content) => sign(algorithm.hash, content, privateKey),
  };
}

/** The content of an AlgorithmIdentifier: how a signature is made. */
export interface NamedAlgorithm {
  /** Dotted object identifier. */
  readonly oid: string;
  /** Parameters as they are written; undefined if there are none. */
  readonly parameters: Buffer | undefined;
}

export function readAlgorithm(reader: DerReader): NamedAlgorithm {
  const fields = reader.enter(tags.sequence);
  const oid = readObjectIdentifier(fields);
  const { nextTag } = fields;
  const parameters = nextTag === undefined ? undefined : fields.readEncoded(nextTag);
  fields.end();
  return { oid, parameters };
}

/**
 * Returns whether a signature is by the key, in an algorithm that is safe and fits the key. The signature is verified in the
 * thread pool: for the largest keys that takes milliseconds.
 */
export async function isSignedBy(
  publicKey: KeyObject,
  { oid, parameters }: NamedAlgorithm,
  content: Buffer,
  signature: Buffer,
): Promise<boolean> {
  const algorithm = algorithms.find((candidate) => candidate.oid === oid);
  if (algorithm === undefined || algorithm.keyType !== publicKey.asymmetricKeyType) return false;
  const expected = algorithm.keyType === 'rsa' ? nullValue() : undefined;
  if ((parameters === undefined) !== (expected === undefined)) return false;
  if (parameters !== undefined && expected?.equals(parameters) !== true) return false;
  try {
    return await verifyInPool(algorithm.hash, content, publicKey, signature);
  } catch {
    // OpenSSL throws for some malformed signatures instead of returning false.
    return false;
  }
}

async function verifyInPool(
  hash: SignatureAlgorithm['hash'],
  content: Buffer,
  publicKey: KeyObject,
  signature: Buffer,
): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    verify(hash, content, publicKey, signature, (error, isValid) => {
      if (error === null) resolve(isValid);
      else reject(error);
    });
  });
}
