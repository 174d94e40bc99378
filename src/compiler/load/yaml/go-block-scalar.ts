/** A block scalar as go-yaml reads it. */
export interface BlockScalar {
  readonly value: string;
  /** The offset of the first line that does not belong to it. */
  readonly end: number;
}

/** A tab where a block scalar has to be indented, which go-yaml refuses. */
export interface TabInBlock {
  readonly tab: number;
}

/**
 * Reads a block scalar as go-yaml's `yaml_parser_scan_block_scalar`. YAML 1.2 differs for lines that have only spaces, for the
 * indentation that the header sets, and for comments below.
 *
 * @param start - the offset of its `|` or `>`
 * @param parent - the indentation of the mapping or list that contains it; -1 for a whole document
 */
export function readGoBlockScalar(document: string, start: number, parent: number): BlockScalar | TabInBlock {
  // kubectl adds the line break that the last line of a file may lack.
  const text = document.endsWith('\n') ? document : `${document}\n`;
  const headerEnd = endOfLine(text, start);
  const [, style = '', indicators = ''] = /^([|>])([-+\d]*)/.exec(text.slice(start, headerEnd)) ?? [];
  const digit = Number(/\d/.exec(indicators)?.[0] ?? 0);
  const reader = new BlockScalarReader(text, headerEnd + 1, digit === 0 ? 0 : Math.max(parent, 0) + digit);
  const chomping = indicators.includes('-') ? 'strip' : indicators.includes('+') ? 'keep' : 'clip';
  return reader.read(style === '|', chomping, parent);
}

class BlockScalarReader {
  readonly #text: string;
  #at: number;
  #column = 0;
  #indentation: number;
  /** The line breaks behind the last line. */
  #breaks = '';
  #tab: number | undefined;

  constructor(text: string, at: number, indentation: number) {
    this.#text = text;
    this.#at = Math.min(at, text.length);
    this.#indentation = indentation;
  }

  read(isLiteral: boolean, chomping: 'strip' | 'clip' | 'keep', parent: number): BlockScalar | TabInBlock {
    let value = '';
    let lineBreak = '';
    let wasIndentedMore = false;
    this.#skipBlankLines(parent);
    while (this.#column === this.#indentation && this.#at < this.#text.length && this.#tab === undefined) {
      const isIndentedMore = this.#isBlank();
      const isFolded = !isLiteral && !wasIndentedMore && !isIndentedMore && lineBreak !== '';
      if (!isFolded) value += lineBreak;
      else if (this.#breaks === '') value += ' ';
      value += this.#breaks;
      wasIndentedMore = isIndentedMore;
      const lineEnd = endOfLine(this.#text, this.#at);
      value += this.#text.slice(this.#at, lineEnd).replace(/\r$/, '');
      lineBreak = '\n';
      this.#moveTo(lineEnd + 1);
      this.#skipBlankLines(parent);
    }
    if (this.#tab !== undefined) return { tab: this.#tab };
    if (chomping !== 'strip') value += lineBreak;
    if (chomping === 'keep') value += this.#breaks;
    return { value, end: this.#at - this.#column };
  }

  /** As `yaml_parser_scan_block_scalar_breaks`: also finds the indentation if the header does not set it. */
  #skipBlankLines(parent: number): void {
    this.#breaks = '';
    let most = 0;
    for (;;) {
      while (this.#isInIndentation() && this.#text[this.#at] === ' ') {
        this.#at++;
        this.#column++;
      }
      most = Math.max(most, this.#column);
      if (this.#isInIndentation() && this.#text[this.#at] === '\t') this.#tab = this.#at;
      const lineBreak = this.#text.startsWith('\r\n', this.#at) ? 2 : 1;
      if (this.#text[this.#at + lineBreak - 1] !== '\n') break;
      this.#breaks += '\n';
      this.#moveTo(this.#at + lineBreak);
    }
    if (this.#indentation === 0) this.#indentation = Math.max(most, parent + 1, 1);
  }

  #isInIndentation(): boolean {
    return this.#indentation === 0 || this.#column < this.#indentation;
  }

  #isBlank(): boolean {
    return this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t';
  }

  #moveTo(lineStart: number): void {
    this.#at = Math.min(lineStart, this.#text.length);
    this.#column = 0;
  }
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length : newline;
}
