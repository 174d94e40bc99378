import { createDecipheriv, createHmac, createPrivateKey, scryptSync, X509Certificate } from 'node:crypto';
import {
  bytesOf,
  FunctionError,
  GoObject,
  goFunction,
  textOf,
  UnsupportedFunctionError,
  type GoFunction,
  type Integer,
  type Value,
} from '../../gotemplate/index.ts';
import { decodeBase64 } from './encodings.ts';

/** The steps that count for one key of scrypt, which needs about 0.1 s and 32 MB. */
const scryptSteps = 1_000_000;

/** Functions that decrypt, derive and check keys. */
export const encryptionFunctions: Readonly<Record<string, GoFunction>> = {
  decryptAES: goFunction('string, string -> string', ([password, text]) =>
    decrypt(password as string, text as string),
  ),
  derivePassword: goFunction('uint32, string, string, string, string -> string', (args, call) => {
    const [counter, ...texts] = args as [Integer, ...string[]];
    const [type = '', password = '', user = '', site = ''] = texts;
    const templates = passwordTemplates.get(type);
    if (templates === undefined) return `cannot find password template ${type}`;
    call.spend(scryptSteps);
    return derivedPassword(templates, { counter: Number(counter.value), password, user, site });
  }),
  buildCustomCert: goFunction('string, string -> sprig.certificate', ([cert, key]) =>
    customCertificate(cert as string, key as string),
  ),
};

function outOfRange(detail: string): FunctionError {
  return new FunctionError(`runtime error: ${detail}`);
}

/** AES-256 in CBC mode: the initialization vector, then the text with its padding. */
function decrypt(password: string, text: string): string {
  if (text === '') return '';
  const key = Buffer.alloc(32);
  Buffer.from(bytesOf(password)).copy(key);
  const bytes = decodeBase64(text);
  if (bytes instanceof FunctionError) throw bytes;
  const capacity = Math.floor(bytesOf(text).length / 4) * 3;
  if (capacity < 16) throw outOfRange(`slice bounds out of range [:16] with capacity ${String(capacity)}`);
  if (bytes.length < 16) throw outOfRange(`slice bounds out of range [16:${String(bytes.length)}]`);
  if (bytes.length % 16 !== 0) throw new FunctionError('crypto/cipher: input not full blocks');
  if (bytes.length === 16) throw outOfRange('index out of range [-1]');
  const decipher = createDecipheriv('aes-256-cbc', key, bytes.subarray(0, 16)).setAutoPadding(false);
  const decrypted = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]);
  const length = decrypted.length - (decrypted.at(-1) ?? 0);
  if (length < 0) throw outOfRange(`slice bounds out of range [:${String(length)}]`);
  return textOf(decrypted.subarray(0, length));
}

/** The kinds of characters of a password of each type. As the Master Password algorithm defines them. */
const passwordTemplates: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    maximum: ['anoxxxxxxxxxxxxxxxxx', 'axxxxxxxxxxxxxxxxxno'],
    long: (
      'CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv ' +
      'CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv ' +
      'CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno'
    ).split(' '),
    medium: ['CvcnoCvc', 'CvcCvcno'],
    short: ['Cvcn'],
    basic: ['aaanaaan', 'aannaaan', 'aaannaaa'],
    pin: ['nnnn'],
  }),
);

const consonants = 'bcdfghjklmnpqrstvwxyz';
const letters = `AEIOUaeiou${consonants.toUpperCase()}${consonants}`;
const passwordCharacters: Readonly<Record<string, string>> = {
  V: 'AEIOU',
  C: consonants.toUpperCase(),
  v: 'aeiou',
  c: consonants,
  a: letters,
  n: '0123456789',
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: `${letters}0123456789!@#$%^&*()`,
};

interface PasswordRequest {
  readonly counter: number;
  readonly password: string;
  readonly user: string;
  readonly site: string;
}

function derivedPassword(
  templates: readonly string[],
  { counter, password, user, site }: PasswordRequest,
): string {
  const salt = seeded(user);
  const key = scryptSync(bytesOf(password), salt, 64, { N: 32768, r: 8, p: 2, maxmem: 128 * 1024 * 1024 });
  const seed = createHmac('sha256', key).update(seeded(site)).update(bigEndian(counter)).digest();
  const template = templates[(seed[0] ?? 0) % templates.length] ?? '';
  return Array.from(template, (kind, index) => {
    const characters = passwordCharacters[kind] ?? '';
    return characters.charAt((seed[index + 1] ?? 0) % characters.length);
  }).join('');
}

function seeded(text: string): Buffer {
  const bytes = bytesOf(text);
  return Buffer.concat([Buffer.from('com.lyndir.masterpassword'), bigEndian(bytes.length), bytes]);
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function customCertificate(cert64: string, key64: string): GoObject {
  const cert = decodeBase64(cert64);
  if (cert instanceof FunctionError) throw new FunctionError('unable to decode base64 certificate');
  const key = decodeBase64(key64);
  if (key instanceof FunctionError) throw new FunctionError('unable to decode base64 private key');
  const block = pemBlock(textOf(cert));
  if (block === undefined) throw new FunctionError('unable to decode certificate');
  try {
    new X509Certificate(block.bytes);
  } catch {
    throw new FunctionError('error parsing certificate: decodedCert.Bytes: x509: malformed certificate');
  }
  checkPrivateKey(textOf(key));
  const fields = new Map<string, Value>([
    ['Cert', textOf(cert)],
    ['Key', textOf(key)],
  ]);
  return new GoObject('sprig.certificate', { fields });
}

/** Returns the first block of a PEM text. */
function pemBlock(text: string): { readonly type: string; readonly bytes: Buffer } | undefined {
  const match = /^-----BEGIN ([^\n]*?)-----[ \t\r]*\n([A-Za-z0-9+/=\s]*?)-----END \1-----[ \t\r]*$/m.exec(
    text,
  );
  if (match === null) return undefined;
  return { type: match[1] ?? '', bytes: Buffer.from(match[2] ?? '', 'base64') };
}

const keyFormats: Readonly<
  Record<string, { readonly type: 'pkcs1' | 'pkcs8' | 'sec1'; readonly problem: string }>
> = {
  'PRIVATE KEY': { type: 'pkcs8', problem: 'decoding PEM as PKCS#8' },
  'RSA PRIVATE KEY': { type: 'pkcs1', problem: 'parsing RSA private key from PEM' },
  'EC PRIVATE KEY': { type: 'sec1', problem: 'parsing EC private key from PEM' },
};

/** @throws {FunctionError} for a text that is no private key */
function checkPrivateKey(text: string): void {
  const invalid = (problem: string): FunctionError =>
    new FunctionError(`error parsing private key: ${problem}`);
  const block = pemBlock(text);
  if (block === undefined) throw invalid('no PEM data in input');
  if (block.type !== 'PRIVATE KEY' && !block.type.endsWith(' PRIVATE KEY'))
    throw invalid(`no private key data in PEM block of type ${block.type}`);
  if (block.type === 'DSA PRIVATE KEY')
    throw new UnsupportedFunctionError('not supported: Node does not read private keys of DSA');
  const format = keyFormats[block.type];
  if (format === undefined)
    throw invalid(`invalid private key type ${block.type.slice(0, -' PRIVATE KEY'.length)}`);
  try {
    createPrivateKey({ key: block.bytes, format: 'der', type: format.type });
  } catch {
    throw invalid(`${format.problem}: malformed key`);
  }
}
