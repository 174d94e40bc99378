import {
  FunctionError,
  goFunction,
  Integer,
  UnsupportedFunctionError,
  type GoFunction,
  type Sample,
  type Value,
} from '../../gotemplate/index.ts';
import { certificate } from './certificates.ts';
import { intArgument, repeated } from './conversion.ts';

const random = 'its result is random, so that the same input would render differently each time';

/** Functions with a random result. With a sample, they return one of two results, which shows the parts of the output that depend on them. */
export const chanceFunctions: Readonly<Record<string, GoFunction>> = {
  ...Object.fromEntries(
    ['randAlphaNum', 'randAlpha', 'randAscii'].map((name) => [
      name,
      sampled('int -> string', ([count], sample) => characters(count, either(sample, 'aA1', 'bB2'))),
    ]),
  ),
  randNumeric: sampled('int -> string', ([count], sample) => characters(count, either(sample, '1', '2'))),
  randBytes: sampled('int -> string', ([count], sample) =>
    Buffer.from(characters(count, either(sample, 'a', 'b'))).toString('base64'),
  ),
  randInt: sampled('int, int -> int', ([least, limit], sample) =>
    integerBetween(intArgument(least), intArgument(limit), sample),
  ),
  shuffle: sampled('string -> string', ([text], sample) =>
    either(
      sample,
      text as string,
      Array.from(text as string)
        .toReversed()
        .join(''),
    ),
  ),
  uuidv4: sampled(
    ' -> string',
    (_, sample) => `${either(sample, 'a', 'b').repeat(8)}-0000-4000-8000-000000000000`,
  ),
  bcrypt: sampled('string -> string', (_, sample) => hash(sample)),
  htpasswd: sampled('string, string -> string', ([user], sample) => passwordLine(user as string, sample)),
  genPrivateKey: sampled('string -> string', (_, sample) => pem('RSA PRIVATE KEY', sample)),
  ...Object.fromEntries(
    [
      'genCA',
      'genCAWithKey',
      'genSelfSignedCert',
      'genSelfSignedCertWithKey',
      'genSignedCert',
      'genSignedCertWithKey',
    ].map((name) => [
      name,
      sampled('...any -> sprig.certificate', (_, sample) =>
        certificate(pem('CERTIFICATE', sample), pem('RSA PRIVATE KEY', sample)),
      ),
    ]),
  ),
  encryptAES: sampled('string, string -> string', (_, sample) =>
    Buffer.from(either(sample, 'a', 'b').repeat(32)).toString('base64'),
  ),
};

function sampled(signature: string, result: (args: readonly Value[], sample: Sample) => Value): GoFunction {
  return goFunction(signature, (args, { sample }) => {
    if (sample === undefined) throw new UnsupportedFunctionError(`not supported: ${random}`);
    return result(args, sample);
  });
}

/** Returns a text of a length that repeats some characters. */
function characters(count: Value, some: string): string {
  const length = intArgument(count);
  return repeated(some, length).slice(0, length);
}

function either<T>(sample: Sample, first: T, second: T): T {
  return sample === 'first' ? first : second;
}

function integerBetween(least: number, limit: number, sample: Sample): Integer {
  if (limit <= least) throw new FunctionError('invalid argument to Intn');
  return new Integer(BigInt(either(sample, least, limit - 1)));
}

/** As bcrypt.GenerateFromPassword writes a hash. */
function hash(sample: Sample): string {
  return `$2a$10$${either(sample, 'a', 'b').repeat(53)}`;
}

function passwordLine(user: string, sample: Sample): string {
  return user.includes(':') ? `invalid username: ${user}` : `${user}:${hash(sample)}`;
}

function pem(type: string, sample: Sample): string {
  return `-----BEGIN ${type}-----\n${Buffer.from(sample).toString('base64')}\n-----END ${type}-----\n`;
}
