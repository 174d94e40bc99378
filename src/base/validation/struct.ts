import { isJsonList, isJsonMap, type JsonMap } from '../json/json-map.ts';
import type { Field } from './field-fault.ts';

/**
 * A part of an object as Go decodes it, with the path to it. Absent and null are the same. A value of another type is taken as
 * absent: the API server does not decode such an object, which the rules for types report.
 */
export class Struct {
  readonly fields: JsonMap;
  readonly field: Field;

  constructor(fields: JsonMap, field: Field) {
    this.fields = fields;
    this.field = field;
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  /** Returns a value. Undefined if it is absent or null. */
  value(name: string): unknown {
    return Object.hasOwn(this.fields, name) ? (this.fields[name] ?? undefined) : undefined;
  }

  at(name: string): Field {
    return this.field.child(name);
  }

  text(name: string): string {
    const value = this.value(name);
    return typeof value === 'string' ? value : '';
  }

  integer(name: string): number | undefined {
    const value = this.value(name);
    if (typeof value === 'bigint') return Number(value);
    return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
  }

  isTrue(name: string): boolean {
    return this.value(name) === true;
  }

  struct(name: string): Struct | undefined {
    const value = this.value(name);
    return isJsonMap(value) ? new Struct(value, this.at(name)) : undefined;
  }

  /** Returns a struct that is not a pointer in Go: an absent one is empty. */
  embedded(name: string): Struct {
    return this.struct(name) ?? new Struct({}, this.at(name));
  }

  /** Returns the entries of a list of structs. */
  structs(name: string): readonly Struct[] {
    const value = this.value(name);
    if (!isJsonList(value)) return [];
    const field = this.at(name);
    // Go decodes null in a list as an empty struct
    return value.map((entry, index) => new Struct(isJsonMap(entry) ? entry : {}, field.index(index)));
  }

  texts(name: string): readonly string[] {
    const value = this.value(name);
    return isJsonList(value) ? value.map((entry) => (typeof entry === 'string' ? entry : '')) : [];
  }

  /** Returns a map of texts. */
  textMap(name: string): ReadonlyMap<string, string> {
    return new Map(
      this.entries(name).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
    );
  }

  entries(name: string): readonly (readonly [string, unknown])[] {
    const value = this.value(name);
    return isJsonMap(value) ? Object.entries(value) : [];
  }
}
