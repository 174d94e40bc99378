import type { Token } from './lexer.ts';
import type { ExpressionFault } from './source.ts';

/** The maximum nesting of expressions in cel-go's parser. */
export const recursionLimit = 250;

/** The tokens that an expression can start with, as ANTLR lists them. */
const starts = ["'['", "'{'", "'('", "'.'", "'-'", "'!'", "'true'", "'false'", "'null'", 'NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES', 'IDENTIFIER']; // prettier-ignore
const startTokens = new Set(['[', '{', '(', '.', '-', '!', 'true', 'false', 'null']);

const opening = new Set(['(', '[', '{']);
const closing = new Set([')', ']', '}']);

/** Thrown to end parsing; `faults` has the reason. Parsing stops at the first syntax error, whereas ANTLR continues after it. */
export class ParsingEnd extends Error {}

/** Reads the tokens of an expression in order. Reports unexpected tokens in ANTLR's words. */
export class TokenReader {
  readonly faults: ExpressionFault[] = [];
  readonly #tokens: readonly Token[];
  #position = 0;
  /** The current depth of the recursive rules of the grammar. */
  readonly #open = { expression: 0, relation: 0, calculation: 0 };

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peek(ahead = 0): Token {
    const index = Math.min(this.#position + ahead, this.#tokens.length - 1);
    return this.#tokens[index] ?? { kind: 'end', text: '<EOF>', offset: 0 };
  }

  next(): Token {
    const token = this.peek();
    this.#position += 1;
    return token;
  }

  /** Whether an operator or a keyword comes next. */
  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'operator' && token.text === text;
  }

  /** The same for one of several. */
  isOneOf(texts: ReadonlySet<string>): boolean {
    const token = this.peek();
    return token.kind === 'operator' && texts.has(token.text);
  }

  take(text: string): Token | undefined {
    return this.is(text) ? this.next() : undefined;
  }

  /** @throws {ParsingEnd} */
  expect(text: string, otherwise: readonly string[] = []): Token {
    const token = this.take(text);
    if (token !== undefined) return token;
    if (closing.has(text) && otherwise.length === 0 && this.#lacksOneBracket()) {
      this.stop(this.peek().offset, `Syntax error: missing '${text}' at '<EOF>'`);
    }
    return this.unexpected([`'${text}'`, ...otherwise], this.is(text, 1));
  }

  /** Whether the expression has ended and is only missing one closing bracket. ANTLR then inserts it. */
  #lacksOneBracket(): boolean {
    if (this.peek().kind !== 'end') return false;
    let brackets = 0;
    let conditions = 0;
    for (const [index, { kind, text }] of this.#tokens.entries()) {
      if (kind !== 'operator') continue;
      if (opening.has(text)) brackets += 1;
      if (closing.has(text)) brackets -= 1;
      const selects = this.#tokens[index - 1]?.text === '.';
      if (brackets === 0 && text === '?' && !selects) conditions += 1;
      if (brackets === 0 && text === ':') conditions -= 1;
    }
    return brackets === 1 && conditions === 0;
  }

  /**
   * Requires that an expression starts here; `also` lists the alternatives for the message.
   *
   * @throws {ParsingEnd}
   */
  expectStart(also: readonly string[] = []): void {
    if (this.#canStart(0)) return;
    const expected = starts.flatMap((start) => {
      if (start === "'.'" && also.includes(')')) return ["')'", start];
      if (start === "'true'" && also.includes('?')) return ["'?'", start];
      return [start];
    });
    this.unexpected(expected, this.#canStart(1));
  }

  #canStart(ahead: number): boolean {
    const { kind, text } = this.peek(ahead);
    return kind === 'operator' ? startTokens.has(text) : kind !== 'end' && kind !== 'escaped identifier';
  }

  /**
   * Reports that the next token does not fit. ANTLR's words depend on whether skipping the token would help.
   *
   * @throws {ParsingEnd}
   */
  unexpected(expected: readonly string[], extraneous = false): never {
    const { text, offset } = this.peek();
    const list = expected.length === 1 ? expected.join('') : `{${expected.join(', ')}}`;
    const what = extraneous ? 'extraneous' : 'mismatched';
    this.stop(offset, `Syntax error: ${what} input '${text}' expecting ${list}`);
  }

  /** @throws {ParsingEnd} */
  stop(offset: number, message: string): never {
    this.faults.push({ offset, message });
    throw new ParsingEnd();
  }

  /**
   * Parses a part of a rule, and counts the nesting of that rule, as cel-go's recursionListener.
   *
   * @throws {ParsingEnd} beyond the limit
   */
  nested<T>(rule: 'expression' | 'relation' | 'calculation', parse: () => T): T {
    this.#open[rule] += 1;
    if (this.#open[rule] > recursionLimit)
      this.stop(-1, `expression recursion limit exceeded: ${recursionLimit}`);
    const result = parse();
    this.#open[rule] -= 1;
    return result;
  }
}
