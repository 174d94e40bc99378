import { createCipheriv, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { hashSync } from 'bcryptjs';
import {
  byteLength,
  bytesOf,
  FunctionError,
  goFunction,
  Integer,
  UnsupportedFunctionError,
  type Call,
  type GoFunction,
  type Sample,
  type Value,
} from '../../gotemplate/index.ts';
import { certificate } from './certificates/certificate.ts';
import { newCertificates } from './certificates/new-certificate.ts';
import { newPrivateKey, privateKeyTypes } from './certificates/new-private-key.ts';
import { checkLength, intArgument } from './conversion.ts';
import {
  digitsOnly,
  hexadecimals,
  isFixed,
  lettersAndDigits,
  lettersOnly,
  sampleBytes,
  sampleNumber,
  sampleOrder,
  samplePem,
  sampleText,
  type CharacterClasses,
  type FixedSample,
} from './sample-texts.ts';

const reason = 'its result is random, so that the same input would render differently each time';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));

/** Functions with a random result. With a fixed sample, what is not random in their results is as in a random one, such as the length. */
export const chanceFunctions: Readonly<Record<string, GoFunction>> = {
  randAlphaNum: randomText(letters + digits, lettersAndDigits),
  randAlpha: randomText(letters, lettersOnly),
  randAscii: randomText(printable, lettersAndDigits),
  randNumeric: randomText(digits, digitsOnly),
  randBytes: sampled('int -> string', ([count], sample, call) => {
    const length = intArgument(count);
    if (length < 0) throw new FunctionError('runtime error: makeslice: len out of range');
    checkLength(length);
    call.spend(length / 4);
    if (isFixed(sample)) return sampleBytes(sample, length);
    return randomBytes(length).toString('base64');
  }),
  randInt: sampled('int, int -> int', ([least, limit], sample) =>
    integerBetween(intArgument(least), intArgument(limit), sample),
  ),
  shuffle: sampled('string -> string', ([text], sample, call) => {
    const all = Array.from(text as string);
    call.spend(all.length);
    return (isFixed(sample) ? sampleOrder(sample, all) : shuffled(all)).join('');
  }),
  uuidv4: sampled(' -> string', (_, sample) => (isFixed(sample) ? sampleUuid(sample) : randomUUID())),
  bcrypt: sampled('string -> string', ([text], sample, call) => hash(text as string, sample, call)),
  htpasswd: sampled('string, string -> string', ([user, password], sample, call) =>
    (user as string).includes(':')
      ? `invalid username: ${user as string}`
      : `${user as string}:${hash(password as string, sample, call)}`,
  ),
  genPrivateKey: sampled('string -> string', ([type], sample, call) => {
    const known = privateKeyTypes.get(type as string);
    if (known === undefined) return `Unknown type ${type as string}`;
    return isFixed(sample) ? samplePem(known.label, sample) : newPrivateKey(known, call);
  }),
  ...Object.fromEntries(
    newCertificates.map(({ name, parameters, make }) => [
      name,
      sampled(`${parameters} -> sprig.certificate`, (args, sample, call) =>
        isFixed(sample)
          ? certificate(samplePem('CERTIFICATE', sample), samplePem('RSA PRIVATE KEY', sample))
          : make(args, call),
      ),
    ]),
  ),
  encryptAES: sampled('string, string -> string', ([password, text], sample) => {
    if (text === '') return '';
    const length = byteLength(text as string);
    return isFixed(sample)
      ? sampleBytes(sample, blockOfAes + length + blockOfAes - (length % blockOfAes))
      : encrypted(password as string, text as string);
  }),
};

function sampled(
  signature: string,
  result: (args: readonly Value[], sample: Sample, call: Call) => Value,
): GoFunction {
  return goFunction(signature, (args, call) => {
    if (call.sample === undefined) throw new UnsupportedFunctionError(`not supported: ${reason}`);
    return result(args, call.sample, call);
  });
}

/** A function that returns a text of random characters. As sprig, it returns none instead of a negative number of them. */
function randomText(alphabet: string, classes: CharacterClasses): GoFunction {
  return sampled('int -> string', ([count], sample, call) => {
    const length = Math.max(0, intArgument(count));
    checkLength(length);
    call.spend(length / 4);
    return isFixed(sample) ? sampleText(sample, classes, length) : randomCharacters(alphabet, length);
  });
}

/** Returns characters of an alphabet, all equally likely. */
function randomCharacters(alphabet: string, length: number): string {
  // Larger bytes would make the first characters more likely.
  const limit = 256 - (256 % alphabet.length);
  const characters: string[] = [];
  while (characters.length < length)
    for (const byte of randomBytes(length - characters.length))
      if (byte < limit) characters.push(alphabet.charAt(byte % alphabet.length));
  return characters.join('');
}

function integerBetween(least: number, limit: number, sample: Sample): Integer {
  if (limit <= least) throw new FunctionError('invalid argument to Intn');
  const range = limit - least;
  const offset = isFixed(sample) ? sampleNumber(sample, range - 1) : randomBelow(range);
  return new Integer(BigInt(least + offset));
}

/** The maximum range of `randomInt`. */
const mostOfNode = 2 ** 48 - 1;

function randomBelow(limit: number): number {
  if (limit > mostOfNode)
    throw new FunctionError(`not supported: a range of more than ${mostOfNode} numbers`);
  return randomInt(limit);
}

function shuffled(letters: readonly string[]): readonly string[] {
  const mixed = [...letters];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [mixed[last], mixed[other]] = [mixed[other] ?? '', mixed[last] ?? ''];
  }
  return mixed;
}

function sampleUuid(sample: FixedSample): string {
  const digit = sampleText(sample, hexadecimals, 1);
  const variant = sample.kind === 'first' ? 'a' : '9';
  const [four, three] = [digit.repeat(4), digit.repeat(3)];
  return `${four}${four}-${four}-4${three}-${variant}${three}-${four}${four}${four}`;
}

/** Bytes of a password that bcrypt can hash. */
const longestPassword = 72;
/** Characters of the salt and the digest of a hash. */
const hashLength = 53;
/** The steps of a hash. */
const hashSteps = 200_000;

/** As bcrypt.GenerateFromPassword writes a hash, with its default cost. */
function hash(password: string, sample: Sample, call: Call): string {
  if (byteLength(password) > longestPassword)
    return 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes';
  if (isFixed(sample)) return `$2a$10$${sampleText(sample, lettersAndDigits, hashLength)}`;
  call.spend(hashSteps);
  // The algorithms 2a and 2b are the same for these lengths, and Go names the first one.
  return hashSync(password, 10).replace(/^\$2b\$/, '$2a$');
}

/** Bytes of a block of AES, and of the initial vector. */
const blockOfAes = 16;

/** AES-256 in CBC mode, with the first bytes of the password as the key and the initial vector in front. */
function encrypted(password: string, text: string): string {
  const key = Buffer.alloc(32);
  key.set(bytesOf(password).subarray(0, key.length));
  const vector = randomBytes(blockOfAes);
  const cipher = createCipheriv('aes-256-cbc', key, vector);
  return Buffer.concat([vector, cipher.update(bytesOf(text)), cipher.final()]).toString('base64');
}
