import { kinds, type StructuralSchema } from '../../../schemas/index.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { FieldPath } from '../model/field-path.ts';
import { checkValue } from './check-value.ts';
import { factsIn } from './expression.ts';
import type { DeploymentField, Parameter, ParameterTarget, ParameterType } from './model.ts';

/** An error in a declaration. */
export interface DeclarationFault {
  readonly code: 'FW4102' | 'FW4103' | 'FW4108' | 'FW4109';
  /** In the declaration. */
  readonly path: FieldPath;
  readonly message: string;
  readonly hint?: string;
}

/** The schema of `spec` of an AddOnDeploymentConfig in v1alpha1. */
export const deploymentConfigSchema: StructuralSchema = (() => {
  const kind = kinds.find((each) => each.kind === 'AddOnDeploymentConfig');
  const schema = kind?.versions.find(({ name }) => name === 'v1alpha1')?.schema.properties?.['spec'];
  if (schema === undefined) throw new Error('no schema of AddOnDeploymentConfig');
  return schema;
})();

const variableSchema = deploymentConfigSchema.properties?.['customizedVariables']?.items?.properties ?? {};

/** Returns a declared parameter, whose shape is valid, and what else is wrong in it. */
export function parameterOf(
  name: string,
  written: JsonMap,
  path: FieldPath,
): { readonly parameter: Parameter; readonly faults: readonly DeclarationFault[] } {
  const type = written['type'] as ParameterType;
  const target = targetOf(name, written);
  const faults = [...unsuitableKeys(type, written), ...targetFaults(target, written, type)];
  const schema = schemaOf(type, written, target, faults);
  const value = written['default'];
  if (value !== undefined && value !== null) {
    const used = factsIn(value)[0];
    if (used !== undefined)
      faults.push({
        code: 'FW4109',
        path: ['default'],
        message: `a default cannot use ${used.text}`,
        hint: 'set it in a layer without a scope',
      });
    else
      for (const fault of checkValue(value, schema, name))
        faults.push({ ...fault, path: ['default', ...fault.path] });
  }
  const parameter: Parameter = {
    name,
    type,
    schema,
    default: value ?? undefined,
    description: written['description'] as string | undefined,
    sensitive: written['sensitive'] === true,
    target,
    path,
  };
  return { parameter, faults };
}

function targetOf(name: string, { variable: written, field, chartValue }: JsonMap): ParameterTarget {
  if (field !== undefined) return { kind: 'field', field: field as DeploymentField };
  const variable = (written as string | undefined) ?? name;
  if (typeof chartValue === 'string') return { kind: 'chartValue', path: chartValue.split('.'), variable };
  if (isJsonList(chartValue)) return { kind: 'chartValue', path: chartValue.map(String), variable };
  return { kind: 'variable', variable };
}

/** The keys that only some types have. */
const keysOfTypes: Readonly<Record<string, readonly ParameterType[]>> = {
  min: ['integer', 'number'],
  max: ['integer', 'number'],
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  values: ['enum'],
  items: ['list'],
  schema: ['object'],
};

function unsuitableKeys(type: ParameterType, written: JsonMap): DeclarationFault[] {
  const faults: DeclarationFault[] = [];
  for (const [key, types] of Object.entries(keysOfTypes))
    if (written[key] !== undefined && !types.includes(type))
      faults.push({
        code: 'FW4109',
        path: [key],
        message: `a parameter of type ${type} has no ${key}`,
        hint: `${key} is for ${types.join(' and ')}`,
      });
  if (type === 'enum' && (!isJsonList(written['values']) || written['values'].length === 0))
    faults.push({ code: 'FW4109', path: [], message: 'an enum needs values' });
  return faults;
}

function targetFaults(target: ParameterTarget, written: JsonMap, type: ParameterType): DeclarationFault[] {
  const faults: DeclarationFault[] = [];
  const others = ['variable', 'chartValue'].filter((key) => written[key] !== undefined);
  if (target.kind === 'field' && others.length > 0)
    faults.push({
      code: 'FW4109',
      path: [others[0] ?? ''],
      message: `${others.join(' and ')} and field exclude each other`,
    });
  if (target.kind !== 'field') {
    const [fault] = checkValue(target.variable, variableSchema['name'] ?? {}, 'the name of the variable');
    if (fault !== undefined)
      faults.push({
        code: 'FW4108',
        path: written['variable'] === undefined ? [] : ['variable'],
        message: fault.message,
        hint: 'the hub accepts letters, digits and underscores, at most 255; set `variable`',
      });
  }
  if (target.kind === 'chartValue' && written['sensitive'] === true)
    faults.push({
      code: 'FW4109',
      path: ['sensitive'],
      message: 'sensitive and chartValue exclude each other: reports do not mask what a chart renders',
      hint: 'let the chart refer to a Secret that is on the cluster',
    });
  if (target.kind === 'chartValue' && target.path.some((key) => key === ''))
    faults.push({ code: 'FW4109', path: ['chartValue'], message: 'a key of the path is empty' });
  if (target.kind === 'field') {
    const expected = fieldType(target.field);
    if (type !== expected)
      faults.push({
        code: 'FW4109',
        path: ['type'],
        message: `a parameter for ${target.field} is of type ${expected}, not ${type}`,
      });
  }
  return faults;
}

