import { Lexer } from 'yaml';

/** What the library's lexer does for each kind of token. Its types hide it; the version of the library is exact. */
interface LexerSteps {
  /** The smallest indentation of lines that continue a value. */
  indentNext: number;
  parseQuotedScalar(): Step;
  parseFlowCollection(): Step;
  lex(source: string): Generator<string>;
}

type Step = Generator<string, unknown>;

const LibraryLexer = Lexer as unknown as new () => LexerSteps;

/**
 * Reads quoted texts and brackets as go-yaml does: their lines need no indentation. YAML 1.2 requires it, but no line between a quote
 * or bracket and its end can be anything else.
 */
export class YamlLexer extends LibraryLexer {
  override parseQuotedScalar(): Step {
    return this.#withoutIndentation(super.parseQuotedScalar());
  }

  override parseFlowCollection(): Step {
    return this.#withoutIndentation(super.parseFlowCollection());
  }

  *#withoutIndentation(step: Step): Step {
    const { indentNext } = this;
    this.indentNext = 0;
    const state = yield* step;
    this.indentNext = indentNext;
    return state;
  }
}
