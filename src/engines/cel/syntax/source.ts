import { wellFormed } from './text.ts';

/** An error in an expression. */
export interface ExpressionFault {
  /** In code points from the start of the expression; -1 if it applies to the whole expression. */
  readonly offset: number;
  readonly message: string;
}

const mostFaults = 100;
const longestSnippet = 16_384;

/** The text of an expression by code points. The hub counts columns in code points. */
export class Source {
  readonly characters: readonly string[];
  /** The offset at which each line starts. */
  readonly #lineStarts: readonly number[];

  constructor(text: string) {
    // Go converts invalid Unicode to U+FFFD
    this.characters = Array.from(wellFormed(text));
    this.#lineStarts = [
      0,
      ...this.characters.flatMap((character, index) => (character === '\n' ? [index + 1] : [])),
    ];
  }

  slice(start: number, end: number): string {
    return this.characters.slice(start, end).join('');
  }

  /**
   * Returns all faults as the hub writes them, in the order of the text: `ERROR: <input>:1:5: message`, then the line and a
   * caret. As cel-go's common.Errors.ToDisplayString.
   */
  describe(faults: readonly ExpressionFault[]): string {
    const described = faults
      .slice(0, mostFaults)
      .sort((a, b) => a.offset - b.offset)
      .map((fault) => this.#describe(fault));
    if (faults.length > mostFaults)
      described.push(`${faults.length - mostFaults} more errors were truncated`);
    return described.join('\n');
  }

  #describe({ offset, message }: ExpressionFault): string {
    if (offset < 0) return `ERROR: <input>:-1:0: ${message}`;
    if (this.characters.length === 0) return `ERROR: <input>:1:0: ${message}`;
    const line = this.#lineStarts.findLastIndex((start) => start <= offset);
    const start = this.#lineStarts[line] ?? 0;
    const column = offset - start;
    const head = `ERROR: <input>:${line + 1}:${column + 1}: ${message}`;
    const next = this.#lineStarts[line + 1];
    const snippet = this.characters.slice(start, next === undefined ? this.characters.length : next - 1);
    if (new TextEncoder().encode(snippet.join('')).length > longestSnippet) return head;
    const dots = snippet.slice(0, column).map((character) => (isWide(character) ? '．' : '.'));
    const marked = snippet[column];
    const caret = marked !== undefined && isWide(marked) ? '＾' : '^';
    return `${head}\n | ${snippet.join('').replaceAll('\t', ' ')}\n | ${dots.join('')}${caret}`;
  }
}

/** Whether the character has more than one byte in UTF-8: the hub marks such characters with full-width signs. */
function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
