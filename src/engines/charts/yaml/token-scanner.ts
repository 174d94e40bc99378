import { scanBlock, scanPlain, scanQuoted } from './scalar-scanner.ts';
import { scanAnchor, scanDirective, scanTag } from './tag-scanner.ts';
import { TextCursor } from './text-cursor.ts';
import type { Mark, Token, TokenKind } from './token.ts';

/** A place where a key without `?` may begin: a `:` that follows makes a mapping of it. */
interface SimpleKey {
  isPossible: boolean;
  readonly isRequired: boolean;
  readonly tokenNumber: number;
  readonly mark: Mark;
}

/** With what a token begins that is no content. */
const indicators = '%-.[]{},?:';
/** The longest text between the start of a key and its `:`. */
const longestKey = 1024;
/** How deep collections may be nested; Go's bound is 10,000. */
const deepest = 1000;

/** Splits a text into tokens, when they are asked for. As the scanner of go-yaml v2. */
export class TokenScanner {
  readonly #cursor: TextCursor;
  readonly #tokens: Token[] = [];
  #head = 0;
  #parsed = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  #flowLevel = 0;
  /** One for each level of flow collections. */
  readonly #keys: SimpleKey[] = [noKey(0)];
  /** The level of the key that begins with a token, by the number of the token. */
  readonly #levels = new Map<number, number>();
  #isKeyAllowed = true;
  /** The next token, if it is known that no key begins with it. */
  #next: Token | undefined;

  constructor(text: string) {
    this.#cursor = new TextCursor(text);
  }

  /** Returns the next token without consuming it. */
  peek(): Token {
    if (this.#next !== undefined) return this.#next;
    while (this.#head >= this.#tokens.length || this.#mayBeKey()) this.#fetch();
    this.#next = this.#tokens[this.#head] as Token;
    return this.#next;
  }

  skip(): void {
    this.#next = undefined;
    this.#head += 1;
    this.#parsed += 1;
    if (this.#head > 1000) {
      this.#tokens.splice(0, this.#head);
      this.#head = 0;
    }
  }

  /** Whether a `:` may still make the next token a key. */
  #mayBeKey(): boolean {
    const level = this.#levels.get(this.#parsed);
    const key = level === undefined ? undefined : this.#keys[level];
    return key !== undefined && this.#isValid(key);
  }

  #isValid(key: SimpleKey): boolean {
    if (!key.isPossible) return false;
    const { line, at } = this.#cursor;
    if (key.mark.line >= line && key.mark.index + longestKey >= at) return true;
    if (key.isRequired) this.#cursor.fail("could not find expected ':'");
    key.isPossible = false;
    return false;
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#unroll(cursor.column);
    if (cursor.isEnd()) {
      this.#fetchEnd();
      return;
    }
    const isFlow = this.#flowLevel > 0;
    if (!indicators.includes(cursor.character())) this.#fetchContent(isFlow);
    else if (cursor.column === 0 && cursor.is('%')) {
      this.#startLine();
      this.#add(scanDirective(cursor));
    } else if (cursor.isDocumentIndicator()) {
      this.#startLine();
      this.#addIndicator(cursor.is('-') ? 'document start' : 'document end', 3);
    } else if (cursor.is('[')) this.#openFlow('flow sequence');
    else if (cursor.is('{')) this.#openFlow('flow mapping');
    else if (cursor.is(']')) this.#closeFlow('flow sequence end');
    else if (cursor.is('}')) this.#closeFlow('flow mapping end');
    else if (cursor.is(',')) {
      this.#removeKey();
      this.#isKeyAllowed = true;
      this.#addIndicator('flow entry', 1);
    } else if (cursor.is('-') && cursor.isBlankOrEnd(1)) this.#fetchBlockEntry();
    else if (cursor.is('?') && (isFlow || cursor.isBlankOrEnd(1))) this.#fetchKey();
    else if (cursor.is(':') && (isFlow || cursor.isBlankOrEnd(1))) this.#fetchValue();
    else this.#fetchContent(isFlow);
  }

  #fetchContent(isFlow: boolean): void {
    const cursor = this.#cursor;
    if ((cursor.is('|') || cursor.is('>')) && !isFlow) {
      this.#removeKey();
      this.#isKeyAllowed = true;
      const start = cursor.mark();
      this.#add(tokenOf('scalar', start, scanBlock(cursor, cursor.is('|'), this.#indent)));
      return;
    }
    const isPlain = this.#startsPlain(isFlow);
    if (!isPlain && !'*&!\'"'.includes(cursor.character()))
      cursor.fail('found character that cannot start any token');
    this.#saveKey();
    this.#isKeyAllowed = false;
    const start = cursor.mark();
    if (cursor.is('*') || cursor.is('&')) this.#add(scanAnchor(cursor));
    else if (cursor.is('!')) this.#add(scanTag(cursor));
    else if (cursor.is("'")) this.#add(tokenOf('scalar', start, scanQuoted(cursor, "'")));
    else if (cursor.is('"')) this.#add(tokenOf('scalar', start, scanQuoted(cursor, '"')));
    else {
      const { text, endsLine } = scanPlain(cursor, this.#indent + 1, isFlow);
      if (endsLine) this.#isKeyAllowed = true;
      this.#add(tokenOf('scalar', start, text, true));
    }
  }

