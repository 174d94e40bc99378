import { isPrintable, quoted } from '../quote.ts';
import { isKeyword, type Token, type TokenKind } from './token.ts';

const alphanumeric = /[\p{L}\p{Nd}_]/u;
const spaces = ' \t\r\n';
const end = '';

/** Splits a template into tokens, one at a time. As text/template/parse/lex.go, with the same messages. */
export class Lexer {
  #input: string;
  /** The position of the next character. */
  #at = 0;
  /** Where the current token begins. */
  #start = 0;
  #line = 1;
  #startLine = 1;
  #isInsideAction = false;
  #parenDepth = 0;

  constructor(text: string) {
    this.#input = text;
  }

  next(): Token {
    return this.#isInsideAction ? this.#action() : this.#text();
  }

  #token(kind: TokenKind): Token {
    const text = this.#input.slice(this.#start, this.#at);
    const token = { kind, position: this.#start, text, line: this.#startLine };
    this.#line += newlines(text);
    this.#start = this.#at;
    this.#startLine = this.#line;
    return token;
  }

  /** Leaves out what lies between the start of the token and the position. */
  #skip(): void {
    this.#token('space');
  }

  #error(text: string): Token {
    const token: Token = { kind: 'error', position: this.#start, text, line: this.#startLine };
    this.#input = '';
    this.#start = 0;
    this.#at = 0;
    return token;
  }

  #text(): Token {
    for (;;) {
      const found = this.#input.indexOf('{{', this.#at);
      if (found < 0) {
        this.#at = this.#input.length;
        return this.#token(this.#at > this.#start ? 'text' : 'eof');
      }
      if (found > this.#at) {
        const text = this.#input.slice(this.#start, found);
        const kept = this.#hasLeftTrim(found + 2) ? trimmedEnd(text) : text.length;
        this.#at = this.#start + kept;
        const token = this.#token('text');
        this.#at = found;
        this.#skip();
        if (kept > 0) return token;
      }
      const token = this.#leftDelimiter();
      if (token !== undefined) return token;
    }
  }

  #hasLeftTrim(at: number): boolean {
    return this.#input[at] === '-' && isSpace(this.#input[at + 1]);
  }

  #hasRightTrim(at: number): boolean {
    return isSpace(this.#input[at]) && this.#input.startsWith('-}}', at + 1);
  }

  /** Returns the token of a `{{`, or undefined after a comment. */
  #leftDelimiter(): Token | undefined {
    const afterDelimiter = this.#at + 2;
    const afterMarker = afterDelimiter + (this.#hasLeftTrim(afterDelimiter) ? 2 : 0);
    if (this.#input.startsWith('/*', afterMarker)) {
      this.#at = afterMarker;
      this.#skip();
      return this.#comment();
    }
    this.#at = afterDelimiter;
    const token = this.#token('leftDelimiter');
    this.#isInsideAction = true;
    this.#at = afterMarker;
    this.#skip();
    this.#parenDepth = 0;
    return token;
  }

  #comment(): Token | undefined {
    const close = this.#input.indexOf('*/', this.#at + 2);
    if (close < 0) return this.#error('unclosed comment');
    this.#at = close + 2;
    const trims = this.#hasRightTrim(this.#at);
    if (!trims && !this.#input.startsWith('}}', this.#at))
      return this.#error('comment ends before closing delimiter');
    this.#at += trims ? 4 : 2;
    if (trims) this.#skipSpaces();
    this.#skip();
    return undefined;
  }

  #skipSpaces(): void {
    while (isSpace(this.#input[this.#at])) this.#at += 1;
  }

  #rightDelimiter(): Token {
    const trims = this.#hasRightTrim(this.#at);
    if (trims) {
      this.#at += 2;
      this.#skip();
    }
    this.#at += 2;
    const token = this.#token('rightDelimiter');
    if (trims) {
      this.#skipSpaces();
      this.#skip();
    }
    this.#isInsideAction = false;
    return token;
  }

  #action(): Token {
    if (this.#hasRightTrim(this.#at) || this.#input.startsWith('}}', this.#at))
      return this.#parenDepth === 0 ? this.#rightDelimiter() : this.#error('unclosed left paren');
    const character = this.#peek();
    if (character === end) return this.#error('unclosed action');
    if (isSpace(character)) return this.#space();
    this.#at += character.length;
    switch (character) {
      case '=':
        return this.#token('assign');
      case ':':
        if (this.#input[this.#at] !== '=') return this.#error('expected :=');
        this.#at += 1;
        return this.#token('declare');
      case '|':
        return this.#token('pipe');
      case '"':
        return this.#quote('"', 'string', 'unterminated quoted string');
      case '`':
        return this.#rawQuote();
      case '$':
        return this.#atTerminator() ? this.#token('variable') : this.#fieldOrVariable('variable');
      case "'":
        return this.#quote("'", 'characterConstant', 'unterminated character constant');
      case '(':
        this.#parenDepth += 1;
        return this.#token('leftParen');
      case ')':
        this.#parenDepth -= 1;
        return this.#parenDepth < 0 ? this.#error('unexpected right paren') : this.#token('rightParen');
      case '.':
        if (!/\d/.test(this.#input[this.#at] ?? '')) return this.#fieldOrVariable('field');
        break;
    }
    if (/[-+.\d]/.test(character)) {
      this.#at -= 1;
      return this.#number();
    }
    if (alphanumeric.test(character)) return this.#identifier();
    if (/^[!-~]$/.test(character)) return this.#token('character');
    return this.#error(`unrecognized character in action: ${unicodeName(character)}`);
  }

  #peek(): string {
    const code = this.#input.codePointAt(this.#at);
    return code === undefined ? end : String.fromCodePoint(code);
  }

  #space(): Token {
    this.#skipSpaces();
    // The last space belongs to a trim marker, if one follows.
    if (this.#hasRightTrim(this.#at - 1)) {
      this.#at -= 1;
      if (this.#at === this.#start) return this.#rightDelimiter();
    }
    return this.#token('space');
  }

  #quote(mark: string, kind: TokenKind, message: string): Token {
    for (;;) {
      const character = this.#input[this.#at++];
      if (character === mark) return this.#token(kind);
      if (character === '\\') {
        const next = this.#input[this.#at++];
        if (next !== undefined && next !== '\n') continue;
        return this.#error(message);
      }
      if (character === undefined || character === '\n') return this.#error(message);
    }
  }

  #rawQuote(): Token {
    const close = this.#input.indexOf('`', this.#at);
    if (close < 0) return this.#error('unterminated raw quoted string');
    this.#at = close + 1;
    return this.#token('rawString');
  }

  #skipWord(): string {
    let character = this.#peek();
    while (character !== end && alphanumeric.test(character)) {
      this.#at += character.length;
      character = this.#peek();
    }
    return character;
  }

  #fieldOrVariable(kind: 'field' | 'variable'): Token {
    if (this.#atTerminator()) return this.#token(kind === 'variable' ? 'variable' : 'dot');
    const next = this.#skipWord();
    return this.#atTerminator() ? this.#token(kind) : this.#badCharacter(next);
  }

  #identifier(): Token {
    const next = this.#skipWord();
    if (!this.#atTerminator()) return this.#badCharacter(next);
    const word = this.#input.slice(this.#start, this.#at);
    if (isKeyword(word)) return this.#token(word);
    return this.#token(word === 'true' || word === 'false' ? 'bool' : 'identifier');
  }

  #badCharacter(character: string): Token {
    return this.#error(`bad character ${unicodeName(character)}`);
  }

  #atTerminator(): boolean {
    const next = this.#input[this.#at];
    return (
      next === undefined || isSpace(next) || '.,|:)('.includes(next) || this.#input.startsWith('}}', this.#at)
    );
  }

  #number(): Token {
    if (!this.#scanNumber()) return this.#badNumber();
    const sign = this.#input[this.#at];
    if (sign !== '+' && sign !== '-') return this.#token('number');
    return this.#scanNumber() && this.#input[this.#at - 1] === 'i'
      ? this.#token('complex')
      : this.#badNumber();
  }

  #badNumber(): Token {
    return this.#error(`bad number syntax: ${quoted(this.#input.slice(this.#start, this.#at))}`);
  }

  #scanNumber(): boolean {
    this.#accept(/[-+]/y);
    const prefix = this.#accept(/0(?:[xX]|[oO]|[bB])?/y)
      .slice(1)
      .toLowerCase();
    const digits = { x: /[\da-fA-F_]*/y, o: /[0-7_]*/y, b: /[01_]*/y }[prefix] ?? /[\d_]*/y;
    this.#accept(digits);
    if (this.#accept(/\./y) !== '') this.#accept(digits);
    if (prefix === '') this.#accept(/[eE][-+]?[\d_]*/y);
    if (prefix === 'x') this.#accept(/[pP][-+]?[\d_]*/y);
    this.#accept(/i/y);
    const next = this.#peek();
    if (next === end || !alphanumeric.test(next)) return true;
    this.#at += next.length;
    return false;
  }

  #accept(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [matched = ''] = pattern.exec(this.#input) ?? [];
    this.#at += matched.length;
    return matched;
  }
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && character !== '' && spaces.includes(character);
}

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Returns the length of a text without the space at its end. */
function trimmedEnd(text: string): number {
  let length = text.length;
  while (length > 0 && isSpace(text[length - 1])) length -= 1;
  return length;
}

/** As Go's `%#U`. The end of the text is the character -1. */
function unicodeName(character: string): string {
  const code = character.codePointAt(0);
  if (code === undefined) return 'U+FFFFFFFFFFFFFFFF';
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return isPrintable(code) ? `${name} '${character}'` : name;
}
