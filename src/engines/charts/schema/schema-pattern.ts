import { RE2JS } from 're2js';
import { patternSize } from '../pattern-size.ts';
import { SchemaError } from './schema-error.ts';
import type { SchemaWork } from './schema-work.ts';

/** A pattern of a schema, in RE2's syntax: none takes exponential time. */
export class SchemaPattern {
  readonly text: string;
  readonly #size: number;
  readonly #expression: RE2JS;

  /** @throws {SchemaError} for a pattern that is not valid */
  constructor(text: string, work: SchemaWork) {
    this.text = text;
    this.#size = patternSize(text);
    work.spend(200 + 10 * this.#size);
    try {
      this.#expression = RE2JS.compile(text);
    } catch (error) {
      throw new SchemaError(`the schema is not valid: ${(error as Error).message}`);
    }
  }

  /** Whether a part of a text matches. RE2 visits each state for each character, in the worst case. */
  matches(text: string, work: SchemaWork): boolean {
    work.spend(5 + text.length * (1 + this.#size / 10));
    return this.#expression.test(text);
  }
}
