import { goQuote } from '../../../base/go/quote.ts';
import { doubleOf, JsonNumber, type Numeric } from './json-number.ts';
import type { SchemaJson } from './schema-json.ts';
import type { SchemaWork } from './schema-work.ts';

/** A place in values, from the inside to the outside. */
export interface ValuePlace {
  readonly step: string | number;
  readonly around: ValuePlace | undefined;
}

/** Where values do not match a schema, with the mismatches that cause it. */
export interface Mismatch {
  readonly place: ValuePlace | undefined;
  /** In Helm's words. Undefined if the causes say everything. */
  readonly message: string | undefined;
  readonly causes: readonly Mismatch[];
}

/** Returns the place as a JSON pointer, as Helm prints it. */
export function pointerOf(place: ValuePlace | undefined): string {
  return stepsOf(place)
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** Returns the keys and positions that lead to a place. */
export function stepsOf(place: ValuePlace | undefined): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.around) steps.push(at.step);
  return steps.toReversed();
}

/** Returns the mismatches with a message, each once: those of the branches of a `oneOf` or `anyOf` after it. */
export function describedMismatches(
  mismatch: Mismatch | undefined,
  work: SchemaWork,
): (Mismatch & { readonly message: string })[] {
  const described = new Map<string, Mismatch & { readonly message: string }>();
  const add = (each: Mismatch): void => {
    const { place, message } = each;
    const pointer = pointerOf(place);
    work.spend(1 + (pointer.length >> 4));
    if (message !== undefined) described.set(`${pointer}\n${message}`, { ...each, message });
    for (const cause of each.causes) add(cause);
  };
  if (mismatch !== undefined) add(mismatch);
  return [...described.values()];
}

/** Returns an allowed value that is neither a list nor an object as Helm prints it. */
export function displayed(value: SchemaJson): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null) return '<nil>';
  // A number is as in the schema.
  return value instanceof JsonNumber ? value.text : JSON.stringify(value);
}

/** Returns names as Helm lists them. */
export function listed(names: readonly string[]): string {
  return names.map((name) => quoted(name)).join(', ');
}

/** Returns a text as Helm quotes it. */
export function quoted(text: string): string {
  // The library replaces the end of a text with a backslash, too.
  const inner = goQuote(text)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)
    .slice(1, -1);
  return `'${inner}'`;
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Returns an integer as golang.org/x/text writes it in English: `1,000,000`. */
export function grouped(value: number | string): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Returns a number as golang.org/x/text writes it in English: `1,000` and `1.5×10⁰⁶`. */
export function localized(number: Numeric): string {
  const value = doubleOf(number);
  const magnitude = Math.abs(value);
  if (magnitude === Infinity) return value < 0 ? '-∞' : '∞';
  if (magnitude === 0 || (magnitude >= 1e-4 && magnitude < 1e6)) {
    const [whole = '', fraction] = String(value).split('.');
    return fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction}`;
  }
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const digits = exponent.replace(/^[-+]/, '').padStart(2, '0');
  const power = Array.from(digits, (digit) => superscripts.charAt(Number(digit))).join('');
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${power}`;
}
