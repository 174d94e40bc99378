import { parseGoJson } from '../../../base/json/parse-json.ts';
import { JsonFaultError, JsonScanner } from '../../../base/json/json-scanner.ts';
import { JsonValues } from '../../../base/json/json-values.ts';
import { JsonNumber } from './json-number.ts';
import { SchemaError } from './schema-error.ts';

/** A value of a schema. */
export type SchemaJson = null | boolean | number | string | JsonNumber | readonly SchemaJson[] | SchemaObject;

/** A schema that is not a boolean, or another object of a schema. A Map, because `__proto__` is a name like any other. */
export type SchemaObject = Map<string, SchemaJson>;

// as encoding/json decode.go: maxNestingDepth
const deepest = 10_000;

/**
 * Parses a schema. A number that is not written as JavaScript writes it keeps its text.
 *
 * @throws {SchemaError} for a text that is not JSON
 */
export function parseSchemaJson(text: string): SchemaJson {
  const reader = new SchemaReader(text);
  const scanner = new JsonScanner(text, reader, { deepest });
  try {
    scanner.next();
    scanner.value();
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error;
    throw faultOf(text);
  }
  if (scanner.next() !== undefined) throw faultOf(text);
  return reader.result ?? null;
}

/** Returns the fault in Go's words. */
function faultOf(text: string): SchemaError {
  const parsed = parseGoJson(text);
  return new SchemaError('error' in parsed ? parsed.error : 'the schema is nested too deeply');
}

class SchemaReader extends JsonValues<SchemaJson> {
  protected constant(value: string | boolean | null): SchemaJson {
    return value;
  }

  protected number(text: string): SchemaJson {
    return JsonNumber.of(text);
  }

  protected collected(container: readonly SchemaJson[] | SchemaObject): SchemaJson {
    return container;
  }
}
