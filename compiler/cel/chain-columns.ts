import type { CelValue } from './value.ts';

/**
 * What lies behind a variable and constant steps, such as `managedCluster.metadata.labels["env"]`, for all values of the
 * variable: a column for each such chain, a row for each cluster. The expressions of a fleet's placements mostly read
 * the same few fields, which lie far apart in memory.
 */
export class ChainColumns {
  readonly #columns = new Map<string, (CelValue | undefined)[]>();

  column(chain: string): (CelValue | undefined)[] {
    const known = this.#columns.get(chain) ?? [];
    this.#columns.set(chain, known);
    return known;
  }
}
