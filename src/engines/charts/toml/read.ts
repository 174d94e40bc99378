import { quoted, TemplateLimitError, type Value, type ValueMap } from '../../gotemplate/index.ts';
import { keyText } from './key.ts';
import { TomlDocument } from './document.ts';
import { readScalar } from './scalars.ts';
import { shown, shownOrEnd, TomlScanner, TomlSyntaxError } from './scanner.ts';
import { readBasicString, readRawString } from './strings.ts';

/** A text that is not TOML, with the message of github.com/BurntSushi/toml. */
export class TomlReadError extends Error {
  override readonly name = 'TomlReadError';
}

/**
 * Returns the values of a TOML text as github.com/BurntSushi/toml decodes them, whose errors have the line and the last key.
 *
 * @throws {TomlReadError} with its message
 * @throws {TemplateLimitError} for deep nesting
 */
export function readToml(text: string): ValueMap {
  const reader = new TomlReader(text.replace(/^\ufeff/, ''));
  try {
    return reader.read();
  } catch (error) {
    if (!(error instanceof TomlSyntaxError)) throw error;
    const key = reader.lastKey === '' ? '' : ` (last key ${quoted(reader.lastKey)})`;
    throw new TomlReadError(`toml: line ${String(error.line)}${key}: ${error.message}`);
  }
}

/** Arrays and tables in each other, and parts of a key. Go has no such bound. */
const mostNested = 1000;
const mostParts = 100;
const space = /^[ \t]$/;
const spaceOrLineEnd = /^[ \t\r\n]$/;
const bareKey = /^[-A-Za-z0-9_]$/;

