import type { Position, Range } from 'vscode-languageserver/node';
import type { TextRange } from './yaml-field.ts';

/** A text whose offsets are converted to lines and columns as editors count them: from 0, columns in UTF-16 code units. */
export class TextPositions {
  readonly text: string;
  readonly #lines: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.#lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  /** Returns the offset of a position; the end of its line if the line is shorter. */
  offset({ line, character }: Position): number {
    const start = this.#lines[line];
    if (start === undefined) return this.text.length;
    return Math.min(start + character, (this.#lines[line + 1] ?? this.text.length + 1) - 1);
  }

  position(offset: number): Position {
    const after = this.#lines.findIndex((start) => start > offset);
    const line = (after < 0 ? this.#lines.length : after) - 1;
    return { line, character: offset - (this.#lines[line] ?? 0) };
  }

  range({ start, end }: TextRange): Range {
    return { start: this.position(start), end: this.position(end) };
  }

  /**
   * Returns a function that returns the number of a line of an earlier text in this one, both from 0. The texts have the same lines at the
   * beginning and at the end; of those between them, lines that this text no longer has are undefined.
   */
  linesAfter(earlier: TextPositions): (line: number) => number | undefined {
    const shorter = Math.min(this.lineCount, earlier.lineCount);
    let same = 0;
    while (same < shorter && this.line(same) === earlier.line(same)) same += 1;
    let sameAtEnd = 0;
    const lineFromEnd = (text: TextPositions): string => text.line(text.lineCount - 1 - sameAtEnd);
    while (sameAtEnd < shorter - same && lineFromEnd(this) === lineFromEnd(earlier)) sameAtEnd += 1;
    const end = this.lineCount - sameAtEnd;
    return (line) => {
      if (line >= earlier.lineCount - sameAtEnd) return line + this.lineCount - earlier.lineCount;
      return line < end ? line : undefined;
    };
  }

  /** Returns a line without its line break; empty after the last line. */
  line(line: number): string {
    const start = this.#lines[line];
    if (start === undefined) return '';
    return this.text.slice(start, (this.#lines[line + 1] ?? this.text.length + 1) - 1).replace(/\r$/, '');
  }

  /**
   * Returns the range of what begins at a line and column from 1: a key with the scalar beside it, a quoted text, or a word up to a
   * space.
   */
  field(line: number, column: number): Range {
    const text = this.line(line - 1);
    const start = Math.min(column - 1, text.length);
    const rest = text.slice(start);
    const [key = ''] = /^[\w./-]+:(?=\s+[^\s#|>&])/.exec(rest) ?? [];
    const value = key === '' ? '' : rest.slice(key.length).replace(/\s+(?:#.*)?$/, '');
    const [word = ''] = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,\]}#]+)/.exec(rest) ?? [];
    const length = key === '' ? word.replace(/:$/, '').length : key.length + value.length;
    const end = start + Math.max(length, rest === '' ? 0 : 1);
    return { start: { line: line - 1, character: start }, end: { line: line - 1, character: end } };
  }

  /**
   * Returns the range of a name that is the scalar at a line and column from 1, or the value of the key there. Undefined if the line does
   * not have it there, such as for an alias.
   */
  name(name: string, line: number, column: number): Range | undefined {
    const rest = this.line(line - 1).slice(column - 1);
    const [before = ''] = /^(?:- )?(?:["']?[\w./-]+["']?:\s+)?["']?/.exec(rest) ?? [];
    const isThere =
      rest.startsWith(name, before.length) && !/^[\w./-]/.test(rest.slice(before.length + name.length));
    if (!isThere) return undefined;
    const start = column - 1 + before.length;
    return {
      start: { line: line - 1, character: start },
      end: { line: line - 1, character: start + name.length },
    };
  }
}
