import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { DerReader, readOctetAlignedBits, tags } from '../../../../base/certificates/der-reader.ts';
import { sequence, unsignedInteger } from '../../../../base/certificates/der-writer.ts';
import { writePemBlock } from '../../../../base/certificates/pem.ts';
import type { Call } from '../../../gotemplate/index.ts';

/** A type of private keys that genPrivateKey of sprig makes. */
interface PrivateKeyType {
  /** Of the PEM block. */
  readonly label: string;
  /** What a key costs, in steps of templates. */
  readonly steps: number;
  readonly text: () => string;
}

const rsa: PrivateKeyType = {
  label: 'RSA PRIVATE KEY',
  steps: 1_500_000,
  text: () => keyText(rsaKey(4096)),
};

/** The types of private keys by the argument of genPrivateKey. */
export const privateKeyTypes: ReadonlyMap<string, PrivateKeyType> = new Map<string, PrivateKeyType>([
  ['', rsa],
  ['rsa', rsa],
  ['dsa', { label: 'DSA PRIVATE KEY', steps: 1_500_000, text: dsaKeyText }],
  [
    'ecdsa',
    {
      label: 'EC PRIVATE KEY',
      steps: 2000,
      text: () => keyText(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    },
  ],
  [
    'ed25519',
    { label: 'PRIVATE KEY', steps: 2000, text: () => keyText(generateKeyPairSync('ed25519').privateKey) },
  ],
]);

/** Returns a new private key as PEM. As generatePrivateKey of sprig. */
export function newPrivateKey({ steps, text }: PrivateKeyType, call: Call): string {
  call.spend(steps);
  return text();
}

/** What an RSA key of 2,048 bits costs, in steps of templates. */
const rsaSteps = 400_000;

/** Returns a new key for a certificate. */
export function newRsaKey(call: Call): KeyObject {
  call.spend(rsaSteps);
  return rsaKey(2048);
}

function rsaKey(modulusLength: number): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength }).privateKey;
}

/** As pemBlockForKey of sprig: PKCS #1 for RSA, SEC 1 for curves, PKCS #8 for other keys. */
export function keyText(key: KeyObject): string {
  const type = key.asymmetricKeyType === 'rsa' ? 'pkcs1' : key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs8';
  return key.export({ type, format: 'pem' }) as string;
}

/** As DSAKeyFormat of sprig: a version, the parameters, the public and the private number. */
function dsaKeyText(): string {
  const { privateKey, publicKey } = generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 });
  const ofPrivate = new DerReader(privateKey.export({ type: 'pkcs8', format: 'der' })).enter(tags.sequence);
  ofPrivate.read(tags.integer); // version
  const algorithm = ofPrivate.enter(tags.sequence);
  algorithm.read(tags.objectIdentifier);
  const parameters = algorithm.enter(tags.sequence);
  const numbers = [0, 1, 2].map(() => parameters.readEncoded(tags.integer));
  const ofPublic = new DerReader(publicKey.export({ type: 'spki', format: 'der' })).enter(tags.sequence);
  ofPublic.read(tags.sequence); // algorithm
  return writePemBlock(
    sequence(
      unsignedInteger(Buffer.from([0])),
      ...numbers,
      readOctetAlignedBits(ofPublic),
      ofPrivate.read(tags.octetString),
    ),
    'DSA PRIVATE KEY',
  );
}
