import { Automaton, type States } from './automaton.ts';
import { equalToOne, parsePattern, type TextPattern } from './text-pattern.ts';

/** The texts that a field may have. */
export interface TextSyntax {
  /** A pattern that every text of the field contains: usually one from its start to its end. */
  readonly pattern: TextPattern;
  /** The maximum length, in characters. */
  readonly longest: number;
}

/** The questions that selectors ask about a text: no two texts of a region have different answers. */
export interface TextQuestions {
  /** Texts that it is compared with. */
  readonly literals: ReadonlySet<string>;
  /** Patterns that are searched in it. */
  readonly patterns: readonly TextPattern[];
}

function syntax(source: string, longest: number): TextSyntax {
  const pattern = parsePattern(source);
  if (pattern === undefined) throw new Error(`this is no pattern: ${source}`);
  return { pattern, longest };
}

/** The value of a label. As apimachinery's IsValidLabelValue. */
export const labelValueSyntax = syntax('^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$', 63);
/** The name of a ManagedCluster: OCM requires a DNS label, because it is the name of a namespace. */
export const clusterNameSyntax = syntax('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 63);
/** The value of a claim, which the CRD of ManagedCluster limits to 1 to 1024 characters. */
export const claimValueSyntax = syntax('[\\s\\S]', 1024);
/** An annotation, or a text that nothing limits. */
export const anySyntax: TextSyntax = { pattern: { kind: 'sequence', parts: [] }, longest: 4096 };

/** The number of combined states after which the regions count as unknown. */
const mostStates = 20_000;

/** Code points that make good examples, before all others. */
const readable = 'x0abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ123456789-._ ';

/** The classes of the texts of a field that no question can distinguish. */
export interface TextRegions {
  /** One text of each class, the compared literals first. */
  readonly texts: readonly string[];
  /** Returns the position of a text's class; undefined for a text that the field cannot have. */
  readonly regionOf: (text: string) => number | undefined;
}

/**
 * Divides the texts of a field into the classes that no question can distinguish. Undefined if there are too many combinations of
 * patterns.
 */
export function textRegions(
  { literals, patterns }: TextQuestions,
  { pattern, longest }: TextSyntax,
): TextRegions | undefined {
  const written = [...literals];
  try {
    const allowed = new Automaton(pattern);
    const valid = written.filter((text) => text.length <= longest && isIn(allowed, text));
    const asked = patterns.map((each) => new Automaton(each));
    const rest = examples([allowed, new Automaton(equalToOne(written)), ...asked], longest);
    if (rest === undefined) return undefined;
    const positions = new Map(valid.map((text, position) => [text, position]));
    const answers = [...rest.keys()];
    return {
      texts: [...valid, ...rest.values()],
      regionOf: (text) => {
        const position = positions.get(text);
        if (position !== undefined) return position;
        const other = answers.indexOf(asked.map((automaton) => isIn(automaton, text)).join());
        return other < 0 ? undefined : valid.length + other;
      },
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function isIn(automaton: Automaton, text: string): boolean {
  let states = automaton.start();
  for (const character of text) states = automaton.next(states, character.codePointAt(0) ?? 0);
  return automaton.accepts(states, text === '');
}

/** An automaton with numbered sets of states over a fixed alphabet: every step is computed once. */
class NumberedStates {
  readonly #automaton: Automaton;
  readonly #alphabet: readonly number[];
  readonly #sets: States[] = [];
  readonly #numbers = new Map<string, number>();
  /** By number, then by position in the alphabet. */
  readonly #next: (number | undefined)[][] = [];
  readonly #accepted: (boolean | undefined)[] = [];

  constructor(automaton: Automaton, alphabet: readonly number[]) {
    this.#automaton = automaton;
    this.#alphabet = alphabet;
  }

  start(): number {
    return this.#numberOf(this.#automaton.start());
  }

  next(from: number, position: number): number {
    const steps = (this.#next[from] ??= []);
    return (steps[position] ??= this.#numberOf(
      this.#automaton.next(this.#sets[from] ?? [], this.#alphabet[position] ?? 0),
    ));
  }

  accepts(at: number, isEmpty: boolean): boolean {
    const states = this.#sets[at] ?? [];
    if (isEmpty) return this.#automaton.accepts(states, true);
    return (this.#accepted[at] ??= this.#automaton.accepts(states, false));
  }

  #numberOf(states: States): number {
    const key = states.join();
    const number = this.#numbers.get(key);
    if (number !== undefined) return number;
    this.#numbers.set(key, this.#sets.length);
    return this.#sets.push(states) - 1;
  }
}

/** A combined state of several automata, and the shortest text that reaches it. */
interface Reached {
  readonly text: string;
  readonly length: number;
  readonly states: readonly number[];
}

/**
 * Searches all combined states, shortest texts first. Returns the shortest text for each combination of answers of the other
 * automata: of those that the first automaton accepts and the second does not.
 */
function examples(automata: readonly Automaton[], longest: number): ReadonlyMap<string, string> | undefined {
  const characters = alphabet(automata);
  const numbered = automata.map((automaton) => new NumberedStates(automaton, characters));
  const found = new Map<string, string>();
  // the state before the first character is not marked as seen: `^` only holds there
  const seen = new Set<string>();
  let level: Reached[] = [{ text: '', length: 0, states: numbered.map((each) => each.start()) }];
  while (level.length > 0) {
    const following: Reached[] = [];
    for (const { text, length, states } of level) {
      const answers = numbered.map((each, index) => each.accepts(states[index] ?? 0, length === 0));
      const [isAllowed, isLiteral, ...combination] = answers;
      const key = combination.join();
      // an empty text is a poor example
      if (isAllowed === true && isLiteral !== true && (found.get(key) ?? '') === '') found.set(key, text);
      if (length >= longest) continue;
      for (const [position, character] of characters.entries()) {
        const next = numbered.map((each, index) => each.next(states[index] ?? 0, position));
        const identity = next.join();
        if (seen.has(identity)) continue;
        if (seen.size >= mostStates) return undefined;
        seen.add(identity);
        following.push({ text: text + String.fromCodePoint(character), length: length + 1, states: next });
      }
    }
    level = following;
  }
  return found;
}

/** Returns one code point of each class that no automaton distinguishes, readable ones first. */
function alphabet(automata: readonly Automaton[]): readonly number[] {
  const bounds = new Set<number>([0, 0xd8_00, 0xe0_00, 0x11_00_00]);
  for (const automaton of automata) for (const bound of automaton.bounds()) bounds.add(bound);
  const sorted = [...bounds].sort((a, b) => a - b);
  const preferred = Array.from(readable, (character) => character.codePointAt(0) ?? 0);
  const chosen: number[] = [];
  for (const [index, low] of sorted.entries()) {
    const high = (sorted[index + 1] ?? low) - 1;
    // no text has lone surrogates
    if (high < low || low === 0xd8_00) continue;
    chosen.push(preferred.find((codePoint) => low <= codePoint && codePoint <= high) ?? low);
  }
  const rank = (codePoint: number): number => {
    const position = preferred.indexOf(codePoint);
    return position < 0 ? preferred.length + codePoint : position;
  };
  return chosen.sort((a, b) => rank(a) - rank(b));
}
