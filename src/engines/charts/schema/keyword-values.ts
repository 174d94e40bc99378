import type { Dialect } from './draft.ts';
import { JsonNumber } from './json-number.ts';
import { isKeyword } from './keywords.ts';
import { jsonTypes, type JsonType, type Schema } from './schema.ts';
import type { SchemaJson, SchemaObject } from './schema-json.ts';

/** Returns the schema of a value of a keyword. */
type SchemaOf = (json: SchemaJson, ...steps: readonly string[]) => Schema;

/** The values of the keywords of one schema that have a meaning in its dialect. A value with a wrong type counts as missing. */
export class KeywordValues {
  readonly #json: SchemaObject;
  readonly #dialect: Dialect;
  readonly #schemaOf: SchemaOf;

  constructor(json: SchemaObject, dialect: Dialect, schemaOf: SchemaOf) {
    this.#json = json;
    this.#dialect = dialect;
    this.#schemaOf = schemaOf;
  }

  /** Undefined if the schema does not have the keyword. */
  value(name: string): SchemaJson | undefined {
    return isKeyword(name, this.#dialect) ? this.#json.get(name) : undefined;
  }

  hasAny(names: readonly string[]): boolean {
    return names.some((name) => this.#json.has(name));
  }

  /** Undefined for a number that Go's big.Rat refuses, too. */
  number(name: string): number | JsonNumber | undefined {
    const value = this.value(name);
    if (value instanceof JsonNumber) return value.decimal === undefined ? undefined : value;
    return typeof value === 'number' ? value : undefined;
  }

  /** Returns the number of something, as an int64 of Go. */
  count(name: string): number | undefined {
    const value = this.number(name);
    const number = value instanceof JsonNumber ? value.value : value;
    return number === undefined || !Number.isInteger(number)
      ? undefined
      : Number(BigInt.asIntN(64, BigInt(number)));
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    return typeof value === 'string' ? value : undefined;
  }

  isTrue(name: string): boolean {
    return this.value(name) === true;
  }

  list(name: string): readonly SchemaJson[] | undefined {
    const value = this.value(name);
    return Array.isArray(value) ? (value as readonly SchemaJson[]) : undefined;
  }

  texts(name: string): readonly string[] {
    return textsOf(this.list(name) ?? []);
  }

  entries(name: string): readonly (readonly [name: string, value: SchemaJson])[] {
    const value = this.value(name);
    return value instanceof Map ? [...value] : [];
  }

  types(): readonly JsonType[] | undefined {
    const names = new Set<unknown>([this.value('type')].flat());
    const types = jsonTypes.filter((name) => names.has(name));
    return types.length === 0 ? undefined : types;
  }

  /** A list with the value, which can be null. */
  constant(): readonly [SchemaJson] | undefined {
    const value = this.value('const');
    return value === undefined ? undefined : [value];
  }

  /** The schema that is the value of a keyword. */
  schema(name: string): Schema | undefined {
    const json = this.value(name);
    return json === undefined ? undefined : this.#schemaOf(json, name);
  }

  /** The schemas in the list that is the value of a keyword. */
  schemas(name: string): readonly Schema[] {
    return (this.list(name) ?? []).map((json, index) => this.#schemaOf(json, name, String(index)));
  }

  /** The schemas in the object that is the value of a keyword. */
  namedSchemas(name: string): readonly (readonly [name: string, schema: Schema])[] {
    return this.entries(name).map(([key, json]) => [key, this.#schemaOf(json, name, key)]);
  }

  /** The value of a keyword with an object: lists of names, or schemas. */
  dependencies(
    name: string,
  ): readonly { readonly property: string; readonly needs: readonly string[] | Schema }[] {
    return this.entries(name).map(([property, json]) => ({
      property,
      needs: Array.isArray(json)
        ? textsOf(json as readonly SchemaJson[])
        : this.#schemaOf(json, name, property),
    }));
  }
}

function textsOf(items: readonly SchemaJson[]): readonly string[] {
  return items.filter((each) => typeof each === 'string');
}
