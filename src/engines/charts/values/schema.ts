import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { RE2JS } from 're2js';
import { typeName, type Value, type ValueMap } from '../../gotemplate/index.ts';
import { parseGoJson } from '../../../base/json/parse-json.ts';
import type { ChartFault } from '../chart-fault.ts';
import type { ChartNode } from '../chart.ts';
import { inFolder } from '../loading/load-tree.ts';
import { draftOf, modernSchema, type Draft } from './schema-draft.ts';
import { describeError, describeProperties } from './schema-message.ts';

/**
 * Returns where values do not match the `values.schema.json` of a chart and its dependencies. As chartutil.ValidateAgainstSchema,
 * but a schema never reads a file or the network.
 *
 * @param added - names of values that are validated only if the chart names them
 */
export function schemaFaults(
  chart: ChartNode,
  values: ValueMap,
  added: ReadonlySet<string> = new Set(),
  path = '',
): ChartFault[] {
  const { schema } = chart;
  const faults =
    schema === undefined ? [] : ownFaults(chart, schema, withoutAdded(chart, values, added), path);
  for (const subchart of chart.dependencies) {
    const inner = values.get(subchart.name);
    const innerPath = path === '' ? subchart.name : `${path}.${subchart.name}`;
    if (inner === undefined || inner === null) continue;
    if (inner instanceof Map) faults.push(...schemaFaults(subchart, inner, new Set(), innerPath));
    else
      faults.push({
        code: 'FW6025',
        message: `${subchart.name}: invalid type for values: expected object (map), got ${typeName(inner)}`,
        value: innerPath,
      });
  }
  return faults;
}

/** Returns the names of the values at the top that the `values.schema.json` of a chart can see. */
export function validatedNames(
  chart: ChartNode,
  values: ValueMap,
  added: ReadonlySet<string> = new Set(),
): Iterable<string> {
  return chart.schema === undefined ? [] : withoutAdded(chart, values, added).keys();
}

/** Returns the values without those that the chart does not know. */
function withoutAdded(
  { schema = '', values: own }: ChartNode,
  values: ValueMap,
  added: ReadonlySet<string>,
): ValueMap {
  if (added.size === 0) return values;
  return new Map(
    [...values].filter(
      ([name]) => !added.has(name) || own?.has(name) === true || schema.includes(JSON.stringify(name)),
    ),
  );
}

function ownFaults(chart: ChartNode, schema: string, values: ValueMap, path: string): ChartFault[] {
  const file = inFolder(chart.folder, 'values.schema.json');
  const compiled = compile(schema);
  if (typeof compiled === 'string') return [{ code: 'FW6026', message: `${chart.name}: ${compiled}`, file }];
  const problem = checked(compiled, plainValue(values));
  if (problem !== undefined)
    return [{ code: 'FW6026', message: `${chart.name}: ${problem}`, file, hint: 'simplify the schema' }];
  return describeErrors(compiled.errors ?? []).map(({ place, message }) => ({
    code: 'FW6025',
    message: `${chart.name}: at '${place}': ${message}`,
    file,
    value: [path, ...place.split('/').slice(1)].filter((each) => each !== '').join('.'),
  }));
}

const tooDeep = 'the schema or the values are nested too deeply, or the schema refers to itself';

/** Validates values, or returns why a schema cannot be used: what it costs depends on the values. */
function checked(validate: ValidateFunction, values: unknown): string | undefined {
  budget = mostSteps;
  try {
    validate(values);
    return undefined;
  } catch (error) {
    if (error instanceof ExcessiveSchema) return error.message;
    if (error instanceof RangeError) return tooDeep;
    throw error;
  }
}

/** A schema whose validation takes too long, such as one with an exponential number of references. */
class ExcessiveSchema extends Error {
  override readonly message = 'the schema needs too many steps for these values';
}

/** Calls of referenced schemas, and units of patterns, in one validation. */
const mostSteps = 500_000;
/** Characters of a pattern times characters of a text that count as one step. */
const patternUnit = 50;
let budget = 0;

function spend(steps: number): void {
  budget -= steps;
  if (budget < 0) throw new ExcessiveSchema();
}

interface Described {
  readonly place: string;
  readonly message: string;
}

