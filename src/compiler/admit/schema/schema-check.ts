import { RE2JS } from 're2js';
import type { SchemaType, StructuralSchema } from '../../../../schemas/index.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { formats } from './formats.ts';
import { isJsonList, isJsonMap, ownField } from '../../../base/json/json-map.ts';

/** One keyword of a schema that a value violates. */
export interface SchemaViolation {
  readonly keyword: Keyword;
  readonly path: FieldPath;
  readonly data: unknown;
  /** The schema that the value is compared with. */
  readonly check: SchemaCheck;
  /** The missing field, for `required`. */
  readonly missing?: string;
}

type Keyword = 'type' | 'enum' | 'required' | 'pattern' | 'format' | Limit;
export type Limit = 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems';

/** Longer texts are matched with patterns in linear time. */
const longText = 4096;

/**
 * A schema as kube-openapi reads it. Its parts are prepared when a value first reaches them: most objects have few of the fields
 * in their schema.
 */
export class SchemaCheck {
  readonly schema: StructuralSchema;
  /** Empty if any type is valid. */
  readonly types: readonly (SchemaType | 'null')[];
  readonly format: string | undefined;
  readonly #fields = new Map<string, SchemaCheck | undefined>();
  readonly #required: readonly string[];
  readonly #names: readonly string[];
  readonly #pattern: RegExp | undefined;
  #linearPattern: RE2JS | undefined;
  #items: SchemaCheck | undefined;
  #values: SchemaCheck | undefined;

  constructor(schema: StructuralSchema) {
    this.schema = schema;
    const types = typesOf(schema);
    const isNumber = types.includes('integer') || types.includes('number');
    // an integer is only valid if it fits Go's int64
    this.format = schema.format ?? (types.includes('integer') ? 'int64' : undefined);
    // as kube-openapi typeValidator, which accepts lists for strings with a format
    this.types = schema.format !== undefined && !isNumber ? [...types, 'array'] : types;
    // Go's regular expressions have no `u` flag, and some of OCM's patterns have escapes that JavaScript does not allow with it
    this.#pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern);
    this.#required = schema.required ?? [];
    this.#names = Object.keys(schema.properties ?? {});
  }

  /** For some patterns, JavaScript needs quadratic time in the length of a text. Go, and so the API server, does not. */
  #fitsPattern(text: string): boolean {
    const { pattern } = this.schema;
    if (pattern === undefined || this.#pattern === undefined) return true;
    if (text.length <= longText) return this.#pattern.test(text);
    this.#linearPattern ??= RE2JS.compile(pattern);
    return this.#linearPattern.matcher(text).find();
  }

  /** Adds the violations of a value, its own before those of its parts. */
  run(data: unknown, path: FieldPath, violations: SchemaViolation[]): void {
    const blame = (keyword: Keyword): void => {
      violations.push({ keyword, path, data, check: this });
    };
    if (this.types.length > 0 && !this.types.some((type) => isOf[type](data))) blame('type');
    if (typeof data === 'number') {
      const { minimum = -Infinity, maximum = Infinity } = this.schema;
      if (data > maximum) blame('maximum');
      if (data < minimum) blame('minimum');
      if (this.format !== undefined && !keepsNumberFormat(data, this.format)) blame('format');
    } else if (typeof data === 'string') this.#runText(data, blame);
    if (this.schema.enum !== undefined && !this.schema.enum.some((value) => value === data)) blame('enum');
    if (isJsonList(data)) this.#runList(data, path, violations, blame);
    else if (isJsonMap(data)) this.#runMap(data, path, violations);
  }

  #runText(data: string, blame: (keyword: Keyword) => void): void {
    const { minLength = 0, maxLength = Infinity } = this.schema;
    // A code point is one or two units: usually no count is needed.
    if (data.length > maxLength && lengthOf(data) > maxLength) blame('maxLength');
    if (data.length < 2 * minLength && lengthOf(data) < minLength) blame('minLength');
    if (!this.#fitsPattern(data)) blame('pattern');
    if (this.format !== undefined && !keepsTextFormat(data, this.format)) blame('format');
  }

  #runList(
    data: readonly unknown[],
    path: FieldPath,
    violations: SchemaViolation[],
    blame: (keyword: Keyword) => void,
  ): void {
    const { minItems = 0, maxItems = Infinity, items } = this.schema;
    if (data.length > maxItems) blame('maxItems');
    if (data.length < minItems) blame('minItems');
    if (items === undefined) return;
    this.#items ??= new SchemaCheck(items);
    for (const [index, item] of data.entries()) this.#items.run(item, [...path, index], violations);
  }

  #runMap(data: Readonly<Record<string, unknown>>, path: FieldPath, violations: SchemaViolation[]): void {
    for (const missing of this.#required) {
      if (ownField(data, missing) === undefined)
        violations.push({ keyword: 'required', path, data, check: this, missing });
    }
    const { additionalProperties, properties } = this.schema;
    if (additionalProperties !== undefined && additionalProperties !== false) {
      this.#values ??= new SchemaCheck(additionalProperties);
      for (const [name, value] of Object.entries(data)) {
        if (properties === undefined || !Object.hasOwn(properties, name))
          this.#values.run(value, [...path, name], violations);
      }
    }
    for (const name of this.#names) {
      const value = ownField(data, name);
      if (value !== undefined) this.#field(name)?.run(value, [...path, name], violations);
    }
  }

  #field(name: string): SchemaCheck | undefined {
    const cached = this.#fields.get(name);
    if (cached !== undefined) return cached;
    const schema = this.schema.properties?.[name];
    const check = schema && new SchemaCheck(schema);
    this.#fields.set(name, check);
    return check;
  }
}

function typesOf({
  type,
  'x-kubernetes-int-or-string': isIntOrString,
}: StructuralSchema): readonly (SchemaType | 'null')[] {
  // as ConvertJSONSchemaPropsWithPostProcess; the `anyOf` of such a schema repeats the same requirement
  if (isIntOrString) return ['integer', 'string'];
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}

const isOf: Readonly<Record<SchemaType | 'null', (data: unknown) => boolean>> = {
  array: isJsonList,
  object: isJsonMap,
  null: (data) => data === null,
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (data) => typeof data === 'boolean',
  string: (data) => typeof data === 'string',
};

function keepsNumberFormat(data: number, format: string): boolean {
  return format === 'int32' ? formats.int32(data) : format === 'int64' ? formats.int64(data) : true;
}

function keepsTextFormat(data: string, format: string): boolean {
  return format === 'date-time' || format === 'byte' ? formats[format](data) : true;
}

/** Counts code points, as Go does. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}