function fieldType(field: DeploymentField): ParameterType {
  const type = deploymentConfigSchema.properties?.[field]?.type;
  return type === 'array' ? 'list' : type === 'object' ? 'object' : 'string';
}

function schemaOf(
  type: ParameterType,
  written: JsonMap,
  target: ParameterTarget,
  faults: DeclarationFault[],
): StructuralSchema {
  if (target.kind === 'field') {
    const schema = deploymentConfigSchema.properties?.[target.field] ?? {};
    if (written['items'] !== undefined || written['schema'] !== undefined)
      faults.push({
        code: 'FW4109',
        path: [written['items'] === undefined ? 'schema' : 'items'],
        message: `the schema of ${target.field} is that of the hub`,
      });
    return schema;
  }
  const { minLength, maxLength, pattern, values, items, schema } = written;
  const { min, max } = written as { readonly min?: number; readonly max?: number };
  const numbers = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
  switch (type) {
    case 'integer':
    case 'number':
      return { type, ...numbers };
    case 'boolean':
      return { type };
    case 'string': {
      if (pattern !== undefined) faults.push(...patternFaults(pattern, ['pattern']));
      const isValid = faults.every(({ path }) => path[0] !== 'pattern');
      return {
        type,
        ...(minLength !== undefined && { minLength: minLength as number }),
        ...(maxLength !== undefined && { maxLength: maxLength as number }),
        ...(pattern !== undefined && isValid && { pattern: pattern as string }),
      };
    }
    case 'enum':
      return { type: 'string', enum: (values as readonly string[] | undefined) ?? [] };
    case 'list':
      return { type: 'array', ...(items !== undefined && { items: ownSchema(items, ['items'], faults) }) };
    case 'object':
      return { type: 'object', ...(schema === undefined ? {} : ownSchema(schema, ['schema'], faults)) };
    default:
      throw new Error(`no schema for ${String(type satisfies never)}`);
  }
}

function patternFaults(pattern: unknown, path: FieldPath): DeclarationFault[] {
  try {
    new RegExp(String(pattern));
    return [];
  } catch {
    return [{ code: 'FW4109', path, message: `${String(pattern)} is not a valid regular expression` }];
  }
}

/** The keywords of JSON Schema that count in the schema of a parameter. */
const keywords = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
]);
const annotations = new Set(['title', 'description', '$schema', 'examples']);
const types = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object']);

/** Returns a schema of the user, without a part that is not supported. Such a part is a fault: it would be ignored. */
function ownSchema(schema: unknown, path: FieldPath, faults: DeclarationFault[]): StructuralSchema {
  if (!isJsonMap(schema)) {
    faults.push({ code: 'FW4109', path, message: 'a schema must be an object' });
    return {};
  }
  const read: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const at = [...path, keyword];
    if (annotations.has(keyword)) continue;
    if (!keywords.has(keyword)) {
      faults.push({
        code: 'FW4109',
        path: at,
        message: `the keyword ${keyword} is not supported in the schema of a parameter`,
        hint: `use ${[...keywords].join(', ')}`,
      });
    } else if (keyword === 'properties' && isJsonMap(value)) {
      read[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, below]) => [name, ownSchema(below, [...at, name], faults)]),
      );
    } else if (keyword === 'items' || (keyword === 'additionalProperties' && isJsonMap(value))) {
      read[keyword] = ownSchema(value, at, faults);
    } else if (keyword === 'additionalProperties') {
      if (value === false) read[keyword] = false;
    } else if (isKeywordValue(keyword, value)) {
      const wrong = keyword === 'pattern' ? patternFaults(value, at) : [];
      faults.push(...wrong);
      if (wrong.length === 0) read[keyword] = value;
    } else faults.push({ code: 'FW4109', path: at, message: `invalid value of ${keyword}` });
  }
  return read;
}

function isKeywordValue(keyword: string, value: unknown): boolean {
  switch (keyword) {
    case 'type':
      return typeof value === 'string' && types.has(value);
    case 'required':
      return isJsonList(value) && value.every((each) => typeof each === 'string');
    case 'enum':
      return isJsonList(value);
    case 'pattern':
      return typeof value === 'string';
    case 'properties':
      return false;
    default:
      return typeof value === 'number';
  }
}

/** Returns the text of a value in a customized variable. Lists and objects are JSON. */
export function variableText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The maximum length of a customized variable's value on the hub. */
export const longestVariable = variableSchema['value']?.maxLength ?? Infinity;