class TomlReader {
  readonly #text: string;
  readonly #scanner: TomlScanner;
  readonly #document: TomlDocument;
  /** The line of the first part of the last key. */
  #keyLine = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#scanner = new TomlScanner(text);
    this.#document = new TomlDocument((message) => {
      throw new TomlSyntaxError(message, this.#keyLine);
    });
  }

  get lastKey(): string {
    return this.#document.lastKey;
  }

  read(): ValueMap {
    if (this.#text.slice(0, 6).includes('\0'))
      throw new TomlSyntaxError(
        'files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8',
        1,
      );
    const scanner = this.#scanner;
    for (;;) {
      scanner.skip(spaceOrLineEnd);
      const character = scanner.peek();
      if (character === '') return this.#document.root;
      if (character === '#') this.#comment();
      else {
        if (scanner.accept('[')) this.#header();
        else this.#topPair();
        this.#lineEnd();
      }
    }
  }

  #comment(): void {
    this.#scanner.skip(/^[^\r\n]$/u);
  }

  #lineEnd(): void {
    const scanner = this.#scanner;
    scanner.skip(space);
    const character = scanner.peek();
    if (character === '#' || character === '') return;
    scanner.next();
    if (character !== '\n' && character !== '\r')
      scanner.fail(
        `expected a top-level item to end with a newline, comment, or EOF, but got ${shown(character)} instead`,
      );
  }

  /** `[key]` or `[[key]]`, after the first bracket. */
  #header(): void {
    const scanner = this.#scanner;
    const isItem = scanner.accept('[');
    const key: string[] = [];
    do {
      scanner.skip(space);
      const first = scanner.peek();
      if (first === ']' || first === '')
        scanner.fail('unexpected end of table name (table names cannot be empty)');
      if (first === '.') scanner.fail('unexpected table separator (table names cannot be empty)');
      key.push(this.#keyPart(key.length));
    } while (this.#hasMoreNames());
    if (isItem) {
      const character = scanner.next();
      if (character !== ']')
        scanner.fail(
          `expected end of table array name delimiter ']', but got ${shown(character)} instead`,
          character === '',
        );
    }
    this.#document.enter(key, isItem);
    this.#document.setType('', false);
  }

  #hasMoreNames(): boolean {
    const scanner = this.#scanner;
    scanner.skip(space);
    const character = scanner.next();
    if (character !== '.' && character !== ']')
      scanner.fail(
        `expected '.' or ']' to end table name, but got ${shown(character)} instead`,
        character === '',
      );
    return character === '.';
  }

  /** @param before - how many parts the key has so far */
  #keyPart(before: number): string {
    if (before >= mostParts)
      throw new TemplateLimitError(`a key of TOML has more than ${String(mostParts)} parts`);
    const scanner = this.#scanner;
    let part: string;
    if (scanner.accept('"')) part = readBasicString(scanner);
    else if (scanner.accept("'")) part = readRawString(scanner);
    else part = scanner.skip(bareKey);
    if (before === 0) this.#keyLine = scanner.line;
    return part;
  }

  /** Reads a key and its separator. */
  #key(): string[] {
    const scanner = this.#scanner;
    scanner.skip(space);
    const first = scanner.peek();
    if (first === '=' || first === '') scanner.fail("unexpected '=': key name appears blank");
    if (first === '.') scanner.fail("unexpected '.': keys cannot start with a '.'");
    const key: string[] = [];
    do {
      scanner.skip(space);
      const next = scanner.peek();
      if (next === '=' || next === '') scanner.fail("unexpected '='");
      if (next === '.') scanner.fail("unexpected '.'");
      key.push(this.#keyPart(key.length));
    } while (this.#hasMoreParts());
    return key;
  }

  #hasMoreParts(): boolean {
    const scanner = this.#scanner;
    scanner.skip(space);
    const character = scanner.next();
    if (character === '.') return true;
    if (character === '=') return false;
    if (character === '') scanner.fail("unexpected EOF; expected key separator '='", true);
    const message = `expected '.' or '=', but got ${shown(character)} instead`;
    return character === '\n' ? scanner.failBefore(message) : scanner.fail(message);
  }

  #topPair(): void {
    const { context } = this.#document;
    this.#pair();
    this.#document.context = context;
    this.#document.currentKey = '';
  }

  /** Reads `key = value` into the current table, and returns both. The context is then the table of the last part. */
  #pair(): { readonly parents: readonly string[]; readonly last: string; readonly value: Value } {
    const document = this.#document;
    const key = this.#key();
    const parents = key.slice(0, -1);
    const last = key.at(-1) ?? '';
    document.currentKey = last;
    for (const part of parents) document.enterImplicit([...document.context, part]);
    const value = this.#value(false);
    document.set(last, value);
    document.setType(last, Array.isArray(value));
    return { parents, last, value };
  }

  #value(isItem: boolean): Value {
    const scanner = this.#scanner;
    scanner.skip(space);
    const character = scanner.peek();
    scanner.start();
    if (character !== '[' && character !== '{') return readScalar(scanner, character);
    scanner.next();
    return this.#nested(() => (character === '[' ? this.#array() : this.#inlineTable(isItem)));
  }

  #nested(read: () => Value): Value {
    this.#depth += 1;
    if (this.#depth > mostNested) throw new TemplateLimitError('TOML is nested too deeply');
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #array(): Value {
    const scanner = this.#scanner;
    this.#document.setType(this.#document.currentKey, true);
    const items: Value[] = [];
    for (;;) {
      this.#skipLines();
      const character = scanner.peek();
      if (character === ']') break;
      if (character === ',') {
        scanner.next();
        scanner.fail('unexpected comma');
      }
      items.push(this.#value(true));
      this.#skipLines();
      const end = scanner.peek();
      if (end === ']') break;
      scanner.next();
      if (end !== ',')
        scanner.fail(
          `expected a comma (',') or array terminator (']'), but got ${shownOrEnd(end)}`,
          end === '',
        );
    }
    scanner.next();
    return items;
  }

  #skipLines(): void {
    for (;;) {
      this.#scanner.skip(spaceOrLineEnd);
      if (this.#scanner.peek() !== '#') return;
      this.#comment();
    }
  }

  #inlineTable(isItem: boolean): Value {
    const document = this.#document;
    const scanner = this.#scanner;
    const { context, currentKey } = document;
    const table: ValueMap = new Map();
    document.enterInline(isItem);
    for (let isFirst = true; !this.#isTableEnd(isFirst); isFirst = false) this.#inlinePair(table);
    scanner.next();
    document.context = context;
    document.currentKey = currentKey;
    return table;
  }

  #inlinePair(table: ValueMap): void {
    const { context } = this.#document;
    const { parents, last, value } = this.#pair();
    let inner = table;
    for (const part of parents) {
      if (!inner.has(part)) inner.set(part, new Map<string, Value>());
      const next = inner.get(part);
      if (!(next instanceof Map))
        throw new TomlSyntaxError(`${quoted(keyText(this.#document.context))} is not a table`, this.#keyLine);
      inner = next;
    }
    inner.set(last, value);
    this.#document.context = context;
  }

  /** Whether an inline table ends. Reads the comma before the next pair. */
  #isTableEnd(isFirst: boolean): boolean {
    const scanner = this.#scanner;
    const character = this.#inlineCharacter();
    if (character === '}') return true;
    if (character === ',') {
      scanner.next();
      if (isFirst) scanner.fail('unexpected comma');
      scanner.skip(space);
      if (scanner.peek() === '}') scanner.fail('trailing comma not allowed in inline tables');
      return this.#isTableEnd(true);
    }
    if (isFirst) return false;
    scanner.next();
    return scanner.fail(
      `expected a comma or an inline table terminator '}', but got ${shownOrEnd(character)} instead`,
      character === '',
    );
  }

  #inlineCharacter(): string {
    const scanner = this.#scanner;
    scanner.skip(space);
    if (scanner.peek() === '#') this.#comment();
    const character = scanner.peek();
    if (character !== '\n' && character !== '\r') return character;
    scanner.next();
    return scanner.failBefore('newlines not allowed within inline tables');
  }
}
