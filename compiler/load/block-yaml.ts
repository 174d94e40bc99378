import { isReadOtherwise, resolvePlain } from './go-scalar.ts';
import type { Stretch } from './json-scan.ts';

/** A document in plain block style. */
export interface BlockDocument {
  readonly value: unknown;
  /** Where the root mapping begins. */
  readonly start: number;
  /** Where the items of the list `items` at the root stand, if there is one. */
  readonly items: readonly Stretch[] | undefined;
}

/** Reads one item of the list `items` at the root by other means; undefined where it cannot be read by itself. */
export type ReadItem = (stretch: Stretch, index: number) => { readonly value: unknown } | undefined;

/**
 * Reads what kubectl and most people write: mappings and lists by indentation, with scalars that are what they seem. The
 * library takes many times as long, which for a large fleet means seconds. Undefined for everything else, errors among it:
 * then the library reads the document. Both give the same value where both read it.
 */
export function readBlockYaml(text: string, stretch: Stretch, readItem: ReadItem): BlockDocument | undefined {
  try {
    return new BlockReader(text, stretch, readItem).document();
  } catch (error) {
    if (error instanceof OtherStyle) return undefined;
    throw error;
  }
}

class OtherStyle extends Error {}

const otherStyle = new OtherStyle('not in plain block style');

const deepest = 50;
const space = 0x20;
const newline = 0x0a;
const hash = 0x23;
const dash = 0x2d;

