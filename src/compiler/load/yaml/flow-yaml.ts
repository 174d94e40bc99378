import { isString, resolvePlain, withoutSpaceAtEnd } from './plain-scalar.ts';

/** A value or key, and the offset behind it. */
interface Read<T> {
  readonly value: T;
  readonly end: number;
}

/** Quoted scalars and keys on one line. The library knows the rules of other escapes. */
const doubleQuoted = /"(?:[^"\\\n]|\\["\\nt])*"/y;
const singleQuoted = /'(?:[^'\n]|'')*'/y;
const blockKey = /(?:[A-Za-z_][\w./-]*(?: [\w./-]+)*|"[^"\\\n]*"|'[^'\n]*'):(?= |\n|$)/y;
const flowKey = /(?:[A-Za-z_][\w./-]*|"[^"\\\n]*"|'[^'\n]*'):(?= )/y;
/** A plain scalar in brackets, up to the comma or bracket behind it. */
const flowPlain = /[^\s,[\]{}:#&*!|>'"%@`?-][^\n,[\]{}:#]*/y;
const spaces = / */y;

/** The library allows keys of 1,024 characters. */
const longestKey = 1000;
const deepest = 50;

/** Reads keys, quoted scalars and collections in brackets that end on the line on which they begin. */
export class FlowReader {
  readonly #text: string;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Reads a key with its colon.
   *
   * @returns undefined if there is no key that is a string for every reader
   */
  key(at: number, inBrackets: boolean): Read<string> | undefined {
    const pattern = inBrackets ? flowKey : blockKey;
    pattern.lastIndex = at;
    if (!pattern.test(this.#text)) return undefined;
    const end = pattern.lastIndex;
    const written = this.#text.slice(at, end - 1);
    if (written.length > longestKey) return undefined;
    const quote = written.charAt(0);
    if (quote === '"' || quote === "'") return usable(written.slice(1, -1), end);
    return isString(written) ? usable(written, end) : undefined;
  }

  /** Reads a quoted scalar or a collection in brackets. */
  value(at: number): Read<unknown> | undefined {
    switch (this.#text.charAt(at)) {
      case '"':
        return this.#quoted(doubleQuoted, at, (text) =>
          text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1),
        );
      case "'":
        return this.#quoted(singleQuoted, at, (text) => text.slice(1, -1).replaceAll("''", "'"));
      case '[':
        return this.#nested(() => this.#list(at + 1));
      case '{':
        return this.#nested(() => this.#map(at + 1));
      default:
        return this.#plain(at);
    }
  }

  #quoted(pattern: RegExp, at: number, valueOf: (text: string) => string): Read<string> | undefined {
    pattern.lastIndex = at;
    const text = pattern.exec(this.#text)?.[0];
    return text === undefined ? undefined : { value: valueOf(text), end: at + text.length };
  }

  #plain(at: number): Read<unknown> | undefined {
    flowPlain.lastIndex = at;
    const written = flowPlain.exec(this.#text)?.[0];
    if (written === undefined) return undefined;
    const text = withoutSpaceAtEnd(written);
    const value = resolvePlain(text);
    return value === undefined ? undefined : { value, end: at + text.length };
  }

  #nested(read: () => Read<unknown> | undefined): Read<unknown> | undefined {
    if (++this.#depth > deepest) return undefined;
    const value = read();
    this.#depth--;
    return value;
  }

  #list(from: number): Read<unknown> | undefined {
    const list: unknown[] = [];
    let at = this.#skip(from);
    if (this.#text[at] === ']') return { value: list, end: at + 1 };
    for (;;) {
      const item = this.value(at);
      if (item === undefined) return undefined;
      list.push(item.value);
      at = this.#skip(item.end);
      if (this.#text[at] === ']') return { value: list, end: at + 1 };
      if (this.#text[at] !== ',') return undefined;
      at = this.#skip(at + 1);
    }
  }

  #map(from: number): Read<unknown> | undefined {
    const map: Record<string, unknown> = {};
    let at = this.#skip(from);
    if (this.#text[at] === '}') return { value: map, end: at + 1 };
    for (;;) {
      const key = this.key(at, true);
      if (key === undefined || Object.hasOwn(map, key.value)) return undefined;
      const value = this.value(this.#skip(key.end));
      if (value === undefined) return undefined;
      map[key.value] = value.value;
      at = this.#skip(value.end);
      if (this.#text[at] === '}') return { value: map, end: at + 1 };
      if (this.#text[at] !== ',') return undefined;
      at = this.#skip(at + 1);
    }
  }

  #skip(from: number): number {
    spaces.lastIndex = from;
    spaces.test(this.#text);
    return spaces.lastIndex;
  }
}

function usable(value: string, end: number): Read<string> | undefined {
  return value === '__proto__' ? undefined : { value, end };
}
