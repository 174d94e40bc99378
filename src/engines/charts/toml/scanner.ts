import { quotedRune } from '../../gotemplate/index.ts';

/** A text that is not TOML: the message of github.com/BurntSushi/toml without `toml: line 1`. */
export class TomlSyntaxError extends Error {
  override readonly name = 'TomlSyntaxError';
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** The characters of a TOML text, checked as they are read, and the line of the current one. */
export class TomlScanner {
  readonly #text: string;
  #at = 0;
  #start = 0;
  /** Counted from 1. */
  line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Begins a token. */
  start(): void {
    this.#start = this.#at;
  }

  /** What was read since the token began. */
  get token(): string {
    return this.#text.slice(this.#start, this.#at);
  }

  /** Returns the current character without reading it; empty at the end. */
  peek(): string {
    if (this.#at >= this.#text.length) return '';
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff)
      throw new TomlSyntaxError(`invalid UTF-8 byte: 0x${hexadecimal(code - 0xdc00)}`, this.line);
    const isAlone = character === '\r' && this.#text[this.#at + 1] !== '\n';
    const isControl = (code < 0x20 && !'\t\n\r'.includes(character)) || code === 0x7f;
    if (isAlone || isControl)
      throw new TomlSyntaxError(
        `TOML files cannot contain control characters: '0x${hexadecimal(code)}'`,
        this.line,
      );
    return character;
  }

  next(): string {
    const character = this.peek();
    this.#at += character.length;
    if (character === '\n') this.line += 1;
    return character;
  }

  /** Reads a character if it is the given one. */
  accept(character: string): boolean {
    if (this.peek() !== character) return false;
    this.next();
    return true;
  }

  /** Reads the characters of a set, and checks the one after them. */
  skip(set: RegExp): string {
    const from = this.#at;
    for (let character = this.peek(); character !== '' && set.test(character); character = this.peek())
      this.next();
    return this.#text.slice(from, this.#at);
  }

  /** Goes back over characters of one line that have one code unit each. */
  back(count: number): void {
    this.#at -= count;
  }

  /** Fails at the current line. After the end of a text that ends with a line end, that is the line before. */
  fail(message: string, isAfterEnd = false): never {
    const isPrevious = isAfterEnd && this.#text[this.#at - 1] === '\n';
    throw new TomlSyntaxError(message, isPrevious ? this.line - 1 : this.line);
  }

  failBefore(message: string): never {
    throw new TomlSyntaxError(message, this.line - 1);
  }
}

function hexadecimal(code: number): string {
  return code.toString(16).padStart(2, '0');
}

/** A character in single quotes as Go's `%q` prints it; the end of the text is NUL. */
export function shown(character: string): string {
  return quotedRune(character.codePointAt(0) ?? 0);
}

/** A character of a message, which may be the end of the text. */
export function shownOrEnd(character: string): string {
  return character === '' ? 'end of file' : `'${character}'`;
}
