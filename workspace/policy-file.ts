import { isNode, isScalar, LineCounter, type Document, type YAMLError } from 'yaml';
import { type FieldPath, type FileLocation, formatFieldPath } from '../compiler/index.ts';
import { closest } from '../compiler/suggestion.ts';
import { aliasesAreCounted, parseYaml } from './bounded-yaml.ts';
import { unreadableSettings } from './settings-text.ts';
import { UserError } from './user-error.ts';

function syntaxFault(file: string, text: string) {
  return ({ message, linePos }: YAMLError): Error => {
    const { line = 1, col = 1 } = linePos?.[0] ?? {};
    const what = `is not valid YAML: ${message.split(/ at line \d|\n/, 1)[0] ?? ''}`;
    const hint = 'correct the file; no command reads only a part of it';
    return unreadableSettings(file, what, hint, { line, column: col }, text);
  };
}

/** A value of the policy file with its location. */
export interface Placed<T> {
  readonly value: T;
  readonly location: FileLocation;
}

/** Reads the values of a policy file, and locates invalid ones. All its methods throw a UserError for those. */
export class PolicyFile {
  readonly #file: string;
  readonly #text: string;
  readonly #lines = new LineCounter();
  readonly #document: Document;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
    this.#document = parseYaml(file, text, {
      syntaxError: syntaxFault(file, text),
      lineCounter: this.#lines,
    });
  }

  /**
   * Returns the fields of the mapping at a path; an empty object if it is missing. With `known`, other fields are
   * invalid.
   */
  fields(path: FieldPath, known?: readonly string[]): Readonly<Record<string, unknown>> {
    const value = this.#at(path);
    if (value === undefined || value === null) return {};
    if (typeof value !== 'object' || Array.isArray(value)) throw this.wrong(path, 'is not a mapping');
    const fields = value as Readonly<Record<string, unknown>>;
    const unknown = known && Object.keys(fields).find((field) => !known.includes(field));
    if (unknown !== undefined) {
      const meant = closest(unknown, known ?? []);
      const what = `is unknown: use one of ${known?.join(', ') ?? ''}`;
      throw this.wrong([...path, unknown], what, meant && `did you mean ${meant}?`);
    }
    return fields;
  }

  /** Returns the paths of the entries of the list at a path; an empty list if it is missing. */
  entries(path: FieldPath): FieldPath[] {
    const value = this.#at(path);
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw this.wrong(path, 'is not a list');
    return value.map((_, index) => [...path, index]);
  }

  /** Returns the strings of the list at a path; an empty list if it is missing. */
  texts(path: FieldPath): Placed<string>[] {
    return this.entries(path).map((at) => {
      const entry = this.#at(at);
      if (typeof entry !== 'string') throw this.wrong(at, 'is not a string');
      return { value: entry, location: this.locate(at) };
    });
  }

  /** Returns the string at a path; undefined if it is missing. */
  text(path: FieldPath): Placed<string> | undefined {
    const value = this.#at(path);
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string' || value.trim() === '') throw this.wrong(path, 'is not a string');
    return { value, location: this.locate(path) };
  }

  wrong(path: FieldPath, what: string, hint?: string): UserError {
    const { file, line } = this.locate(path);
    const subject = path.length === 0 ? 'the file' : formatFieldPath(path);
    return new UserError(`${file}:${line}: ${subject} ${what}`, hint);
  }

  locate(path: FieldPath): FileLocation {
    return this.#locationOf(this.#startOf(path));
  }

  /**
   * Returns the location of a character of the string at a path, if the file contains the string literally; otherwise
   * the location of the string.
   */
  locateWithin(path: FieldPath, offset: number): FileLocation {
    const node: unknown = this.#document.getIn([...path], true);
    const start = this.#startOf(path);
    if (!isScalar(node) || typeof node.value !== 'string') return this.#locationOf(start);
    const quote = /^["']/.test(this.#text.slice(start)) ? 1 : 0;
    const isVerbatim = this.#text.startsWith(node.value, start + quote);
    return this.#locationOf(isVerbatim ? start + quote + offset : start);
  }

  #at(path: FieldPath): unknown {
    let value: unknown = this.#document.toJS(aliasesAreCounted);
    for (const step of path) {
      if (typeof value !== 'object' || value === null) return undefined;
      value = (value as Readonly<Record<string | number, unknown>>)[step];
    }
    return value;
  }

  #startOf(path: FieldPath): number {
    const node: unknown = this.#document.getIn([...path], true);
    return isNode(node) ? (node.range?.[0] ?? 0) : 0;
  }

  #locationOf(offset: number): FileLocation {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.#file, line: Math.max(1, line), column: Math.max(1, col) };
  }
}
