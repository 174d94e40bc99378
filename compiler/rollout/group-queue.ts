import type { TrackedGroup } from './decision-tracker.ts';

/**
 * Decision groups in the order in which a rollout goes through them. Groups where nobody waits any more are passed at
 * once, so that going through many groups costs no more than the groups have clusters.
 */
export class GroupQueue {
  readonly #groups: readonly TrackedGroup[];
  readonly #positions: ReadonlyMap<TrackedGroup, number>;
  readonly #waiting: ReadonlyMap<TrackedGroup, number>;
  /** How many groups at the front have nobody waiting. */
  #passed = 0;

  /** `waiting` counts the clusters of each group that have yet to start; whoever starts one counts down. */
  constructor(groups: readonly TrackedGroup[], waiting: ReadonlyMap<TrackedGroup, number>) {
    this.#groups = groups;
    this.#positions = new Map(groups.map((group, position) => [group, position]));
    this.#waiting = waiting;
  }

  get length(): number {
    return this.#groups.length;
  }

  /**
   * The groups at which the rollout may stop, in order: the first, those with failures, and all from the first on where
   * somebody waits. Past all others it goes anyway, as sdk-go's progressivePerGroup: nobody of them starts or failed, so
   * the balance is that of the group before.
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
