import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { goJson } from '../../base/json/go-json.ts';
import { effects, type Cause, type ChangeGroup } from './change.ts';
import { withoutLocations } from './without-locations.ts';

/** The parts of a change that all clusters of a group share. */
export type Change = Omit<ChangeGroup, 'clusters'>;

/** The change to one object that is no add-on, on all clusters. */
export interface GroupedChange<K extends string> {
  readonly kind: K;
  readonly name: string;
  readonly change?: 'added' | 'removed';
  /** The number of clusters that have it in each state. */
  readonly before: number;
  readonly after: number;
  readonly groups: readonly ChangeGroup[];
  /** The number of clusters on which it does not change. */
  readonly unchanged: number;
}

/** Returns a change without values: the cluster gains or loses the whole object. */
export function wholeChange(effect: Change['effect'], causes: readonly Cause[]): Change {
  return { effect, causes: distinct(causes), configs: [], values: [], moreValues: 0 };
}

/** Removes duplicate causes, so that a cause that two placements share is reported once. */
export function distinct(causes: readonly Cause[]): readonly Cause[] {
  return [...new Map(causes.map((cause) => [cause.text, cause])).values()];
}

/** Returns whether something is added or removed as a whole. `change` is absent if it exists before and after. */
export function additionOrRemoval(
  before: unknown,
  after: unknown,
): { readonly change?: 'added' | 'removed' } {
  if (before === undefined) return { change: 'added' };
  return after === undefined ? { change: 'removed' } : {};
}

/** Returns the number of clusters that have something in the later state and are in no group. */
export function unchangedIn(
  groups: readonly ChangeGroup[],
  after: ReadonlyMap<string, unknown> | undefined,
): number {
  if (after === undefined) return 0;
  const changed = groups.flatMap(({ clusters }) => clusters).filter((cluster) => after.has(cluster));
  return after.size - changed.length;
}

/** Groups clusters by what changes on them. */
export class ChangeGroups {
  readonly #groups = new Map<string, { change: Change; clusters: string[] }>();
  readonly #causeNumbers = new Map<readonly Cause[], number>();

  /**
   * @param key - the same for clusters with the same change
   * @param causes - part of the key, compared by identity
   */
  add(key: string, causes: readonly (readonly Cause[])[], cluster: string, change: () => Change): void {
    this.addAll(key, causes, [cluster], change);
  }

  /** Adds several clusters with the same change. */
  addAll(
    key: string,
    causes: readonly (readonly Cause[])[],
    clusters: readonly string[],
    change: () => Change,
  ): void {
    const whole = `${key} ${causes.map((each) => this.#numberOf(each)).join()}`;
    const group = getOrInsertComputed(this.#groups, whole, () => ({ change: change(), clusters: [] }));
    for (const cluster of clusters) group.clusters.push(cluster);
  }

  /**
   * Returns the groups, most severe first, then by the first cluster. Merges groups with equal content, even if they have
   * different keys.
   */
  all(): ChangeGroup[] {
    const byContent = new Map<string, { change: Change; clusters: string[] }>();
    for (const { change, clusters } of this.#groups.values()) {
      const content = goJson(withoutLocations(change));
      const group = getOrInsertComputed(byContent, content, () => ({ change, clusters: [] }));
      for (const cluster of clusters) group.clusters.push(cluster);
    }
    return mostSevereFirst(
      Array.from(byContent.values(), ({ change, clusters }) => ({ ...change, clusters: clusters.sort() })),
    );
  }

  #numberOf(causes: readonly Cause[]): number {
    return getOrInsertComputed(this.#causeNumbers, causes, () => this.#causeNumbers.size);
  }
}

/** Sorts groups by effect. In an effect, groups that lose objects with their content come first, then by the first cluster. */
export function mostSevereFirst(groups: readonly ChangeGroup[]): ChangeGroup[] {
  return groups.toSorted(
    (a, b) =>
      effects.indexOf(a.effect) - effects.indexOf(b.effect) ||
      Number(hasDeletions(b)) - Number(hasDeletions(a)) ||
      ((a.clusters[0] ?? '') < (b.clusters[0] ?? '') ? -1 : 1),
  );
}

function hasDeletions({ answers = [] }: ChangeGroup): boolean {
  return answers.some(({ kind }) => kind === 'deleted');
}
