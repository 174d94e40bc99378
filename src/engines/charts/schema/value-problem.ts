import { typeName, type Value } from '../../gotemplate/index.ts';
import { isNumeric, isWhole } from './json-number.ts';
import { equals, typeOf, type Instance } from './json-value.ts';
import { displayed, quoted } from './mismatch.ts';
import type { Schema } from './schema.ts';
import type { SchemaJson } from './schema-json.ts';
import type { SchemaWork } from './schema-work.ts';

/**
 * Returns what is wrong with a value as a whole, in Helm's words; undefined if its type, constant and format match.
 *
 * @param isQuiet - whether the words do not matter
 */
export function problemOfValue(
  { types, constant, enumeration, format }: Schema,
  value: Instance,
  work: SchemaWork,
  isQuiet: boolean,
): string | undefined {
  const type = typeOf(value);
  if (type === undefined) return `invalid jsonType ${typeName(value as Value)}`;
  if (types !== undefined && !types.includes(type)) {
    const isInteger = isNumeric(value) && isWhole(value) && types.includes('integer');
    if (!isInteger) return `got ${type}, want ${types.join(' or ')}`;
  }
  if (constant !== undefined && !equals(value, constant[0], work))
    return isCompound(constant[0]) ? "'const' failed" : `value must be ${displayed(constant[0])}`;
  if (enumeration !== undefined && !enumeration.some((each) => equals(value, each, work)))
    return isQuiet ? '' : enumerationProblem(enumeration);
  if (format === undefined || typeof value !== 'string') return undefined;
  work.spend(5 + 3 * value.length);
  const problem = format.problem(value, work);
  return problem === undefined ? undefined : `${quoted(value)} is not valid ${format.name}: ${problem}`;
}

function enumerationProblem(values: readonly SchemaJson[]): string {
  if (values.some(isCompound)) return "'enum' failed";
  return `value must be ${values.length === 1 ? '' : 'one of '}${values.map(displayed).join(', ')}`;
}

function isCompound(value: SchemaJson): boolean {
  return Array.isArray(value) || value instanceof Map;
}
