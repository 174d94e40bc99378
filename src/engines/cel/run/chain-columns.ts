import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { CelValue } from '../values/value.ts';

/**
 * The values of a variable and constant steps, such as `object.metadata.labels["env"]`, for all values of the variable:
 * one column per chain, one row per value. Expressions about many objects mostly read the same few fields, which are far apart in
 * memory.
 */
export class ChainColumns {
  readonly #columns = new Map<string, (CelValue | undefined)[]>();

  column(chain: string): (CelValue | undefined)[] {
    return getOrInsertComputed(this.#columns, chain, () => []);
  }
}
