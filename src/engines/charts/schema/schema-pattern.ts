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
    const expression = compiledPattern(text, this.#size, work);
    if (typeof expression === 'string') throw new SchemaError(`the schema is not valid: ${expression}`);
    this.#expression = expression;
  }

  /** Whether a part of a text matches. RE2 visits each state for each character, in the worst case. */
  matches(text: string, work: SchemaWork): boolean {
    work.spend(5 + text.length * (1 + this.#size / 10));
    return this.#expression.test(text);
  }
}

/** Returns what is wrong with a pattern, in Go's words; undefined for a valid one. */
export function patternProblem(text: string, work: SchemaWork): string | undefined {
  const expression = compiledPattern(text, patternSize(text), work);
  return typeof expression === 'string' ? expression : undefined;
}

function compiledPattern(text: string, size: number, work: SchemaWork): RE2JS | string {
  work.spend(200 + 10 * size);
  try {
    return RE2JS.compile(text);
  } catch (error) {
    // Go quotes the part of the pattern also if it is empty.
    return (error as Error).message.replace(/ at end of expression$/, '$&: ``');
  }
}
