import type { Value } from '../../gotemplate/index.ts';
import type { JsonType } from './schema.ts';
import type { SchemaWork } from './schema-work.ts';

/** Returns the type of a value of JSON, whose objects can be Maps. */
export function typeOf(value: unknown): Exclude<JsonType, 'integer'> {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'object';
}

/** Whether a value equals one of a schema. */
export function equals(value: Value, wanted: unknown, work: SchemaWork): boolean {
  work.spend(1);
  if (value instanceof Map) {
    if (typeOf(wanted) !== 'object') return false;
    const entries = Object.entries(wanted as object);
    return (
      entries.length === value.size &&
      entries.every(([name, inner]) => value.has(name) && equals(value.get(name), inner, work))
    );
  }
  if (Array.isArray(value)) {
    if (!Array.isArray(wanted) || wanted.length !== value.length) return false;
    return (value as readonly Value[]).every((item, index) => equals(item, wanted[index], work));
  }
  return value === wanted;
}

/** Returns the positions of the first item that equals an earlier one. */
export function equalItems(
  items: readonly Value[],
  work: SchemaWork,
): readonly [earlier: number, later: number] | undefined {
  const positions = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const text = canonicalText(item, work);
    const earlier = positions.get(text);
    if (earlier !== undefined) return [earlier, index];
    positions.set(text, index);
  }
  return undefined;
}

/** Returns a text that is the same for equal values. */
function canonicalText(value: Value, work: SchemaWork): string {
  work.spend(2);
  if (value instanceof Map) {
    const names = [...value.keys()].toSorted();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value.get(name), work)}`).join(',')}}`;
  }
  if (Array.isArray(value))
    return `[${(value as readonly Value[]).map((item) => canonicalText(item, work)).join(',')}]`;
  const text = JSON.stringify(value);
  work.spend(text.length >> 4);
  return text;
}

/** Whether a number is a multiple of another one, as they are written: 0.3 is one of 0.1. */
export function isMultiple(value: number, factor: number): boolean {
  if (!Number.isFinite(value)) return false;
  const [a, b] = [decimalOf(value), decimalOf(factor)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = ({ digits, exponent: own }: Decimal): bigint => digits * 10n ** BigInt(own - exponent);
  return scaled(a) % scaled(b) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
