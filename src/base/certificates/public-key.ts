import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { DerReader, readObjectIdentifier, readOctetAlignedBits, tags } from './der-reader.ts';
import { nullValue } from './der-writer.ts';
import { oids } from './object-identifiers.ts';

/** A key that gets no certificate: of another type, too weak, or too large. */
export class UnfitKey extends Error {}

/** A public key of a request. */
export interface PublicKey {
  /** SubjectPublicKeyInfo, as requested. */
  readonly encoded: Buffer;
  readonly key: KeyObject;
  /** The result of `fingerprintOfKey`: equal keys have equal fingerprints. */
  readonly fingerprint: string;
}

/** Octets of a point on a curve, uncompressed. */
const pointOctets: ReadonlyMap<string, number> = new Map([
  [oids.p256, 65],
  [oids.p384, 97],
  [oids.p521, 133],
]);

const rsaBits = { least: 2048, most: 8192 };
/** The exponents that the Go library accepts, except for small ones. */
const rsaExponents = { least: 65_537n, most: 2n ** 31n - 1n };

/** The prime of the field of Ed25519. */
const field = 2n ** 255n - 19n;
/** One of the two coordinates y of points of order 8; the other one is its negative. */
const yOfOrder8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/**
 * The coordinates y of the eight points of small order. Signatures of such a key can be forged without the private
 * key.
 */
const smallOrder: ReadonlySet<bigint> = new Set([0n, 1n, field - 1n, yOfOrder8, field - yOfOrder8]);

/**
 * Reads a SubjectPublicKeyInfo: RSA with 2048 to 8192 bits, ECDSA on P-256, P-384 or P-521, or Ed25519.
 *
 * @throws MalformedDer, UnfitKey
 */
export function readPublicKey(encoded: Buffer): PublicKey {
  requireKnownType(encoded);
  const key = decode(encoded);
  if (key.asymmetricKeyType === 'rsa') requireFitRsa(key);
  if (key.asymmetricKeyType === 'ed25519') requireFitEd25519(keyBits(encoded));
  // One key has one encoding only, so that it cannot return in another encoding.
  if (!key.export({ type: 'spki', format: 'der' }).equals(encoded)) {
    throw new UnfitKey('its public key is not valid DER');
  }
  return { encoded, key, fingerprint: fingerprintOfKey(encoded) };
}

/** Returns the SHA-256 of a SubjectPublicKeyInfo, in hexadecimal digits. */
export function fingerprintOfKey(encoded: Buffer): string {
  return createHash('sha256').update(encoded).digest('hex');
}

/** Returns the octets of a key alone. Key identifiers are digests of them. */
export function keyBits(encoded: Buffer): Buffer {
  const fields = new DerReader(encoded).enter(tags.sequence);
  fields.read(tags.sequence);
  return readOctetAlignedBits(fields);
}

function requireKnownType(encoded: Buffer): void {
  const fields = new DerReader(encoded).enter(tags.sequence);
  const algorithm = fields.enter(tags.sequence);
  const type = readObjectIdentifier(algorithm);
  if (type === oids.rsaEncryption) {
    if (!algorithm.follows(tags.null) || !algorithm.readEncoded(tags.null).equals(nullValue())) {
      throw new UnfitKey('its RSA key has parameters');
    }
  } else if (type === oids.ecPublicKey) {
    if (!algorithm.follows(tags.objectIdentifier))
      throw new UnfitKey('the curve of its ECDSA key has no name');
    const curve = readObjectIdentifier(algorithm);
    const octets = pointOctets.get(curve);
    if (octets === undefined)
      throw new UnfitKey(`its ECDSA key is on the curve ${curve}, not P-256, P-384 or P-521`);
    const point = readOctetAlignedBits(fields);
    if (point.length !== octets || point[0] !== 0x04) {
      throw new UnfitKey('its ECDSA key is not an uncompressed point');
    }
    algorithm.end();
    fields.end();
    return;
  } else if (type !== oids.ed25519) {
    throw new UnfitKey(`its key is of the type ${type}, not RSA, ECDSA or Ed25519`);
  }
  algorithm.end();
  readOctetAlignedBits(fields);
  fields.end();
}

function decode(encoded: Buffer): KeyObject {
  try {
    return createPublicKey({ key: encoded, format: 'der', type: 'spki' });
  } catch {
    throw new UnfitKey('its public key is not valid');
  }
}

function requireFitRsa({
  asymmetricKeyDetails: { modulusLength = 0, publicExponent = 0n } = {},
}: KeyObject): void {
  if (modulusLength < rsaBits.least || modulusLength > rsaBits.most) {
    throw new UnfitKey(`its RSA key has ${modulusLength} bits, not ${rsaBits.least} to ${rsaBits.most}`);
  }
  if (
    publicExponent < rsaExponents.least ||
    publicExponent > rsaExponents.most ||
    publicExponent % 2n === 0n
  ) {
    throw new UnfitKey('its RSA key has an unusual public exponent');
  }
}

/** Rejects weak and invalid points: OpenSSL decodes any 32 octets. */
function requireFitEd25519(octets: Buffer): void {
  const number = BigInt(`0x${Buffer.from(octets.toReversed()).toString('hex')}`);
  // The highest bit is the sign of the other coordinate.
  const y = BigInt.asUintN(255, number);
  if (y >= field) throw new UnfitKey('its Ed25519 key is not in its canonical form');
  if (smallOrder.has(y)) throw new UnfitKey('its Ed25519 key is one that anyone can sign for');
}