  #startsPlain(isFlow: boolean): boolean {
    const cursor = this.#cursor;
    if (cursor.isBlankOrEnd()) return false;
    if (!'-?:,[]{}#&*!|>\'"%@`'.includes(cursor.character())) return true;
    if (cursor.is('-')) return !cursor.isBlank(1);
    return !isFlow && (cursor.is('?') || cursor.is(':')) && !cursor.isBlankOrEnd(1);
  }

  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      cursor.skipSpaces(this.#flowLevel > 0 || !this.#isKeyAllowed);
      cursor.skipComment();
      if (!cursor.isBreak()) return;
      cursor.readBreak();
      if (this.#flowLevel === 0) this.#isKeyAllowed = true;
    }
  }

  #fetchEnd(): void {
    this.#cursor.endLastLine();
    this.#unroll(-1);
    this.#removeKey();
    this.#isKeyAllowed = false;
    this.#add(tokenOf('stream end', this.#cursor.mark()));
  }

  /** Ends all collections, for a directive or a document. */
  #startLine(): void {
    this.#unroll(-1);
    this.#removeKey();
    this.#isKeyAllowed = false;
  }

  #openFlow(kind: TokenKind): void {
    this.#saveKey();
    this.#keys.push(noKey(this.#nextNumber()));
    this.#flowLevel += 1;
    if (this.#flowLevel > deepest) this.#cursor.fail(`exceeded max depth of ${String(deepest)}`);
    this.#isKeyAllowed = true;
    this.#addIndicator(kind, 1);
  }

  #closeFlow(kind: TokenKind): void {
    this.#removeKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel -= 1;
      this.#levels.delete(this.#keys.pop()?.tokenNumber ?? -1);
    }
    this.#isKeyAllowed = false;
    this.#addIndicator(kind, 1);
  }

  #fetchBlockEntry(): void {
    this.#rollForIndicator('block sequence', 'block sequence entries are not allowed in this context');
    this.#removeKey();
    this.#isKeyAllowed = true;
    this.#addIndicator('block entry', 1);
  }

  #fetchKey(): void {
    this.#rollForIndicator('block mapping', 'mapping keys are not allowed in this context');
    this.#removeKey();
    this.#isKeyAllowed = this.#flowLevel === 0;
    this.#addIndicator('key', 1);
  }

  #fetchValue(): void {
    const key = this.#keys.at(-1) as SimpleKey;
    if (this.#isValid(key)) {
      const at = this.#head + key.tokenNumber - this.#parsed;
      this.#insert(at, tokenOf('key', key.mark));
      this.#roll(key.mark.column, 'block mapping', key.mark, at);
      key.isPossible = false;
      this.#levels.delete(key.tokenNumber);
      this.#isKeyAllowed = false;
    } else {
      this.#rollForIndicator('block mapping', 'mapping values are not allowed in this context');
      this.#isKeyAllowed = this.#flowLevel === 0;
    }
    this.#addIndicator('value', 1);
  }

  #rollForIndicator(kind: TokenKind, problem: string): void {
    if (this.#flowLevel > 0) return;
    if (!this.#isKeyAllowed) this.#cursor.fail(problem);
    this.#roll(this.#cursor.column, kind, this.#cursor.mark(), this.#tokens.length);
  }

  /** Starts a block collection where the indentation increases. */
  #roll(column: number, kind: TokenKind, mark: Mark, at: number): void {
    if (this.#flowLevel > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > deepest) this.#cursor.fail(`exceeded max depth of ${String(deepest)}`);
    this.#insert(at, tokenOf(kind, mark));
  }

  #unroll(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#add(tokenOf('block end', this.#cursor.mark()));
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  #saveKey(): void {
    if (!this.#isKeyAllowed) return;
    this.#removeKey();
    const mark = this.#cursor.mark();
    this.#keys[this.#keys.length - 1] = {
      isPossible: true,
      isRequired: this.#flowLevel === 0 && this.#indent === mark.column,
      tokenNumber: this.#nextNumber(),
      mark,
    };
    this.#levels.set(this.#nextNumber(), this.#keys.length - 1);
  }

  #nextNumber(): number {
    return this.#parsed + this.#tokens.length - this.#head;
  }

  #removeKey(): void {
    const key = this.#keys.at(-1) as SimpleKey;
    if (!key.isPossible) return;
    if (key.isRequired) this.#cursor.fail("could not find expected ':'");
    key.isPossible = false;
    this.#levels.delete(key.tokenNumber);
  }

  #addIndicator(kind: TokenKind, length: number): void {
    const start = this.#cursor.mark();
    this.#cursor.at += length;
    this.#add(tokenOf(kind, start));
  }

  #add(token: Token): void {
    this.#tokens.push(token);
  }

  /** As `splice`, which is slow for the few tokens that are behind the position. */
  #insert(at: number, token: Token): void {
    const tokens = this.#tokens;
    tokens.push(token);
    for (let index = tokens.length - 1; index > at; index--) tokens[index] = tokens[index - 1] as Token;
    tokens[at] = token;
  }
}

function noKey(tokenNumber: number): SimpleKey {
  return { isPossible: false, isRequired: false, tokenNumber, mark: { line: 0, column: 0, index: 0 } };
}

function tokenOf(kind: TokenKind, start: Mark, value = '', isPlain = false): Token {
  return { kind, start, value, suffix: '', isPlain };
}
