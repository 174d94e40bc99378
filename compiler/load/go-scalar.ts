/**
 * What a YAML scalar stands for. `infinite` are the floats that JSON has no form for. Integers that a double cannot hold
 * exactly are `bigint`.
 */
export type GoScalar =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: number | bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'infinite'; readonly value: string }
  | { readonly kind: 'null'; readonly value: null };

const nothing: GoScalar = { kind: 'null', value: null };
const yes: GoScalar = { kind: 'boolean', value: true };
const no: GoScalar = { kind: 'boolean', value: false };

// as go.yaml.in/yaml/v2 resolve.go: YAML 1.1's words, in three spellings each
const words: ReadonlyMap<string, GoScalar> = new Map([
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
  ].map((value): [string, GoScalar] => [value, { kind: 'infinite', value }]),
]);

function spellings(scalar: GoScalar, ...lowerCase: readonly string[]): [string, GoScalar][] {
  return lowerCase.flatMap((word) => {
    const capitalised = word.charAt(0).toUpperCase() + word.slice(1);
    return [word, capitalised, word.toUpperCase()].map((spelling): [string, GoScalar] => [spelling, scalar]);
  });
}

const mayBeSpecial = /^[-+.\d~fFnNoOtTyY]/;
const shortDecimal = /^(?:0|-?[1-9]\d{0,14})$/;
const integer = /^([+-]?)(0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9]\d*)$/;
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const floatFromPoint = /^\.\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$/;

/**
 * The value of a plain scalar, as the API server receives it from kubectl. sigs.k8s.io/yaml reads with go.yaml.in/yaml/v2,
 * so YAML 1.1's booleans, octals and underscores count; sexagesimals and timestamps stay strings.
 */
export function resolvePlain(text: string): GoScalar {
  if (text !== '' && !mayBeSpecial.test(text)) return { kind: 'string', value: text };
  const word = words.get(text);
  if (word !== undefined) return word;
  if (shortDecimal.test(text)) return { kind: 'integer', value: Number(text) };
  // as resolve.go: underscores are dropped, wherever they stand; after a leading point Go's own number syntax counts
  const digits = text.startsWith('.') && !floatFromPoint.test(text) ? text : text.replaceAll('_', '');
  const number = readInteger(digits) ?? readFloat(digits);
  return number ?? { kind: 'string', value: text };
}

function readInteger(text: string): GoScalar | undefined {
  // as resolve.go, which takes a sign on either side of 0b
  const match = integer.exec(text.replace(/^0b([+-])/, '$10b'));
  if (match === null) return undefined;
  const [, sign = '', digits = ''] = match;
  const magnitude = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = sign === '-' ? -magnitude : magnitude;
  // as strconv.ParseUint, which takes no sign; the API server reads what no int64 holds as a float64
  const fits = BigInt.asIntN(64, value) === value || (sign === '' && BigInt.asUintN(64, value) === value);
  return fits ? { kind: 'integer', value: apiServerInteger(value) } : undefined;
}

function apiServerInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) || BigInt.asIntN(64, value) !== value ? number : value;
}

function readFloat(text: string): GoScalar | undefined {
  if (!float.test(text)) return undefined;
  const value = Number(text);
  // as strconv.ParseFloat: out of range is an error, and what is not a number stays a string
  return Number.isFinite(value) ? { kind: 'float', value: value === 0 ? 0 : value } : undefined;
}

/** The key that a scalar stands for in JSON; undefined where it cannot be one. */
export function keyText(scalar: GoScalar): string | undefined {
  switch (scalar.kind) {
    case 'string':
      return scalar.value;
    case 'infinite':
      return scalar.value.toLowerCase().replace('+', '');
    case 'boolean':
    case 'integer':
      return String(scalar.value);
    case 'float':
      return formatFloat32(scalar.value);
    case 'null':
      break;
  }
  return undefined;
}

/** as sigs.k8s.io/yaml convertToJSONableObject: strconv.FormatFloat(key, 'g', -1, 32) */
function formatFloat32(value: number): string {
  const single = Math.fround(value);
  if (single === 0) return '0';
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toPrecision(digits))) !== single) digits++;
  const [mantissa = '', exponent = ''] = single.toExponential(digits - 1).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(single.toPrecision(digits)));
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** Whether a plain scalar is a number or boolean, but not the one that its text shows to everybody. */
export function isReadOtherwise(text: string, { kind, value }: GoScalar): boolean {
  if (kind === 'boolean') return !/^(?:true|false)$/i.test(text);
  return (kind === 'integer' || kind === 'float') && String(value) !== text;
}

const standardTag = 'tag:yaml.org,2002:';

/** The value of a scalar with a tag; undefined where the tag does not fit the text. */
export function resolveTagged(tag: string, text: string): GoScalar | undefined {
  if (!tag.startsWith(standardTag)) return { kind: 'string', value: text };
  const name = tag.slice(standardTag.length);
  const plain = resolvePlain(text);
  switch (name) {
    case 'null':
      return plain.kind === 'null' ? plain : undefined;
    case 'bool':
      return plain.kind === 'boolean' ? plain : undefined;
    case 'int':
      return plain.kind === 'integer' ? plain : undefined;
    case 'float':
      if (plain.kind === 'integer') return { kind: 'float', value: Number(plain.value) };
      return plain.kind === 'float' || plain.kind === 'infinite' ? plain : undefined;
    case 'timestamp':
      return timestamp.test(text) ? { kind: 'string', value: text } : undefined;
    case 'binary':
      return decodeBase64(text);
    default:
      return { kind: 'string', value: text };
  }
}

const timestamp = /^\d{4}-\d\d?-\d\d?(?:[Tt ]\d\d?:\d\d?:\d\d?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

/** Bytes have no form in JSON, unless they are UTF-8. */
function decodeBase64(text: string): GoScalar | undefined {
  const digits = text.replaceAll(/[\r\n]/g, '');
  if (!base64.test(digits)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
    return {
      kind: 'string',
      value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    };
  } catch {
    return undefined;
  }
}
