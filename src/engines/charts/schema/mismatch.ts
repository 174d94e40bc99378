import { floatText } from '../../gotemplate/index.ts';
import { goQuote } from '../../../base/go/quote.ts';

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

/** Returns an allowed value as Helm prints it. */
export function displayed(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null) return '<nil>';
  return typeof value === 'number' ? floatText(value, 'g', -1) : JSON.stringify(value);
}

/** Returns names as Helm lists them. */
export function listed(names: readonly string[]): string {
  return names.map((name) => quoted(name)).join(', ');
}

/** Returns a text as Helm quotes it. */
export function quoted(text: string): string {
  return `'${goQuote(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Returns a number as golang.org/x/text writes it in English: `1,000` and `1.5×10⁰⁶`. */
export function localized(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude === 0 || (magnitude >= 1e-4 && magnitude < 1e6)) {
    const [whole = '', fraction] = String(value).split('.');
    const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
    return fraction === undefined ? grouped : `${grouped}.${fraction}`;
  }
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const digits = exponent.replace(/^[-+]/, '').padStart(2, '0');
  const power = Array.from(digits, (digit) => superscripts.charAt(Number(digit))).join('');
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${power}`;
}
