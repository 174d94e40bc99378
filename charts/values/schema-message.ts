import type { ErrorObject } from 'ajv';
import { floatText } from '../../gotemplate/index.ts';

/** Returns what Helm's library says of an error; undefined for errors that only group others. */
export function describeError({ keyword, params, data, schema }: ErrorObject): string | undefined {
  const value = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case 'type':
      return `got ${typeOf(data)}, want ${[schema].flat().join(' or ')}`;
    case 'required':
      return `missing property '${String(value['missingProperty'])}'`;
    case 'additionalProperties':
      return `additional properties '${String(value['additionalProperty'])}' not allowed`;
    case 'enum':
      return `value must be one of ${(schema as unknown[]).map(display).join(', ')}`;
    case 'const':
      return `value must be ${display(schema)}`;
    case 'minimum':
      return `minimum: got ${display(data)}, want ${display(schema)}`;
    case 'maximum':
      return `maximum: got ${display(data)}, want ${display(schema)}`;
    case 'exclusiveMinimum':
      return `exclusiveMinimum: got ${display(data)}, want ${display(schema)}`;
    case 'exclusiveMaximum':
      return `exclusiveMaximum: got ${display(data)}, want ${display(schema)}`;
    case 'multipleOf':
      return `multipleOf: got ${display(data)}, want ${display(schema)}`;
    case 'minLength':
    case 'maxLength':
      return `${keyword}: got ${String(Array.from(data as string).length)}, want ${display(schema)}`;
    case 'minItems':
    case 'maxItems':
      return `${keyword}: got ${String((data as unknown[]).length)}, want ${display(schema)}`;
    case 'minProperties':
    case 'maxProperties':
      return `${keyword}: got ${String(Object.keys(data as object).length)}, want ${display(schema)}`;
    case 'pattern':
      return `${display(data)} does not match pattern ${display(schema)}`;
    case 'uniqueItems':
      return `items at ${String(value['j'])} and ${String(value['i'])} are equal`;
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

function typeOf(data: unknown): string {
  if (data === null) return 'null';
  return Array.isArray(data) ? 'array' : typeof data;
}

function display(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'number') return floatText(value, 'g', -1);
  return JSON.stringify(value);
}
