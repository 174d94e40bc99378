import { goInteger } from '../json/go-json.ts';

/**
 * The value of a YAML scalar. `infinite` is a float without a JSON form. Integers that a double cannot hold exactly are `bigint`.
 */
export type YamlScalar =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: number | bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'infinite'; readonly value: string }
  | { readonly kind: 'null'; readonly value: null };

const nothing: YamlScalar = { kind: 'null', value: null };
const yes: YamlScalar = { kind: 'boolean', value: true };
const no: YamlScalar = { kind: 'boolean', value: false };

// as go.yaml.in/yaml/v2 resolve.go: the words of YAML 1.1, in three spellings each
const words: ReadonlyMap<string, YamlScalar> = new Map([
  ['', nothing],
  ['~', nothing],
  ...spellings(nothing, 'null'),
  ...spellings(yes, 'true', 'yes', 'on', 'y'),
  ...spellings(no, 'false', 'no', 'off', 'n'),
  ...[
    '.nan',
    '.NaN',
    '.NAN',
    ...['.inf', '.Inf', '.INF'].flatMap((word) => [word, `+${word}`, `-${word}`]),
  ].map((value): [string, YamlScalar] => [value, { kind: 'infinite', value }]),
]);

function spellings(scalar: YamlScalar, ...lowerCase: readonly string[]): [string, YamlScalar][] {
  return lowerCase.flatMap((word) => {
    const capitalised = word.charAt(0).toUpperCase() + word.slice(1);
    return [word, capitalised, word.toUpperCase()].map((spelling): [string, YamlScalar] => [
      spelling,
      scalar,
    ]);
  });
}

const mayBeSpecial = /^[-+.\d~fFnNoOtTyY]/;
const mayBeNumber = /^[-+.\d]/;
const shortDecimal = /^(?:0|-?[1-9]\d{0,14})$/;
const integer = /^([+-]?)(0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9]\d*)$/;
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const floatFromPoint = /^\.\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$/;

/**
 * Returns the value of a plain scalar for the API server if kubectl sent the file. sigs.k8s.io/yaml reads with
 * go.yaml.in/yaml/v2, so booleans, octals and underscores of YAML 1.1 count; sexagesimals and timestamps stay strings.
 */
export function resolveAsKubectl(text: string): YamlScalar {
  if (text !== '' && !mayBeSpecial.test(text)) return { kind: 'string', value: text };
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!mayBeNumber.test(text)) return { kind: 'string', value: text };
  if (shortDecimal.test(text)) return { kind: 'integer', value: Number(text) };
  // as resolve.go: underscores are removed at any position; after a leading point Go's own number syntax counts
  const digits = text.startsWith('.') && !floatFromPoint.test(text) ? text : text.replaceAll('_', '');
  const number = readInteger(digits) ?? readFloat(digits);
  return number ?? { kind: 'string', value: text };
}

function readInteger(text: string): YamlScalar | undefined {
  // as resolve.go, which accepts a sign on either side of 0b
  const match = integer.exec(text.replace(/^0b([+-])/, '$10b'));
  if (match === null) return undefined;
  const [, sign = '', digits = ''] = match;
  const magnitude = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = sign === '-' ? -magnitude : magnitude;
  // as strconv.ParseUint, which accepts no sign; the API server reads a number that does not fit an int64 as a float64
  const fits = BigInt.asIntN(64, value) === value || (sign === '' && BigInt.asUintN(64, value) === value);
  return fits ? { kind: 'integer', value: goInteger(value) } : undefined;
}

function readFloat(text: string): YamlScalar | undefined {
  if (!float.test(text)) return undefined;
  const value = Number(text);
  // as strconv.ParseFloat: out of range is an error, and a text that is not a number stays a string
  return Number.isFinite(value) ? { kind: 'float', value: value === 0 ? 0 : value } : undefined;
}
