import { SchemaCompiler } from './compile-schema.ts';
import { metaschemaOf } from './metaschema.ts';
import { describedMismatches, pointerOf, quoted, type Mismatch } from './mismatch.ts';
import { addressOfFile, PlacedSchemas, type PlacedSchema } from './placed-schemas.ts';
import type { Schema } from './schema.ts';
import { schemaPointer } from './schema-address.ts';
import { SchemaError } from './schema-error.ts';
import { parseSchemaJson } from './schema-json.ts';
import type { SchemaWork } from './schema-work.ts';
import { mismatchOf } from './validate.ts';

/**
 * Returns the schema in a `values.schema.json`. As Helm's validator, but a schema never reads a file or the network.
 *
 * @throws {SchemaError} for one that is not valid, or refers to another document
 */
export function readSchema(text: string, work: SchemaWork): Schema {
  work.spend(text.length >> 4);
  const placed = new PlacedSchemas(parseSchemaJson(text), work, (schema) => {
    checkSchema(schema, placed, work);
  });
  return new SchemaCompiler(placed, work).compile(addressOfFile);
}

/** @throws {SchemaError} for a value that is not a schema of its dialect */
function checkSchema({ json, resource, place }: PlacedSchema, placed: PlacedSchemas, work: SchemaWork): void {
  const schema = metaschemaOf(resource.dialect);
  const mismatch = mismatchOf(schema, json, {
    work,
    metaschema: {
      schema,
      of: (value) => {
        const part = placed.resourceOf(value);
        return part === undefined ? undefined : metaschemaOf(part.dialect);
      },
    },
  });
  if (mismatch !== undefined)
    throw new SchemaError(`the schema is not valid: ${problemsOf(mismatch, schemaPointer(place), work)}`);
}

const mostProblems = 5;

function problemsOf(mismatch: Mismatch, pointer: string, work: SchemaWork): string {
  const problems = describedMismatches(mismatch, work);
  const shown = problems
    .slice(0, mostProblems)
    .map(({ place, message }) => `at ${quoted(pointer + pointerOf(place))}: ${message}`);
  const more = problems.length - shown.length;
  return shown.join(', ') + (more > 0 ? `, and ${more} more` : '');
}
