/**
 * A JSON value as in Go's controllers. Integers that a double cannot represent exactly are `bigint`; every other
 * number is `number`. Properties that are `undefined` count as absent.
 */
export type GoJsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly GoJsonValue[]
  | { readonly [key: string]: GoJsonValue | undefined };

/** Returns an integer as Kubernetes' decoder represents it: a value beyond int64 is a float64. */
export function goInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) || BigInt.asIntN(64, value) !== value ? number : value;
}

// What Go's encoder escapes: as JSON does, and < > & U+2028 U+2029 besides; surrogates are looked at one by one.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const needsEscape = /[\u0000-\u001f"\\<>&\u2028\u2029\ud800-\udfff]/;
const escapedByGo = /[<>&\u2028\u2029]/g;
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Returns the text that Go's `encoding/json` writes for a value: no white space, keys sorted by their UTF-8 bytes,
 * `<`, `>`, `&`, U+2028 and U+2029 escaped, numbers as Go prints a float64. Spec hashes and template substitution
 * both use this text.
 */
export function goJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return goJsonString(value);
    case 'number':
      return goJsonNumber(value);
    case 'bigint':
      // as Go's decoder: a value beyond int64 was read as a float64
      return BigInt.asIntN(64, value) === value ? value.toString() : goJsonNumber(Number(value));
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? list(value) : map(value);
    case 'undefined':
    case 'function':
    case 'symbol':
      break;
  }
  throw new TypeError(`JSON has no ${typeof value}`);
}

function list(items: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < items.length; i++) text += (i === 0 ? '' : ',') + goJson(items[i]);
  return text + ']';
}

function map(object: object): string {
  let text = '{';
  for (const key of sortedKeys(object)) {
    const value = (object as Readonly<Record<string, unknown>>)[key];
    if (value === undefined) continue;
    text += `${text === '{' ? '' : ','}${goJsonString(key)}:${goJson(value)}`;
  }
  return text + '}';
}

/** Most objects were read from texts whose keys are sorted, which takes less time to see than to sort them. */
function sortedKeys(object: object): readonly string[] {
  const keys = Object.keys(object);
  for (let i = 1; i < keys.length; i++)
    if (compareUtf8(keys[i - 1] ?? '', keys[i] ?? '') > 0) return keys.sort(compareUtf8);
  return keys;
}

function goJsonString(text: string): string {
  if (!needsEscape.test(text)) return `"${text}"`;
  if (!loneSurrogate.test(text)) return escape(text);
  // as encoding/json appendString: invalid UTF-8 becomes the escape \ufffd
  const parts = text.split(/\p{Surrogate}/u).map((part) => escape(part).slice(1, -1));
  return `"${parts.join('\\ufffd')}"`;
}

function escape(text: string): string {
  return JSON.stringify(text).replace(
    escapedByGo,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

// Prints a number as Go does. JavaScript and Go both print the shortest digits that read back the same, and change to
// exponents at 1e21 and below 1e-6.
function goJsonNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`JSON has no ${value}`);
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Orders strings by their UTF-8 bytes, as Go does; JavaScript's own order differs above U+FFFF. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return utf8Rank(left) - utf8Rank(right);
  }
  return a.length - b.length;
}

// Surrogates encode characters above U+FFFF, so they come after all other code units.
function utf8Rank(codeUnit: number): number {
  return codeUnit >= 0xd800 && codeUnit <= 0xdfff ? codeUnit + 0x10000 : codeUnit;
}

/** A JSON object. */
export type GoJsonObject = Readonly<Record<string, GoJsonValue>>;

/** Whether a value is a JSON object, neither null nor a list. */
export function isGoJsonObject(value: GoJsonValue | undefined): value is GoJsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list. */
export function isGoJsonList(value: GoJsonValue | undefined): value is readonly GoJsonValue[] {
  return Array.isArray(value);
}
