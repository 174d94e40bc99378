import { isDeepStrictEqual } from 'node:util';
import type { ErrorObject } from 'ajv';
import { floatText } from '../../gotemplate/index.ts';
import { goQuote } from '../../../base/go/quote.ts';

/** Returns Helm's message for an error; undefined for errors that only group others. */
export function describeError({ keyword, params, data, schema }: ErrorObject): string | undefined {
  const value = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case 'type':
      return `got ${typeOf(data)}, want ${[schema].flat().join(' or ')}`;
    case 'enum': {
      const items = schema as unknown[];
      if (items.some((item) => typeof item === 'object' && item !== null)) return "'enum' failed";
      return `value must be ${items.length === 1 ? '' : 'one of '}${items.map(display).join(', ')}`;
    }
    case 'const':
      return typeof schema === 'object' && schema !== null
        ? "'const' failed"
        : `value must be ${display(schema)}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return `${keyword}: got ${localized(data as number)}, want ${localized(schema as number)}`;
    case 'minLength':
    case 'maxLength':
      return counted(keyword, Array.from(data as string).length, schema);
    case 'minItems':
    case 'maxItems':
      return counted(keyword, (data as unknown[]).length, schema);
    case 'minProperties':
    case 'maxProperties':
      return counted(keyword, Object.keys(data as object).length, schema);
    case 'pattern':
      return `${display(data)} does not match pattern ${display(schema)}`;
    case 'uniqueItems':
      return `items at ${firstEqual(data as readonly unknown[]).join(' and ')} are equal`;
    case 'not':
      return "'not' failed";
    case 'oneOf':
      return Array.isArray(value['passingSchemas'])
        ? `'oneOf' failed, subschemas ${(value['passingSchemas'] as number[]).join(', ')} matched`
        : "'oneOf' failed, none matched";
    case 'anyOf':
      return "'anyOf' failed";
    case 'false schema':
      return 'false schema';
    case 'if':
      return undefined;
  }
  return `'${keyword}' failed`;
}

/** Returns the positions of the first item that an earlier one is equal to. The validator can find another pair. */
function firstEqual(items: readonly unknown[]): readonly [number, number] {
  for (const [index, item] of items.entries()) {
    const earlier = items.findIndex((other) => isDeepStrictEqual(other, item));
    if (earlier < index) return [earlier, index];
  }
  return [0, 0];
}

function typeOf(data: unknown): string {
  if (data === null) return 'null';
  return Array.isArray(data) ? 'array' : typeof data;
}

/** The properties of all errors of one `required` or `additionalProperties`. */
export function describeProperties(keyword: string, names: readonly string[]): string {
  const list = names.map((name) => quoted(name)).join(', ');
  if (keyword === 'required') return `missing ${names.length === 1 ? 'property' : 'properties'} ${list}`;
  return `additional properties ${list} not allowed`;
}

function counted(keyword: string, count: number, wanted: unknown): string {
  return `${keyword}: got ${localized(count)}, want ${localized(wanted as number)}`;
}

function display(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null) return '<nil>';
  return typeof value === 'number' ? floatText(value, 'g', -1) : JSON.stringify(value);
}

function quoted(text: string): string {
  return `'${goQuote(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** As golang.org/x/text in English: `1,000` and `1.5×10⁰⁶`. */
function localized(value: number): string {
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
