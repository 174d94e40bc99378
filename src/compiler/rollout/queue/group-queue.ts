import type { TrackedGroup } from '../decision-tracker.ts';

/**
 * Decision groups in the order in which a rollout processes them. Groups without waiting clusters are skipped immediately, so
 * that processing many groups costs no more than their number of clusters.
 */
export class GroupQueue {
  readonly #groups: readonly TrackedGroup[];
  readonly #positions: ReadonlyMap<TrackedGroup, number>;
  readonly #waiting: ReadonlyMap<TrackedGroup, number>;
  /** The number of groups at the front without waiting clusters. */
  #passed = 0;

  /** @param waiting - the number of clusters of each group that have not started; the caller decrements it when one starts */
  constructor(groups: readonly TrackedGroup[], waiting: ReadonlyMap<TrackedGroup, number>) {
    this.#groups = groups;
    this.#positions = new Map(groups.map((group, position) => [group, position]));
    this.#waiting = waiting;
  }

  get length(): number {
    return this.#groups.length;
  }

  /**
   * Yields the groups at which the rollout may stop, in order: the first, those with failures, and, from the first on, all groups
   * with waiting clusters. The rollout always passes the others, as in sdk-go's progressivePerGroup: none of their clusters
   * starts or failed, so the balance is that of the previous group.
   */
  *candidates(failing: Iterable<TrackedGroup>): Generator<TrackedGroup> {
    const groups = this.#groups;
    while (this.#passed < groups.length && !this.#isWaiting(groups[this.#passed])) this.#passed += 1;
    const passed = [...failing].map((group) => this.#positions.get(group) ?? Infinity);
    if (this.#passed > 0) passed.push(0);
    const early = [...new Set(passed)].filter((position) => position < this.#passed).sort((a, b) => a - b);
    for (const position of early) yield* groups.slice(position, position + 1);
    for (let position = this.#passed; position < groups.length; position += 1) {
      yield* groups.slice(position, position + 1);
    }
  }

  #isWaiting(group: TrackedGroup | undefined): boolean {
    return group !== undefined && (this.#waiting.get(group) ?? 0) > 0;
  }
}
