/** An inclusive range of code points. */
export type Range = readonly [low: number, high: number];

/** A pattern that is searched in a text, as the parts of a regular expression. */
export type TextPattern =
  | { readonly kind: 'character'; readonly ranges: readonly Range[] }
  | { readonly kind: 'sequence'; readonly parts: readonly TextPattern[] }
  | { readonly kind: 'choice'; readonly options: readonly TextPattern[] }
  /** `most` is absent if there is no maximum. */
  | { readonly kind: 'repeat'; readonly part: TextPattern; readonly least: number; readonly most?: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' };

const lastCodePoint = 0x10_ff_ff;

const start: TextPattern = { kind: 'start' };
const end: TextPattern = { kind: 'end' };

/** The pattern of the texts that are equal to a text. */
export function equalTo(text: string): TextPattern {
  return { kind: 'sequence', parts: [start, ...characters(text), end] };
}

/** The pattern of the texts that are equal to one of several texts. */
export function equalToOne(texts: readonly string[]): TextPattern {
  return { kind: 'choice', options: texts.map(equalTo) };
}

/** The pattern of the texts that start with a text. */
export function startingWith(text: string): TextPattern {
  return { kind: 'sequence', parts: [start, ...characters(text)] };
}

/** The pattern of the texts that end with a text. */
export function endingWith(text: string): TextPattern {
  return { kind: 'sequence', parts: [...characters(text), end] };
}

/** The pattern of the texts that contain a text. */
export function containing(text: string): TextPattern {
  return { kind: 'sequence', parts: characters(text) };
}

function characters(text: string): TextPattern[] {
  return Array.from(text, (character) => single(character.codePointAt(0) ?? 0));
}

function single(codePoint: number): TextPattern {
  return { kind: 'character', ranges: [[codePoint, codePoint]] };
}

const digits: readonly Range[] = [[0x30, 0x39]];
const wordCharacters: readonly Range[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const spaces: readonly Range[] = [
  [0x09, 0x0a],
  [0x0c, 0x0d],
  [0x20, 0x20],
];

const classes: ReadonlyMap<string, readonly Range[]> = new Map([
  ['d', digits],
  ['D', others(digits)],
  ['w', wordCharacters],
  ['W', others(wordCharacters)],
  ['s', spaces],
  ['S', others(spaces)],
]);

const controls: ReadonlyMap<string, number> = new Map([
  ['t', 0x09],
  ['n', 0x0a],
  ['v', 0x0b],
  ['f', 0x0c],
  ['r', 0x0d],
  ['a', 0x07],
]);

// as RE2, which rejects larger numbers
const mostRepetitions = 1000;
const mostNested = 1000;

/**
 * Parses a regular expression in RE2's syntax. Undefined for what this subset has not: flags, named classes, Unicode classes, word
 * boundaries, quoted text, and everything that RE2 rejects.
 */
export function parsePattern(source: string): TextPattern | undefined {
  try {
    return new PatternReader(source).read();
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    throw error;
  }
}

class UnsupportedPattern extends Error {}

class PatternReader {
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#characters = Array.from(source);
  }

  read(): TextPattern {
    const pattern = this.#choice();
    if (this.#at < this.#characters.length) throw new UnsupportedPattern();
    return pattern;
  }

  #choice(): TextPattern {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    const [only] = options;
    return only !== undefined && options.length === 1 ? only : { kind: 'choice', options };
  }

  #sequence(): TextPattern {
    const parts: TextPattern[] = [];
    for (;;) {
      const next = this.#peek();
      if (next === undefined || next === '|' || next === ')') return { kind: 'sequence', parts };
      parts.push(this.#repeated(this.#atom()));
    }
  }

  #repeated(part: TextPattern): TextPattern {
    const bounds = this.#bounds();
    if (bounds === undefined) return part;
    this.#take('?'); // a lazy repetition matches the same texts
    if (this.#bounds() !== undefined) throw new UnsupportedPattern();
    const { least, most } = bounds;
    return { kind: 'repeat', part, least, ...(most !== undefined && { most }) };
  }

  #bounds(): { least: number; most?: number } | undefined {
    if (this.#take('*')) return { least: 0 };
    if (this.#take('+')) return { least: 1 };
    if (this.#take('?')) return { least: 0, most: 1 };
    const match = /^\{(\d{1,5})(,(\d{0,5}))?\}/.exec(
      this.#characters.slice(this.#at, this.#at + 14).join(''),
    );
    if (match === null) return undefined;
    const [text, least = '', hasComma, most = ''] = match;
    this.#at += text.length;
    const bounds = {
      least: Number(least),
      ...(hasComma === undefined ? { most: Number(least) } : most === '' ? {} : { most: Number(most) }),
    };
    if (
      Math.max(bounds.least, bounds.most ?? 0) > mostRepetitions ||
      bounds.least > (bounds.most ?? Infinity)
    )
      throw new UnsupportedPattern();
    return bounds;
  }

  #atom(): TextPattern {
    const character = this.#next();
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return { kind: 'character', ranges: this.#class() };
      case '.':
        return { kind: 'character', ranges: others([[0x0a, 0x0a]]) };
      case '^':
        return start;
      case '$':
        return end;
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new UnsupportedPattern();
      default:
        return single(character.codePointAt(0) ?? 0);
    }
  }

  #group(): TextPattern {
    if (this.#take('?') && !this.#take(':')) throw new UnsupportedPattern();
    if (++this.#depth > mostNested) throw new UnsupportedPattern();
    const pattern = this.#choice();
    if (!this.#take(')')) throw new UnsupportedPattern();
    this.#depth -= 1;
    return pattern;
  }

  #escape(): TextPattern {
    const character = this.#next();
    if (character === 'A') return start;
    if (character === 'z') return end;
    return { kind: 'character', ranges: escaped(character) };
  }

  #class(): readonly Range[] {
    const isNegated = this.#take('^');
    const ranges: Range[] = [];
    for (let isFirst = true; isFirst || !this.#take(']'); isFirst = false) {
      const low = this.#classPart();
      if (this.#peek() !== '-' || this.#characters[this.#at + 1] === ']') {
        ranges.push(...low);
        continue;
      }
      this.#at += 1;
      const [[first, last] = [0, 0]] = low;
      const high = this.#classPart();
      const [[upper, upperEnd] = [0, 0]] = high;
      if (low.length > 1 || high.length > 1 || first !== last || upper !== upperEnd || upper < first)
        throw new UnsupportedPattern();
      ranges.push([first, upper]);
    }
    return isNegated ? others(ranges) : ranges;
  }

  #classPart(): readonly Range[] {
    const character = this.#next();
    if (character === '\\') return escaped(this.#next());
    if (character === '[' && this.#peek() === ':') throw new UnsupportedPattern();
    const codePoint = character.codePointAt(0) ?? 0;
    return [[codePoint, codePoint]];
  }

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }

  #next(): string {
    const character = this.#characters[this.#at++];
    if (character === undefined) throw new UnsupportedPattern();
    return character;
  }

  #take(expected: string): boolean {
    if (this.#peek() !== expected) return false;
    this.#at += 1;
    return true;
  }
}

function escaped(character: string): readonly Range[] {
  const ranges = classes.get(character);
  if (ranges !== undefined) return ranges;
  const codePoint = character.codePointAt(0) ?? 0;
  const control = controls.get(character);
  if (control !== undefined) return [[control, control]];
  // as RE2: only punctuation may be escaped without a meaning
  if (codePoint >= 0x80 || /[\w\s]/.test(character)) throw new UnsupportedPattern();
  return [[codePoint, codePoint]];
}

/** Returns the code points that are in none of the ranges. */
function others(ranges: readonly Range[]): readonly Range[] {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  const gaps: Range[] = [];
  let next = 0;
  for (const [low, high] of sorted) {
    if (low > next) gaps.push([next, low - 1]);
    next = Math.max(next, high + 1);
  }
  if (next <= lastCodePoint) gaps.push([next, lastCodePoint]);
  return gaps;
}
