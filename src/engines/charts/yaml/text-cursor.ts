import type { Mark } from './token.ts';
import { YamlError } from './yaml-error.ts';

const colon = 0x3a;

function isBlankCode(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function isBreakCode(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029;
}

/** A position in a text that moves forward, and the characters at it. */
export class TextCursor {
  readonly text: string;
  at = 0;
  line = 0;
  #lineStart = 0;

  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.at - this.#lineStart;
  }

  mark(): Mark {
    return { line: this.line, column: this.column, index: this.at };
  }

  /** Empty at the end. */
  character(ahead = 0): string {
    return this.text.charAt(this.at + ahead);
  }

  is(character: string, ahead = 0): boolean {
    return this.text.charCodeAt(this.at + ahead) === character.charCodeAt(0);
  }

  isEnd(ahead = 0): boolean {
    return this.at + ahead >= this.text.length;
  }

  isBlank(ahead = 0): boolean {
    return isBlankCode(this.text.charCodeAt(this.at + ahead));
  }

  isBreak(ahead = 0): boolean {
    return isBreakCode(this.text.charCodeAt(this.at + ahead));
  }

  isBlankOrEnd(ahead = 0): boolean {
    return this.isBlank(ahead) || this.isBreak(ahead) || this.isEnd(ahead);
  }

  /** Whether a line begins here with `---` or `...`. */
  isDocumentIndicator(): boolean {
    if (this.column !== 0) return false;
    const three = this.text.slice(this.at, this.at + 3);
    return (three === '---' || three === '...') && this.isBlankOrEnd(3);
  }

  /** Skips a line break, and returns it as a text has it. */
  readBreak(): string {
    const character = this.character();
    this.at += character === '\r' && this.is('\n', 1) ? 2 : 1;
    this.line += 1;
    this.#lineStart = this.at;
    return character === '\u2028' || character === '\u2029' ? character : '\n';
  }

  skipSpaces(andTabs: boolean): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && !(andTabs && code === 0x09)) return;
      this.at += 1;
    }
  }

  /** Skips the characters of a plain scalar up to white space, its end, or the `:` of a key. */
  skipPlain(isFlow: boolean): void {
    const { text } = this;
    const end = text.length;
    let { at } = this;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (isBlankCode(code) || isBreakCode(code)) break;
      if (code === colon && this.isBlankOrEnd(at + 1 - this.at)) break;
      if (isFlow && ',?[]{}'.includes(text.charAt(at))) break;
    }
    this.at = at;
  }

  /** Skips the characters up to the end of the line. */
  skipLine(): void {
    const { text } = this;
    const end = text.length;
    let { at } = this;
    while (at < end && !isBreakCode(text.charCodeAt(at))) at += 1;
    this.at = at;
  }

  /** Skips spaces up to a column. */
  skipIndentation(column: number): void {
    const end = this.at - this.column + column;
    while (this.at < end && this.is(' ')) this.at += 1;
  }

  skipComment(): void {
    if (this.is('#')) this.skipLine();
  }

  /** At the end of a text, Go is at the next line unless the last one is empty. */
  endLastLine(): void {
    if (this.column === 0) return;
    this.line += 1;
    this.#lineStart = this.at;
  }

  /** @throws {YamlError} with the line of the problem */
  fail(problem: string): never {
    const { line } = this;
    throw new YamlError(`yaml: ${line === 0 ? '' : `line ${String(line + 1)}: `}${problem}`, line + 1);
  }
}
