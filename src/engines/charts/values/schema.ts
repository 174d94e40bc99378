import { typeName, type ValueMap } from '../../gotemplate/index.ts';
import type { ChartFault } from '../chart-fault.ts';
import type { ChartNode } from '../chart.ts';
import { inFolder } from '../loading/load-tree.ts';
import { describedMismatches, pointerOf, quoted, stepsOf } from '../schema/mismatch.ts';
import { readSchema } from '../schema/read-schema.ts';
import type { Schema } from '../schema/schema.ts';
import { SchemaError, SchemaLimitError } from '../schema/schema-error.ts';
import { SchemaWork } from '../schema/schema-work.ts';
import { mismatchOf } from '../schema/validate.ts';

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
): ChartFault[] {
  return faultsBelow(chart, withoutAdded(chart, values, added), '', new SchemaWork());
}

function faultsBelow(chart: ChartNode, values: ValueMap, path: string, work: SchemaWork): ChartFault[] {
  const { schema } = chart;
  const faults = schema === undefined ? [] : ownFaults(chart, schema, values, path, work);
  for (const subchart of chart.dependencies) {
    const inner = values.get(subchart.name);
    const innerPath = path === '' ? subchart.name : `${path}.${subchart.name}`;
    if (inner === undefined || inner === null) continue;
    if (inner instanceof Map) faults.push(...faultsBelow(subchart, inner, innerPath, work));
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

function ownFaults(
  chart: ChartNode,
  schema: string,
  values: ValueMap,
  path: string,
  work: SchemaWork,
): ChartFault[] {
  const file = inFolder(chart.folder, 'values.schema.json');
  try {
    const mismatch = mismatchOf(compiled(schema, work), values, { work });
    return describedMismatches(mismatch, work).map(({ place, message }) => ({
      code: 'FW6025',
      message: `${chart.name}: at ${quoted(pointerOf(place))}: ${message}`,
      file,
      value: [path, ...stepsOf(place)].filter((each) => each !== '').join('.'),
    }));
  } catch (error) {
    const message = problemOf(error);
    return [
      {
        code: 'FW6026',
        message: `${chart.name}: ${message}`,
        file,
        ...(error instanceof SchemaLimitError && { hint: 'simplify the schema' }),
      },
    ];
  }
}

/** @throws {unknown} what is not a problem of a schema */
function problemOf(error: unknown): string {
  if (error instanceof SchemaError) return error.message;
  if (error instanceof RangeError) return 'the schema or the values are nested too deeply';
  throw error;
}

interface ReadSchema {
  readonly result: Schema | SchemaError;
  readonly steps: number;
}

const earlier = new Map<string, ReadSchema>();
const mostEarlier = 100;

/**
 * Returns a schema that is read once, for all clusters. It counts its steps each time, so that the result does not depend on what was
 * read earlier.
 *
 * @throws {SchemaError}
 */
function compiled(text: string, work: SchemaWork): Schema {
  let read = earlier.get(text);
  if (read === undefined) {
    const before = work.steps;
    const result = schemaOrError(text, work);
    read = { result, steps: work.steps - before };
    if (earlier.size >= mostEarlier) earlier.clear();
    earlier.set(text, read);
  } else work.spend(read.steps);
  if (read.result instanceof SchemaError) throw read.result;
  return read.result;
}

/** @throws {SchemaLimitError} which depends on what other schemas cost */
function schemaOrError(text: string, work: SchemaWork): Schema | SchemaError {
  try {
    return readSchema(text, work);
  } catch (error) {
    if (error instanceof SchemaError && !(error instanceof SchemaLimitError)) return error;
    throw error;
  }
}
