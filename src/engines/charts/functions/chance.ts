import { createCipheriv, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { hashSync } from 'bcryptjs';
import {
  FunctionError,
  goFunction,
  Integer,
  UnsupportedFunctionError,
  type GoFunction,
  type Sample,
  type Value,
} from '../../gotemplate/index.ts';
import { certificate } from './certificates/certificate.ts';
import { newCertificates, newPrivateKey } from './certificates/new-certificate.ts';
import { intArgument, repeated } from './conversion.ts';

const random = 'its result is random, so that the same input would render differently each time';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));

/** Functions with a random result. With a sample, they return one of two results, which shows the parts of the output that depend on them. */
export const chanceFunctions: Readonly<Record<string, GoFunction>> = {
  randAlphaNum: randomText(letters + digits, 'aA1', 'bB2'),
  randAlpha: randomText(letters, 'aA1', 'bB2'),
  randAscii: randomText(printable, 'aA1', 'bB2'),
  randNumeric: randomText(digits, '1', '2'),
  randBytes: sampled('int -> string', ([count], sample) => {
    if (sample === 'random') return randomBytes(lengthOf(count)).toString('base64');
    return Buffer.from(characters(count, either(sample, 'a', 'b'))).toString('base64');
  }),
  randInt: sampled('int, int -> int', ([least, limit], sample) =>
    integerBetween(intArgument(least), intArgument(limit), sample),
  ),
  shuffle: sampled('string -> string', ([text], sample) => shuffled(Array.from(text as string), sample)),
  uuidv4: sampled(' -> string', (_, sample) =>
    sample === 'random' ? randomUUID() : `${either(sample, 'a', 'b').repeat(8)}-0000-4000-8000-000000000000`,
  ),
  bcrypt: sampled('string -> string', ([text], sample) => hash(text as string, sample)),
  htpasswd: sampled('string, string -> string', ([user, password], sample) =>
    passwordLine(user as string, password as string, sample),
  ),
  genPrivateKey: sampled('string -> string', ([type], sample) =>
    sample === 'random' ? newPrivateKey(type as string) : pem('RSA PRIVATE KEY', sample),
  ),
  ...Object.fromEntries(
    Object.entries(newCertificates).map(([name, make]) => [
      name,
      sampled('...any -> sprig.certificate', (args, sample) =>
        sample === 'random'
          ? make(args)
          : certificate(pem('CERTIFICATE', sample), pem('RSA PRIVATE KEY', sample)),
      ),
    ]),
  ),
  encryptAES: sampled('string, string -> string', ([password, text], sample) =>
    sample === 'random'
      ? encrypted(password as string, text as string)
      : Buffer.from(either(sample, 'a', 'b').repeat(32)).toString('base64'),
  ),
};

function sampled(signature: string, result: (args: readonly Value[], sample: Sample) => Value): GoFunction {
  return goFunction(signature, (args, { sample }) => {
    if (sample === undefined) throw new UnsupportedFunctionError(`not supported: ${random}`);
    return result(args, sample);
  });
}

/** A function that returns a text of random characters. */
function randomText(alphabet: string, first: string, second: string): GoFunction {
  return sampled('int -> string', ([count], sample) => {
    if (sample !== 'random') return characters(count, either(sample, first, second));
    return Array.from({ length: lengthOf(count) }, () => alphabet.charAt(randomInt(alphabet.length))).join(
      '',
    );
  });
}

/** Returns a length within the bounds of texts. */
function lengthOf(count: Value): number {
  return characters(count, 'a').length;
}

/** Returns a text of a length that repeats some characters. */
function characters(count: Value, some: string): string {
  const length = intArgument(count);
  return repeated(some, length).slice(0, length);
}

/** Results of a function that are not random. */
type FixedSample = Exclude<Sample, 'random'>;

function either<T>(sample: FixedSample, first: T, second: T): T {
  return sample === 'first' ? first : second;
}

function integerBetween(least: number, limit: number, sample: Sample): Integer {
  if (limit <= least) throw new FunctionError('invalid argument to Intn');
  const offset = sample === 'random' ? randomBelow(limit - least) : either(sample, 0, limit - least - 1);
  return new Integer(BigInt(least + offset));
}

/** The maximum range of `randomInt`. */
const mostOfNode = 2 ** 48 - 1;

function randomBelow(limit: number): number {
  if (limit > mostOfNode)
    throw new FunctionError(`not supported: a range of more than ${mostOfNode} numbers`);
  return randomInt(limit);
}

function shuffled(letters: readonly string[], sample: Sample): string {
  if (sample !== 'random') return either(sample, letters, letters.toReversed()).join('');
  const mixed = [...letters];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [mixed[last], mixed[other]] = [mixed[other] ?? '', mixed[last] ?? ''];
  }
  return mixed.join('');
}

/** Bytes of a password that bcrypt can hash. */
const longestPassword = 72;

/** As bcrypt.GenerateFromPassword writes a hash, with its default cost. */
function hash(password: string, sample: Sample): string {
  if (sample !== 'random') return `$2a$10$${either(sample, 'a', 'b').repeat(53)}`;
  if (Buffer.byteLength(password) > longestPassword)
    return 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes';
  // The algorithms 2a and 2b are the same for these lengths, and Go names the first one.
  return hashSync(password, 10).replace(/^\$2b\$/, '$2a$');
}

function passwordLine(user: string, password: string, sample: Sample): string {
  return user.includes(':') ? `invalid username: ${user}` : `${user}:${hash(password, sample)}`;
}

function pem(type: string, sample: FixedSample): string {
  return `-----BEGIN ${type}-----\n${Buffer.from(sample).toString('base64')}\n-----END ${type}-----\n`;
}

/** AES-256 in CBC mode, with the padded password as the key and the initial vector in front. */
function encrypted(password: string, text: string): string {
  if (text === '') return '';
  const key = Buffer.alloc(32);
  key.write(password);
  const vector = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', key, vector);
  return Buffer.concat([vector, cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
}
