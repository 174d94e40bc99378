import type { Instance } from './json-value.ts';
import type { Schema } from './schema.ts';
import type { SchemaWork } from './schema-work.ts';

/** The parts of a value that no keyword has evaluated yet, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Unevaluated {
  #names: Set<string> | undefined;
  #positions: Set<number> | undefined;

  /** @param isAsked - whether a schema around this one asks for them */
  constructor(value: Instance, schema: Schema, isAsked: boolean, work: SchemaWork) {
    const { object, array, unevaluatedProperties, unevaluatedItems } = schema;
    if (value instanceof Map) {
      if (object?.additional !== undefined || !(isAsked || unevaluatedProperties !== undefined)) return;
      work.spend(value.size / 2);
      this.#names = new Set(value.keys());
    } else if (Array.isArray(value)) {
      if (array?.others !== undefined || !(isAsked || unevaluatedItems !== undefined)) return;
      work.spend(value.length / 2);
      this.#positions = new Set([...value.keys()].slice(array?.first.length ?? 0));
    }
  }

  get isEmpty(): boolean {
    return (this.#names?.size ?? 0) === 0 && (this.#positions?.size ?? 0) === 0;
  }

  /** Removes a part that a keyword evaluates. */
  remove(part: string | number): void {
    if (typeof part === 'string') this.#names?.delete(part);
    else this.#positions?.delete(part);
  }

  /** Removes what another schema evaluates of the same value. */
  keepOnly(other: Unevaluated): void {
    for (const name of this.#names ?? []) if (other.#names?.has(name) !== true) this.#names?.delete(name);
    for (const position of this.#positions ?? [])
      if (other.#positions?.has(position) !== true) this.#positions?.delete(position);
  }

  /** Returns the names and marks all as evaluated. */
  takeNames(): readonly string[] {
    const names = [...(this.#names ?? [])];
    this.#names = undefined;
    return names;
  }

  /** Returns the positions and marks all as evaluated. */
  takePositions(): readonly number[] {
    const positions = [...(this.#positions ?? [])];
    this.#positions = undefined;
    return positions;
  }
}
