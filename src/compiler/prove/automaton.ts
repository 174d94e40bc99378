import type { Range, TextPattern } from './text-pattern.ts';

/** A step of an automaton: on a character of the ranges, to another state. */
interface Step {
  readonly ranges: readonly Range[];
  readonly to: number;
}

/** A step without a character: always, only at the start of the text, or only at its end. */
interface FreeStep {
  readonly when: 'always' | 'start' | 'end';
  readonly to: number;
}

/** States of an automaton that are reached together, sorted. */
export type States = readonly number[];

/** The first state of an automaton that is too large. */
const mostStates = 20_000;
/** The number of states that all steps together may visit. */
const mostVisits = 5_000_000;

/**
 * The texts that contain a pattern, as a nondeterministic automaton over code points. The start state loops over all characters, and
 * so does the state after a match, because a pattern is searched anywhere in the text.
 */
export class Automaton {
  readonly #steps: Step[][] = [];
  readonly #free: FreeStep[][] = [];
  #visits = 0;
  readonly #accepting: number;
  readonly #first: number;

  /** @throws {RangeError} if the pattern has too many states */
  constructor(pattern: TextPattern) {
    this.#first = this.#state();
    this.#accepting = this.#state();
    const everything: readonly Range[] = [[0, 0x10_ff_ff]];
    this.#steps[this.#first]?.push({ ranges: everything, to: this.#first });
    this.#steps[this.#accepting]?.push({ ranges: everything, to: this.#accepting });
    this.#free[this.#build(pattern, this.#first)]?.push({ when: 'always', to: this.#accepting });
  }

  /** The states before the first character. */
  start(): States {
    return this.#closure([this.#first], { atStart: true, atEnd: false });
  }

  /**
   * The states after one more character.
   *
   * @throws {RangeError} if the steps together visit too many states
   */
  next(states: States, character: number): States {
    const reached: number[] = [];
    for (const state of states)
      for (const { ranges, to } of this.#steps[state] ?? [])
        if (ranges.some(([low, high]) => low <= character && character <= high)) reached.push(to);
    return this.#closure(reached, { atStart: false, atEnd: false });
  }

  /** Whether a text that ends in these states contains the pattern. */
  accepts(states: States, isEmpty: boolean): boolean {
    return this.#closure(states, { atStart: isEmpty, atEnd: true }).includes(this.#accepting);
  }

  /** The code points at which the steps of any state begin, or before which they end. */
  *bounds(): Iterable<number> {
    for (const steps of this.#steps)
      for (const { ranges } of steps)
        for (const [low, high] of ranges) {
          yield low;
          yield high + 1;
        }
  }

  #closure(states: States, { atStart, atEnd }: { atStart: boolean; atEnd: boolean }): States {
    const reached = new Set(states);
    for (const state of reached)
      for (const { when, to } of this.#free[state] ?? [])
        if (when === 'always' || (when === 'start' ? atStart : atEnd)) reached.add(to);
    this.#visits += reached.size;
    if (this.#visits > mostVisits) throw new RangeError('the pattern is too expensive');
    return [...reached].sort((a, b) => a - b);
  }

  #state(): number {
    if (this.#steps.length >= mostStates) throw new RangeError('the pattern has too many states');
    this.#steps.push([]);
    this.#free.push([]);
    return this.#steps.length - 1;
  }

  #link(from: number, when: FreeStep['when'] = 'always'): number {
    const to = this.#state();
    this.#free[from]?.push({ when, to });
    return to;
  }

  /** Adds the states of a pattern after a state, and returns the state at its end. */
  #build(pattern: TextPattern, from: number): number {
    switch (pattern.kind) {
      case 'character': {
        const to = this.#state();
        this.#steps[from]?.push({ ranges: pattern.ranges, to });
        return to;
      }
      case 'sequence':
        return pattern.parts.reduce((state, part) => this.#build(part, state), from);
      case 'choice': {
        const to = this.#state();
        for (const option of pattern.options)
          this.#free[this.#build(option, this.#link(from))]?.push({ when: 'always', to });
        return to;
      }
      case 'start':
      case 'end':
        return this.#link(from, pattern.kind);
      case 'repeat':
        break;
    }
    return this.#repeat(pattern, from);
  }

  #repeat({ part, least, most }: Extract<TextPattern, { kind: 'repeat' }>, from: number): number {
    let state = from;
    for (let count = 0; count < least; count++) state = this.#build(part, state);
    if (most === undefined) {
      const loop = this.#link(state);
      this.#free[this.#build(part, loop)]?.push({ when: 'always', to: loop });
      return this.#link(loop);
    }
    const to = this.#link(state);
    for (let count = least; count < most; count++) {
      state = this.#build(part, state);
      this.#free[state]?.push({ when: 'always', to });
    }
    return to;
  }
}
