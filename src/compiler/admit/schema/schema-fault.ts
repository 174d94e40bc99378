import type { StructuralSchema } from '../../../../schemas/index.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { show, type Fault } from '../fault.ts';
import { isJsonList } from '../../../base/json/json-map.ts';
import { describe } from '../metadata/object-meta.ts';
import { patternWords } from './pattern-words.ts';
import type { Limit, SchemaCheck, SchemaViolation } from './schema-check.ts';
import { closest } from '../../model/suggestion.ts';

/** Returns a schema error as the API server reports it; undefined if the API server reports nothing. */
export function toFault(error: SchemaViolation): Fault | undefined {
  const { keyword, path: field, data, check } = error;
  const { schema } = check;
  const name = lastStep(field);
  switch (keyword) {
    case 'type':
      return typeFault(error);
    case 'required': {
      const { missing = '' } = error;
      return {
        code: 'FW2008',
        field: [...field, missing],
        at: field,
        message: `required field ${missing} is missing${name === '' ? '' : ` in ${name}`}`,
        hint: requiredHint(schema.properties?.[missing], missing),
      };
    }
    case 'enum':
      return enumFault(field, data, (schema.enum ?? []).map(show));
    case 'pattern':
      return patternFault(field, data, schema.pattern ?? '');
    case 'format':
      return {
        code: 'FW2012',
        field,
        message: `${name} must be ${formatNoun(check.format)}, but is ${show(data)}`,
      };
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'minimum':
    case 'maximum':
      return { code: 'FW2011', field, message: `${name} ${limitWords[keyword](schema, data)}` };
    default:
      throw new Error(`no message for ${String(keyword satisfies never)}`);
  }
}

/** Returns the hint that the schema of the field provides, if any. */
function requiredHint(field: StructuralSchema | undefined, name: string): string {
  const [type] = [field?.type ?? []].flat();
  const noun = type === undefined ? undefined : typeNouns[type];
  return noun === undefined ? `add ${name}` : `add ${name}, which is ${noun}`;
}

/** Returns the end of a path, to name a field in a sentence: `name`, or `placements[0]`. */
function lastStep(path: FieldPath): string {
  const start = path.findLastIndex((step) => typeof step === 'string');
  return path
    .slice(Math.max(start, 0))
    .map((step) => (typeof step === 'number' ? `[${step}]` : step))
    .join('');
}

const typeNouns: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

function typeFault({ data, check, path: field }: SchemaViolation): Fault | undefined {
  const { types } = check;
  if (typeof data === 'bigint' && types.includes('integer')) return bigIntFault(data, check, field);
  // lists are accepted for a string with a format, but messages should not suggest them
  const wanted = types.filter((type) => type !== 'array' || !types.includes('string'));
  const isScalar = typeof data === 'number' || typeof data === 'boolean' || typeof data === 'bigint';
  const nouns = wanted.map((type) => typeNouns[type] ?? type);
  return {
    code: 'FW2007',
    field,
    message: `${lastStep(field)} must be ${nouns.join(' or ')}, but is ${describe(data)}`,
    ...(isScalar && wanted.includes('string') ? { hint: `put it in quotes: "${String(data)}"` } : {}),
  };
}

/** Integers that a double cannot hold are `bigint`. */
function bigIntFault(value: bigint, { format, schema }: SchemaCheck, field: FieldPath): Fault | undefined {
  const { maximum, minimum } = schema;
  const name = lastStep(field);
  if (BigInt.asIntN(64, value) !== value || format === 'int32') {
    return { code: 'FW2012', field, message: `${name} must be ${formatNoun(format)}, but is ${value}` };
  }
  if (maximum !== undefined && value > maximum) {
    return { code: 'FW2011', field, message: `${name} must be at most ${maximum}, but is ${value}` };
  }
  if (minimum !== undefined && value < minimum) {
    return { code: 'FW2011', field, message: `${name} must be at least ${minimum}, but is ${value}` };
  }
  return undefined;
}

function patternFault(field: FieldPath, data: unknown, pattern: string): Fault {
  const words = patternWords(pattern);
  const named = `${lastStep(field)} ${show(data)}`;
  if (words === undefined)
    return { code: 'FW2010', field, message: `${named} does not match the pattern ${pattern}` };
  return {
    code: 'FW2010',
    field,
    message: `${named} is not ${words.noun}`,
    hint: words.hint(typeof data === 'string' ? data : show(data)),
  };
}

function enumFault(field: FieldPath, data: unknown, values: readonly string[]): Fault {
  const meant = typeof data === 'string' ? closest(show(data), values) : undefined;
  const list = [values.slice(0, -1).join(', '), values.at(-1)].filter(Boolean).join(' or ');
  return {
    code: 'FW2009',
    field,
    message: `${lastStep(field)} must be ${list}, but is ${show(data)}`,
    ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }),
  };
}

function formatNoun(format: unknown): string {
  switch (format) {
    case 'int32':
      return 'an integer of 32 bits';
    case 'int64':
      return 'an integer of 64 bits';
    case 'byte':
      return 'text in base64';
    case 'date-time':
      return 'a time such as 2026-01-31T12:00:00Z';
    default:
      return String(format);
  }
}

const limitWords: Readonly<Record<Limit, (schema: StructuralSchema, data: unknown) => string>> = {
  minLength: ({ minLength }, data) =>
    minLength === 1
      ? 'must not be empty'
      : `must have at least ${minLength} characters, but has ${lengthOf(data)}`,
  maxLength: ({ maxLength }, data) => `must have at most ${maxLength} characters, but has ${lengthOf(data)}`,
  minItems: ({ minItems }, data) =>
    minItems === 1
      ? 'must not be empty'
      : `must have at least ${minItems} entries, but has ${lengthOf(data)}`,
  maxItems: ({ maxItems }, data) => `must have at most ${maxItems} entries, but has ${lengthOf(data)}`,
  minimum: ({ minimum }, data) => `must be at least ${minimum}, but is ${show(data)}`,
  maximum: ({ maximum }, data) => `must be at most ${maximum}, but is ${show(data)}`,
};

/** Returns the length of a string or list. Strings are counted in code points, as in Go. */
function lengthOf(data: unknown): number {
  return typeof data === 'string' ? Array.from(data).length : isJsonList(data) ? data.length : 0;
}
