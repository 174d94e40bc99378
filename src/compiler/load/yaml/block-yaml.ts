import type { FieldPath } from '../../model/field-path.ts';
import type { Stretch } from '../json/json-scan.ts';
import { FlowReader } from './flow-yaml.ts';
import { PathSearch } from './path-search.ts';
import { resolvePlain, withoutSpaceAtEnd } from './plain-scalar.ts';

/** The value of a document that was read without the library. */
export interface BlockDocument {
  readonly value: unknown;
  /** The offset of the first key or dash. */
  readonly start: number;
  /** The ranges of the items of the list `items` at the root, if there is one. */
  readonly items: readonly Stretch[] | undefined;
}

/**
 * Reads a YAML document in the form in which `synth`, `fleet pull` and kubectl write: mappings and lists in block style,
 * scalars and collections in brackets on one line, literals, and plain scalars over several lines. Everything else, such as
 * anchors, tags, tabs, folded scalars, and every error, is left to the library: its result is the same wherever this returns one.
 *
 * @param text - without characters that YAML forbids
 * @returns undefined if the library has to read the text
 */
export function readBlockYaml(text: string): BlockDocument | undefined {
  if (/[\t\r\ufeff]/.test(text)) return undefined;
  return new BlockReader(text).document();
}

/**
 * Returns the offset of a field's key, or of a list item, in a document that `readBlockYaml` reads; of the nearest value around it
 * if the field is not written.
 *
 * @param path - at least one step
 * @returns undefined if the library has to find it
 */
export function offsetInBlockYaml(text: string, path: FieldPath): number | undefined {
  const search = new PathSearch(path);
  const document = /[\t\r\ufeff]/.test(text) ? undefined : new BlockReader(text, search).document();
  return document && (search.offset ?? document.start);
}

/** Deeper documents are left to the library, which reports where they are nested too deeply. */
const deepest = 100;

/** The indentation behind the last line. */
const end = -1;

