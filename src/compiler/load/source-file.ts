import type { FileLocation } from '../model/origin.ts';
import { ownText } from './own-text.ts';

/** One input file: its text, and the line and column of each offset, which are computed on demand. */
export class SourceFile {
  readonly file: string;
  readonly text: string;
  /** The location of the first character. */
  readonly #start: Pick<FileLocation, 'line' | 'column'>;
  #lineStarts: readonly number[] | undefined;

  /** @param start - the location of the text, if it is a part of the file */
  constructor(
    file: string,
    text: string,
    start: Pick<FileLocation, 'line' | 'column'> = { line: 1, column: 1 },
  ) {
    this.file = file;
    this.text = text;
    this.#start = start;
  }

  /** Returns a part of the file, with the same locations. It does not keep the rest of the text in memory. */
  part(start: number, end: number): SourceFile {
    return new SourceFile(this.file, ownText(this.text.slice(start, end)), this.place(start));
  }

  /** Returns the location of an offset, counted in UTF-16 code units. */
  place(offset: number): FileLocation {
    this.#lineStarts ??= lineStarts(this.text);
    const line = lastNotAfter(this.#lineStarts, offset);
    const column = offset - (this.#lineStarts[line] ?? 0);
    const { line: firstLine, column: firstColumn } = this.#start;
    return { file: this.file, line: firstLine + line, column: column + (line === 0 ? firstColumn : 1) };
  }

  /** Returns the text of a line, counted from 1, without its line break; undefined if there is none. */
  line(number: number): string | undefined {
    this.#lineStarts ??= lineStarts(this.text);
    const start = this.#lineStarts[number - 1];
    const next = this.#lineStarts[number] ?? this.text.length + 1;
    return start === undefined ? undefined : this.text.slice(start, next - 1).replace(/\r$/, '');
  }

  /** Returns the position of an offset in its line, from 0. */
  column(offset: number): number {
    return this.place(offset).column - 1;
  }
}

const byteOrderMark = '\ufeff';

/** Returns the offset at which each line starts. A byte order mark is not part of its line. */
function lineStarts(text: string): number[] {
  const starts = [];
  for (let start = 0; start <= text.length;) {
    starts.push(text.startsWith(byteOrderMark, start) ? start + 1 : start);
    const newline = text.indexOf('\n', start);
    start = newline === -1 ? Infinity : newline + 1;
  }
  return starts;
}

/** Returns the index of the last start that is not after the offset. */
function lastNotAfter(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
