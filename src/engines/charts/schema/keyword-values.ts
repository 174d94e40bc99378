import type { Draft } from './draft.ts';
import { kindOf } from './keywords.ts';
import type { SchemaObject } from './placed-schemas.ts';
import { jsonTypes, type JsonType } from './schema.ts';

/** The values of the keywords of one schema that have a meaning in a draft. They have been checked. */
export class KeywordValues {
  readonly #json: SchemaObject;
  readonly #draft: Draft;

  constructor(json: SchemaObject, draft: Draft) {
    this.#json = json;
    this.#draft = draft;
  }

  /** Undefined if the schema does not have the keyword. */
  value(name: string): unknown {
    return Object.hasOwn(this.#json, name) && kindOf(name, this.#draft) !== undefined
      ? this.#json[name]
      : undefined;
  }

  hasAny(names: readonly string[]): boolean {
    return names.some((name) => Object.hasOwn(this.#json, name));
  }

  number(name: string): number | undefined {
    const value = this.value(name);
    return typeof value === 'number' ? value : undefined;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    return typeof value === 'string' ? value : undefined;
  }

  isTrue(name: string): boolean {
    return this.value(name) === true;
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.value(name);
    return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
  }

  texts(name: string): readonly string[] {
    return (this.list(name) ?? []).filter((each) => typeof each === 'string');
  }

  entries(name: string): readonly (readonly [name: string, value: unknown])[] {
    return Object.entries((this.value(name) ?? {}) as SchemaObject);
  }

  types(): readonly JsonType[] | undefined {
    const type = this.value('type');
    if (type === undefined) return undefined;
    const names = new Set([type].flat());
    return jsonTypes.filter((name) => names.has(name));
  }

  /** A list with the value, which can be null. */
  constant(): readonly [unknown] | undefined {
    return this.#draft >= 6 && Object.hasOwn(this.#json, 'const') ? [this.#json['const']] : undefined;
  }
}