/** Errors of branches that others of a `oneOf` or `anyOf` summarize stay, as in Helm's message. */
function describeErrors(errors: readonly ErrorObject[]): Described[] {
  const described = new Map<string, Described>();
  const properties = new Map<string, string[]>();
  for (const { keyword, instancePath: place, schemaPath, params, ...error } of errors) {
    const { missingProperty, additionalProperty } = params as Readonly<Record<string, string | undefined>>;
    const property = keyword === 'required' ? missingProperty : additionalProperty;
    if (property === undefined || !['required', 'additionalProperties'].includes(keyword)) {
      const message = describeError({ keyword, instancePath: place, schemaPath, params, ...error });
      if (message !== undefined) described.set(`${place}\n${message}`, { place, message });
      continue;
    }
    // ajv reports each property.
    const key = `${place}\n${schemaPath}`;
    const names = [...(properties.get(key) ?? []), property];
    properties.set(key, names);
    described.set(key, { place, message: describeProperties(keyword, names) });
  }
  return [...described.values()];
}

const compiled = new Map<string, ValidateFunction | string>();
const mostCompiled = 100;

/** Returns a function that validates values, or why the schema cannot be used. */
function compile(schema: string): ValidateFunction | string {
  const earlier = compiled.get(schema);
  if (earlier !== undefined) return earlier;
  const result = compileNow(schema);
  if (compiled.size >= mostCompiled) compiled.clear();
  compiled.set(schema, result);
  return result;
}

function compileNow(text: string): ValidateFunction | string {
  budget = mostSteps;
  const parsed = parseGoJson(text);
  if ('error' in parsed) return parsed.error;
  const schema = JSON.parse(text) as unknown;
  if (typeof schema === 'boolean') return new Ajv().compile(schema);
  if (typeof schema !== 'object' || schema === null) return 'the schema is neither an object nor a boolean';
  const { $schema } = schema as { readonly $schema?: unknown };
  const draft = draftOf($schema);
  if (draft === undefined)
    return `the schema is not valid: no schema with key or ref ${JSON.stringify($schema)}`;
  try {
    const ajv = ajvFor(draft);
    const modern = modernSchema(schema, draft) as object;
    if (ajv.validateSchema(modern) === true) return ajv.compile(modern);
    const [fault] = describeErrors(ajv.errors ?? []);
    return `the schema is not valid: at '${fault?.place ?? ''}': ${fault?.message ?? ''}`;
  } catch (error) {
    return error instanceof RangeError ? tooDeep : `the schema is not valid: ${(error as Error).message}`;
  }
}

const options = {
  allErrors: true,
  strict: false,
  validateSchema: false,
  logger: false,
  ownProperties: true,
  messages: false,
  verbose: true,
  code: {
    // RE2, which Helm uses, has no pattern that takes exponential time.
    regExp: Object.assign(linearPattern, { code: 'new RegExp' }),
    // A reference calls the function of another schema. Only such calls can take exponential time.
    process: (code: string) =>
      code.replace(/function validate\d+\(data, [^)]*\)\{/, '$&self.opts.code.spend(1);'),
    spend,
  },
} as const;

function linearPattern(pattern: string): { test(text: string): boolean; toString(): string } {
  const expression = RE2JS.compile(pattern);
  // ajv takes patterns with one text for one pattern.
  return {
    test(text) {
      spend(1 + (pattern.length * text.length) / patternUnit);
      return expression.matcher(text).find();
    },
    toString: () => pattern,
  };
}

/** As Helm's library: formats are checked up to draft 7. */
function ajvFor(draft: Draft): Ajv {
  if (draft === 2019) return new Ajv2019(options);
  if (draft === 2020) return new Ajv2020(options);
  const ajv = new Ajv(options);
  formatsPlugin.default(ajv);
  return ajv;
}

/** Returns values without Maps, whose objects have no prototype: `__proto__` is a key like all others. */
function plainValue(value: Value): unknown {
  if (Array.isArray(value)) return (value as readonly Value[]).map(plainValue);
  if (!(value instanceof Map)) return value;
  const object = Object.create(null) as Record<string, unknown>;
  for (const [key, item] of value) object[key] = plainValue(item);
  return object;
}