/** Behind a value: nothing, or a comment. */
const restOfLine = / *(?:#.*)?(?:\n|$)/y;
const commentAfterSpace = / +(?:#.*)?(?:\n|$)|\n|$/y;
const literalHeader = /\|(-?) *\n/y;

const [newline, space, hash, dash, colon] = [0x0a, 0x20, 0x23, 0x2d, 0x3a];

class BlockReader {
  readonly #text: string;
  readonly #flow: FlowReader;
  readonly #search: PathSearch | undefined;
  /** The offset of the next token: the first one of a line, or the one behind a dash. */
  #at = 0;
  /** The number of characters before it in its line. `end` behind the last line. */
  #column = 0;
  #depth = 0;
  #items: Stretch[] | undefined;

  constructor(text: string, search?: PathSearch) {
    this.#text = text;
    this.#flow = new FlowReader(text);
    this.#search = search;
  }

  document(): BlockDocument | undefined {
    this.#nextLine(0);
    if (this.#column === end) return undefined;
    const start = this.#at;
    const value = this.#collection(true);
    if (value === undefined || (this.#column !== end && !this.#isFound())) return undefined;
    return { value, start, items: this.#items };
  }

  #isFound(): boolean {
    return this.#search?.isOver === true;
  }

  /** Moves to the first character of the first line from an offset that has more than a comment. */
  #nextLine(lineStart: number): void {
    const text = this.#text;
    for (let from = lineStart; from < text.length;) {
      let at = from;
      while (text.charCodeAt(at) === space) at++;
      const code = text.charCodeAt(at);
      if (at < text.length && code !== newline && code !== hash) {
        this.#at = at;
        this.#column = at - from;
        return;
      }
      const newlineAt = text.indexOf('\n', at);
      from = newlineAt === -1 ? text.length : newlineAt + 1;
    }
    this.#at = text.length;
    this.#column = end;
  }

  /**
   * Returns undefined for what the library has to read; no collection is undefined.
   *
   * @param ranges - gets the ranges of the items of a list
   */
  #collection(isRoot = false, ranges?: Stretch[]): unknown {
    if (++this.#depth > deepest) return undefined;
    const value = this.#isDash() ? this.#sequence(ranges) : this.#mapping(isRoot);
    this.#depth--;
    return value;
  }

  #isDash(): boolean {
    const text = this.#text;
    const at = this.#at;
    if (text.charCodeAt(at) !== dash) return false;
    const next = text.charCodeAt(at + 1);
    return next === space || next === newline || at + 1 === text.length;
  }

  #mapping(isRoot: boolean): unknown {
    const column = this.#column;
    const mapping: Record<string, unknown> = {};
    while (this.#column === column && !this.#isDash()) {
      const key = this.#flow.key(this.#at, false);
      if (key === undefined || Object.hasOwn(mapping, key.value)) return undefined;
      const isItems = isRoot && key.value === 'items';
      const isStep = this.#search?.enters(key.value, this.#depth, this.#at) === true;
      if (this.#isFound()) return mapping;
      const value = this.#value(key.end, column, true, isItems);
      if (value === undefined) return undefined;
      if (isStep) this.#search?.leave();
      if (this.#isFound()) return mapping;
      mapping[key.value] = value;
    }
    return this.#column > column ? undefined : mapping;
  }

  #sequence(ranges?: Stretch[]): unknown {
    const column = this.#column;
    const sequence: unknown[] = [];
    while (this.#column === column && this.#isDash()) {
      const start = skipSpaces(this.#text, this.#at + 1);
      const isStep = this.#search?.enters(sequence.length, this.#depth, start) === true;
      // The library knows where an item begins that is not on the line of its dash.
      if (isStep && startsRestOfLine(this.#text, start)) return undefined;
      if (this.#isFound()) return sequence;
      const value = this.#item(column, ranges);
      if (value === undefined) return undefined;
      if (isStep) this.#search?.leave();
      if (this.#isFound()) return sequence;
      sequence.push(value);
    }
    return this.#column > column ? undefined : sequence;
  }

  #item(column: number, ranges: Stretch[] | undefined): unknown {
    const text = this.#text;
    const dashAt = this.#at;
    let at = dashAt + 1;
    while (text.charCodeAt(at) === space) at++;
    const isBlock = at > dashAt + 1 && (this.#startsBlock(at) || this.#flow.key(at, false) !== undefined);
    if (ranges !== undefined) {
      // Only the objects of a list need their range, and these are mappings that begin behind the dash.
      if (!isBlock) return undefined;
      ranges.push({ start: at, end: at });
    }
    if (!isBlock) return this.#value(dashAt + 1, column, false);
    this.#at = at;
    this.#column = column + (at - dashAt);
    const value = this.#collection();
    ranges?.splice(-1, 1, { start: at, end: this.#endBefore(this.#at) });
    return value;
  }

  #startsBlock(at: number): boolean {
    const text = this.#text;
    return text.charCodeAt(at) === dash && text.charCodeAt(at + 1) === space;
  }

  /** Returns where the collection before an offset ends, as the library counts: comments after it at a smaller indentation do not belong to it. */
  #endBefore(at: number): number {
    return at - (this.#column === end ? 0 : this.#column);
  }

  /**
   * Reads a value from behind its colon or dash, and moves to the line after it.
   *
   * @param column - the indentation of the collection around it
   * @param inMapping - whether a list may be indented as the key
   */
  #value(from: number, column: number, inMapping: boolean, isItems = false): unknown {
    const text = this.#text;
    let at = from;
    while (text.charCodeAt(at) === space) at++;
    commentAfterSpace.lastIndex = from;
    if (startsRestOfLine(text, at) && commentAfterSpace.test(text)) {
      this.#nextLine(commentAfterSpace.lastIndex);
      const isInside = this.#column > column || (inMapping && this.#column === column && this.#isDash());
      if (!isInside) return null;
      if (isItems && this.#isDash()) return this.#collection(false, (this.#items = []));
      return this.#isDash() || this.#flow.key(this.#at, false) !== undefined ? this.#collection() : undefined;
    }
    if (isItems || text.charCodeAt(from) !== space) return undefined;
    return this.#inline(at, column);
  }

  #inline(at: number, column: number): unknown {
    switch (this.#text.charAt(at)) {
      case '"':
      case "'":
      case '[':
      case '{': {
        if (this.#search?.goesInto(this.#depth) === true) return undefined;
        const value = this.#flow.value(at);
        return value === undefined ? undefined : this.#endLine(value.value, value.end);
      }
      case '|':
        return this.#literal(at, column);
      default:
        return this.#plain(at, column);
    }
  }

  /** Moves to the next line behind a value that ends on its line. */
  #endLine(value: unknown, from: number): unknown {
    restOfLine.lastIndex = from;
    const isComment = this.#text.charCodeAt(from) === hash;
    if (isComment || !restOfLine.test(this.#text)) return undefined;
    this.#nextLine(restOfLine.lastIndex);
    return value;
  }

  #plain(at: number, column: number): unknown {
    const text = this.#text;
    const newlineAt = text.indexOf('\n', at);
    const lineEnd = newlineAt === -1 ? text.length : newlineAt;
    const line = text.slice(at, lineEnd);
    const comment = line.indexOf(' #');
    let plain = withoutSpaceAtEnd(comment === -1 ? line : line.slice(0, comment));
    if (!isPlainStart(plain) || isKeyed(plain)) return undefined;
    this.#nextLine(lineEnd + 1);
    let next = lineEnd + 1;
    while (this.#column > column) {
      // A line that continues it comes directly below, and no comment is between them.
      const isBelow = comment === -1 && this.#at - this.#column === next;
      const more = isBelow ? this.#continuation() : undefined;
      if (more === undefined) return undefined;
      plain += ` ${more.text}`;
      next = more.next;
      this.#nextLine(next);
    }
    return resolvePlain(plain);
  }

  #continuation(): { readonly text: string; readonly next: number } | undefined {
    const text = this.#text;
    const newlineAt = text.indexOf('\n', this.#at);
    const lineEnd = newlineAt === -1 ? text.length : newlineAt;
    const line = withoutSpaceAtEnd(text.slice(this.#at, lineEnd));
    return isKeyed(line) || line.includes(' #') ? undefined : { text: line, next: lineEnd + 1 };
  }

  /** Reads a literal: `|` or `|-`, with lines that are all indented alike or more. */
  #literal(at: number, column: number): unknown {
    const text = this.#text;
    literalHeader.lastIndex = at;
    const header = literalHeader.exec(text);
    if (header === null) return undefined;
    const lines: string[] = [];
    let indentation = 0;
    let from = literalHeader.lastIndex;
    while (from < text.length) {
      const newlineAt = text.indexOf('\n', from);
      // Whether a line without an end has one depends on more than the line.
      if (newlineAt === -1) return undefined;
      let start = from;
      while (text.charCodeAt(start) === space) start++;
      const isBlank = start === newlineAt;
      if (isBlank && start > from) return undefined;
      if (lines.length === 0) {
        indentation = start - from;
        if (isBlank || indentation <= column) return undefined;
      }
      if (!isBlank && start - from < indentation) break;
      lines.push(isBlank ? '' : text.slice(from + indentation, newlineAt));
      from = newlineAt + 1;
    }
    while (lines.at(-1) === '') lines.pop();
    if (lines.length === 0) return undefined;
    this.#nextLine(from);
    // A comment that is indented more than the key may belong to the literal.
    if (this.#column > column || text.charCodeAt(skipSpaces(text, from)) === hash) return undefined;
    return lines.join('\n') + (header[1] === '-' ? '' : '\n');
  }
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === space) at++;
  return at;
}

/** Whether there is no value on the rest of a line. */
function startsRestOfLine(text: string, at: number): boolean {
  return at === text.length || text.charCodeAt(at) === newline || text.charCodeAt(at) === hash;
}

/** Whether a plain scalar can begin with this text in block style. */
function isPlainStart(text: string): boolean {
  const code = text.charCodeAt(0);
  if (code === dash) return text.length > 1 && text.charCodeAt(1) !== space;
  return text !== '' && !'&*!%@`?:|>,]}#'.includes(text.charAt(0));
}

/** Whether a line has a colon that makes a key of the text before it. */
function isKeyed(text: string): boolean {
  return text.charCodeAt(text.length - 1) === colon || text.includes(': ');
}
