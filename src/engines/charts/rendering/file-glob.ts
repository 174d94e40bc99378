import { RE2JS } from 're2js';

/** A pattern that the library cannot read: Helm matches every file instead. */
class PatternError extends Error {}

/** Returns whether a name matches a pattern of `.Files.Glob`. As github.com/gobwas/glob with `/` as the separator. */
export function fileGlob(pattern: string): (name: string) => boolean {
  let source: string;
  try {
    source = new PatternReader(pattern).read();
  } catch (error) {
    if (error instanceof PatternError) return () => true;
    throw error;
  }
  const expression = RE2JS.compile(source, RE2JS.DOTALL);
  return (name) => expression.matches(name);
}

class PatternReader {
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  read(): string {
    let source = '';
    while (this.#at < this.#characters.length) source += this.#term();
    return source + ')'.repeat(this.#depth);
  }

  #term(): string {
    const character = this.#next();
    switch (character) {
      case '*':
        if (this.#characters[this.#at] !== '*') return '[^/]*';
        this.#at += 1;
        return '.*';
      case '?':
        return '[^/]';
      case '[':
        return this.#range();
      case '{':
        this.#depth += 1;
        return '(?:';
      case '\\':
        return this.#at < this.#characters.length ? RE2JS.quote(this.#next()) : '';
    }
    if (this.#depth > 0 && character === ',') return '|';
    if (this.#depth === 0 || character !== '}') return RE2JS.quote(character);
    this.#depth -= 1;
    return ')';
  }

  #next(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) throw new PatternError();
    this.#at += 1;
    return character;
  }

  /** `[abc]`, `[!abc]`, `[a-c]` or `[!a-c]`; the two forms cannot be combined. */
  #range(): string {
    let first = this.#next();
    const isNegated = first === '!';
    if (isNegated) first = this.#next();
    const open = isNegated ? '[^' : '[';
    if (this.#characters[this.#at] === '-') {
      this.#at += 1;
      const last = this.#next();
      if (this.#next() !== ']' || (last.codePointAt(0) ?? 0) < (first.codePointAt(0) ?? 0))
        throw new PatternError();
      return `${open}${inClass(first)}-${inClass(last)}]`;
    }
    let members = '';
    for (let character = first; character !== ']'; character = this.#next())
      members += inClass(character === '\\' ? this.#next() : character);
    if (members === '') throw new PatternError();
    return `${open}${members}]`;
  }
}

function inClass(character: string): string {
  return /[\\\]^[-]/.test(character) ? `\\${character}` : character;
}