const plainKey = /([A-Za-z_/.][\w./-]*):(?= |\n|$)/y;
const quotedKey = /(?:"([^"\\\n]*)"|'([^'\n]*)'):(?= |\n|$)/y;
/** Escapes that JSON does not have, or that stand for half a character. */
const oddEscape = /\\(?:[^"\\bfnrtu]|u(?![\da-fA-F]{4})|u[dD][89a-fA-F])/;
const nothing = /^ *(?: #.*)?$/;
const literalHeader = /^\|(-?) *$/;
const plainStart = /^(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|-[^\s])/;

/** One pass over the lines. Between values the reader stands at the first character of a line that is not a comment. */
class BlockReader {
  readonly #text: string;
  readonly #end: number;
  readonly #readItem: ReadItem;
  /** Where the reader stands, and in which column; -1 at the end. */
  #at = 0;
  #indent = -1;
  #lineStart = 0;
  #depth = 0;
  #items: Stretch[] | undefined;

  constructor(text: string, { start, end }: Stretch, readItem: ReadItem) {
    this.#text = text;
    this.#end = end;
    this.#readItem = readItem;
    this.#toLine(start);
  }

  document(): BlockDocument {
    const start = this.#at;
    if (this.#indent === -1) return { value: null, start, items: undefined };
    if (this.#startsItem(this.#at)) throw otherStyle;
    const value = this.#mapping(this.#indent);
    if (this.#indent !== -1) throw otherStyle;
    return { value, start, items: this.#items };
  }

  /** Moves on to the next line, from the start of a line, that is neither blank nor a comment. */
  #toLine(start: number): void {
    for (let lineStart = start; lineStart < this.#end; lineStart = this.#endOfLine(lineStart) + 1) {
      const at = this.#skipSpaces(lineStart);
      const code = this.#codeAt(at);
      if (code === newline || code === hash || at >= this.#end) continue;
      this.#lineStart = lineStart;
      this.#at = at;
      this.#indent = at - lineStart;
      return;
    }
    this.#lineStart = this.#end;
    this.#at = this.#end;
    this.#indent = -1;
  }

  #block(): unknown {
    return this.#startsItem(this.#at) ? this.#list(this.#indent) : this.#mapping(this.#indent);
  }

  #mapping(indent: number): Record<string, unknown> {
    if (++this.#depth > deepest) throw otherStyle;
    const mapping: Record<string, unknown> = {};
    while (this.#indent === indent) {
      const key = this.#key(this.#at);
      if (key === undefined || Object.hasOwn(mapping, key.name) || key.name === '__proto__') throw otherStyle;
      const isItems = this.#depth === 1 && key.name === 'items';
      mapping[key.name] = this.#field(key.end, indent, isItems);
    }
    this.#depth--;
    if (this.#indent > indent) throw otherStyle;
    return mapping;
  }

  /** A key that is text, and the offset behind its colon. */
  #key(at: number): { readonly name: string; readonly end: number } | undefined {
    plainKey.lastIndex = at;
    const plain = plainKey.exec(this.#text)?.[1];
    if (plain !== undefined) {
      return resolvePlain(plain).kind === 'string' ? { name: plain, end: plainKey.lastIndex } : undefined;
    }
    quotedKey.lastIndex = at;
    const quoted = quotedKey.exec(this.#text);
    return quoted === null ? undefined : { name: quoted[1] ?? quoted[2] ?? '', end: quotedKey.lastIndex };
  }

  #field(behindColon: number, indent: number, isItems: boolean): unknown {
    const at = this.#skipSpaces(behindColon);
    if (!this.#lineIsOver(at)) return this.#scalar(at, indent);
    this.#toLine(this.#endOfLine(at) + 1);
    const isList = this.#indent >= indent && this.#startsItem(this.#at);
    if (isList) return isItems ? this.#rootItems(this.#indent) : this.#list(this.#indent);
    return this.#indent > indent ? this.#mapping(this.#indent) : null;
  }

  #list(indent: number): unknown[] {
    if (++this.#depth > deepest) throw otherStyle;
    const items: unknown[] = [];
    while (this.#indent === indent && this.#startsItem(this.#at)) {
      const start = this.#toItem(indent);
      items.push(start === undefined ? null : this.#item(start, indent));
    }
    this.#depth--;
    if (this.#indent > indent) throw otherStyle;
    return items;
  }

  /** Moves to the line that the item begins on, and returns the offset where; undefined for an item without a value. */
  #toItem(indent: number): number | undefined {
    const at = this.#skipSpaces(this.#at + 1);
    if (!this.#lineIsOver(at)) return at;
    this.#toLine(this.#endOfLine(at) + 1);
    return this.#indent > indent ? this.#at : undefined;
  }

  #item(start: number, indent: number): unknown {
    const isBlock = start === this.#at || this.#startsItem(start) || this.#key(start) !== undefined;
    if (!isBlock) return this.#scalar(start, indent);
    this.#at = start;
    this.#indent = start - this.#lineStart;
    return this.#block();
  }

  /** The list `items` at the root: its items are independent, and an odd one does not spoil the others. */
  #rootItems(indent: number): unknown[] {
    const values: unknown[] = [];
    const items: Stretch[] = [];
    while (this.#indent === indent && this.#startsItem(this.#at)) {
      const start = this.#toItem(indent);
      if (start === undefined) throw otherStyle;
      values.push(this.#rootItem(start, indent, items.length));
      items.push({ start, end: this.#lineStart });
    }
    if (this.#indent > indent) throw otherStyle;
    this.#items = items;
    return values;
  }

  #rootItem(start: number, indent: number, index: number): unknown {
    const depth = this.#depth;
    try {
      const value = this.#item(start, indent);
      if (this.#indent <= indent) return value;
    } catch (error) {
      if (!(error instanceof OtherStyle)) throw error;
    }
    // a block of text depends on the dash before it
    if (/[|>]/.test(this.#text.charAt(start))) throw otherStyle;
    this.#depth = depth;
    this.#toEndOfItem(start, indent);
    const read = this.#readItem({ start, end: this.#lineStart }, index);
    if (read === undefined) throw otherStyle;
    return read.value;
  }

  #toEndOfItem(start: number, indent: number): void {
    this.#toLine(this.#endOfLine(start) + 1);
    while (this.#indent > indent) this.#toLine(this.#endOfLine(this.#at) + 1);
  }

  #scalar(at: number, indent: number): unknown {
    const line = this.#line(at);
    const first = line.charAt(0);
    if (first === '|') return this.#literal(line, at, indent);
    if (first === "'") return this.#singleQuoted(line, at, indent);
    if (plainStart.test(line)) return this.#plain(line, at, indent);
    this.#toLineAfterScalar(at, indent);
    if (first === '"') return doubleQuoted(line);
    if (!/^(?:\{\}|\[\])/.test(line) || !nothing.test(line.slice(2))) throw otherStyle;
    return first === '{' ? {} : [];
  }

  #toLineAfterScalar(at: number, indent: number): void {
    this.#toLine(this.#endOfLine(at) + 1);
    if (this.#indent > indent) throw otherStyle;
  }

  #plain(line: string, at: number, indent: number): unknown {
    let text = '';
    let last = at;
    for (let part: string | undefined = line; part !== undefined;) {
      const comment = part.indexOf(' #');
      const words = withoutTrailingSpaces(comment === -1 ? part : part.slice(0, comment));
      if (words.includes(': ') || words.endsWith(':')) throw otherStyle;
      text += text === '' ? words : ` ${words}`;
      const next: number | undefined = comment === -1 ? this.#continuation(last, indent) : undefined;
      part = next === undefined || this.#codeAt(next) === hash ? undefined : this.#line(next);
      last = next ?? last;
    }
    this.#toLineAfterScalar(last, indent);
    const scalar = resolvePlain(text);
    if (scalar.kind === 'infinite' || isReadOtherwise(text, scalar)) throw otherStyle;
    return scalar.value;
  }

  #singleQuoted(line: string, at: number, indent: number): string {
    let text = '';
    let last = at;
    for (let part = line.slice(1); ;) {
      const end = closingQuote(part);
      if (end !== undefined) {
        if (!nothing.test(part.slice(end + 1))) throw otherStyle;
        this.#toLineAfterScalar(last, indent);
        return (text + part.slice(0, end)).replaceAll("''", "'");
      }
      const next = this.#continuation(last, indent);
      if (next === undefined) throw otherStyle;
      text += `${withoutTrailingSpaces(part)} `;
      part = this.#line(next);
      last = next;
    }
  }

  /** Where the next line goes on with a scalar: it is not blank, and indented deeper than what the scalar belongs to. */
  #continuation(at: number, indent: number): number | undefined {
    const lineStart = this.#endOfLine(at) + 1;
    const next = this.#skipSpaces(lineStart);
    return next < this.#end && this.#codeAt(next) !== newline && next - lineStart > indent ? next : undefined;
  }

  #literal(header: string, at: number, indent: number): string {
    const strip = literalHeader.exec(header)?.[1];
    if (strip === undefined) throw otherStyle;
    let text = '';
    let breaks = '';
    let width = 0;
    let lineStart = this.#endOfLine(at) + 1;
    for (; lineStart < this.#end; lineStart = this.#endOfLine(lineStart) + 1) {
      const first = this.#skipSpaces(lineStart);
      const column = first - lineStart;
      if (this.#codeAt(first) === newline) {
        // spaces of their own may be text
        if (column > 0) throw otherStyle;
        breaks += '\n';
        continue;
      }
      if (width === 0) width = column;
      if (column < width || column <= indent) break;
      text += breaks + this.#line(lineStart + width);
      breaks = '\n';
    }
    this.#toLine(lineStart);
    const noText = text === '' || width <= indent;
    // at the end of the file only a line break tells whether the text has one
    if (noText || this.#indent > indent || this.#text.charCodeAt(this.#end - 1) !== newline) throw otherStyle;
    return strip === '-' ? text : `${text}\n`;
  }

  /** The rest of a line. */
  #line(at: number): string {
    const line = this.#text.slice(at, this.#endOfLine(at));
    // tabs and carriage returns are white space in some places and text in others
    if (line.includes('\t') || line.includes('\r')) throw otherStyle;
    return line;
  }

  #startsItem(at: number): boolean {
    if (this.#codeAt(at) !== dash || at >= this.#end) return false;
    const next = this.#codeAt(at + 1);
    return next === space || next === newline || at + 1 >= this.#end;
  }

  /** Whether nothing but a comment follows on the line. */
  #lineIsOver(at: number): boolean {
    const code = this.#codeAt(at);
    return at >= this.#end || code === newline || code === hash;
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (this.#codeAt(at) === space) at++;
    return at;
  }

  #endOfLine(from: number): number {
    const at = this.#text.indexOf('\n', from);
    return at === -1 || at > this.#end ? this.#end : at;
  }

  #codeAt(at: number): number {
    return this.#text.charCodeAt(at);
  }
}

/** The value of a line that is one text in double quotes. */
function doubleQuoted(line: string): string {
  let end = 1;
  while (end < line.length && line[end] !== '"') end += line[end] === '\\' ? 2 : 1;
  const body = line.slice(1, end);
  if (end >= line.length || oddEscape.test(body) || !nothing.test(line.slice(end + 1))) throw otherStyle;
  return body.includes('\\') ? String(JSON.parse(`"${body}"`)) : body;
}

/** Where the quote stands that ends a text; two of them are one in the text. */
function closingQuote(text: string): number | undefined {
  let at = text.indexOf("'");
  while (at !== -1 && text[at + 1] === "'") at = text.indexOf("'", at + 2);
  return at === -1 ? undefined : at;
}

/** Other white space than spaces is text. */
function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end--;
  return text.slice(0, end);
}
