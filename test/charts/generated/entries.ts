import type { Random } from '../../engines/charts/random.ts';
import { entryShapes, textEntry, type EntrySite } from './entry-shapes.ts';
import { Expressions } from './expressions.ts';

/** Makes the entries of a map in a manifest, each with actions of a shape that charts have. */
export class Entries {
  readonly #random: Random;
  readonly #expressions: Expressions;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#expressions = new Expressions(random);
  }

  /**
   * Returns entries, at least one.
   *
   * @param indent - how many spaces are before the keys
   */
  some(indent: number, most = 5): string {
    return this.#several(most, indent, (site) => this.#random.pick(entryShapes)(site));
  }

  /** Returns entries whose values are texts, as those of annotations and labels are. */
  texts(indent: number, most = 2): string {
    return this.#several(most, indent, textEntry);
  }

  #several(most: number, indent: number, entry: (site: EntrySite) => string): string {
    return Array.from({ length: 1 + this.#random.below(most) }, () => entry(this.#site(indent))).join('');
  }

  #site(indent: number): EntrySite {
    this.#count += 1;
    return {
      random: this.#random,
      of: this.#expressions,
      key: `k${this.#count}`,
      indent,
      pad: ' '.repeat(indent),
    };
  }
}
