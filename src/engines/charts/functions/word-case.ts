import { lower, upper } from './words.ts';

const spaces = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;
const isUpper = (character: string): boolean => /^\p{Lu}$/u.test(character);

function isConnector(character: string): boolean {
  return character === '-' || character === '_' || spaces.test(character);
}

/** `camelcase`, which is Pascal case. As xstrings.ToPascalCase. */
export function camelCase(text: string): string {
  const characters = Array.from(text);
  const first = characters.findIndex((each) => !isConnector(each));
  if (first < 0) return text;
  let result = characters.slice(0, first).join('');
  let current = upper(characters[first] ?? '');
  let isUpperRun = isUpper(characters[first] ?? '');
  for (const next of characters.slice(first + 1)) {
    const previous = current;
    current = next;
    if (isConnector(current) && isConnector(previous)) {
      result += previous;
      continue;
    }
    if (isConnector(previous)) {
      isUpperRun = isUpper(current);
      current = upper(current);
      continue;
    }
    if (isUpperRun) {
      if (isUpper(current)) current = lower(current);
      else isUpperRun = false;
    }
    result += previous;
  }
  return result + current;
}

type WordKind = 'end' | 'number' | 'upper' | 'letters' | 'connector' | 'punctuation' | 'other';

interface Word {
  readonly kind: WordKind;
  readonly text: string;
}

const wordSyntax: readonly (readonly [WordKind, RegExp])[] = [
  ['connector', /[-_\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/uy],
  ['punctuation', /\p{P}+/uy],
  // Capitals before a word belong together, except the last one, which begins the word.
  ['upper', /\p{Lu}+(?=\p{Lu}(?:(?![\p{Lu}])[\p{L}]))|\p{Lu}(?:(?!\p{Lu})[\p{L}])+|\p{Lu}+/uy],
  ['letters', /(?:(?!\p{Lu})\p{L})+/uy],
  ['number', /\p{N}+/uy],
  ['other', /[^\p{L}\p{N}\p{P}\-_\t-\r \u0085\u00a0]+/uy],
];

class Words {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  next(): Word {
    for (const [kind, pattern] of wordSyntax) {
      pattern.lastIndex = this.#at;
      const [text] = pattern.exec(this.#text) ?? [];
      if (text === undefined) continue;
      this.#at += text.length;
      return { kind, text };
    }
    return { kind: 'end', text: '' };
  }
}

/** `snakecase` and `kebabcase`. As xstrings' camelCaseToLowerCase. */
export function lowerCase(text: string, connector: string): string {
  const words = new Words(text);
  let result = '';
  const write = ({ kind, text: word }: Word): void => {
    const lowered = kind === 'upper' ? Array.from(word, lower).join('') : word;
    result += kind === 'connector' ? connector.repeat(Array.from(word).length) : lowered;
  };
  let word = words.next();
  const joins = ({ kind }: Word): boolean => kind !== 'end' && kind !== 'punctuation' && kind !== 'connector';
  const writeRun = (): void => {
    while (word.kind === 'letters' || word.kind === 'number') {
      write(word);
      word = words.next();
    }
  };
  while (!words.isAtEnd) {
    const previous = word;
    if (previous.kind !== 'connector') write(previous);
    word = words.next();
    if (previous.kind === 'connector') write(previous);
    else if (previous.kind === 'number') {
      writeRun();
      if (joins(word)) result += connector;
    } else if (previous.kind !== 'punctuation') {
      if (word.kind !== 'number') {
        if (word.kind !== 'connector' && word.kind !== 'punctuation') result += connector;
      } else if (!words.isAtEnd) {
        const number = word;
        word = words.next();
        if (word.kind === 'letters') {
          result += connector;
          write(number);
          writeRun();
          if (joins(word)) result += connector;
        } else {
          write(number);
          if (word.kind !== 'connector' && word.kind !== 'punctuation') result += connector;
        }
      }
    }
  }
  write(word);
  return result;
}
