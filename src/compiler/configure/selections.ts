import { addToGroup } from '../../base/collections/groups.ts';
import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { isSameList } from '../../base/collections/remembered.ts';
import type { Decisions } from '../place/decision.ts';

/** The placements of an install strategy that select a cluster: one object for all clusters that the same placements select. */
export interface Selectors {
  /** Positions in the install strategy, in order. */
  readonly positions: readonly number[];
  /** `namespace/name` of the Placements at these positions. */
  readonly placements: readonly string[];
}

/** The clusters of the fleet that an install strategy selects: one object for all add-ons that list the same placements. */
export interface Selections {
  /** Sorted by name. */
  readonly byCluster: ReadonlyMap<string, Selectors>;
  /** The same clusters, grouped. Each group is sorted by name, and the groups by their first cluster. */
  readonly classes: ReadonlyMap<Selectors, readonly string[]>;
}

/** The selections of an add-on that no placement installs. */
export const noSelections: Selections = { byCluster: new Map(), classes: new Map() };

const led = new WeakMap<Selections, Map<string, Selections>>();

/** Returns the clusters that a placement leads, because it is the last that selects them. One object for all add-ons. */
export function selectionsLedBy(selections: Selections, placement: string): Selections {
  const ofPlacements = getOrInsertComputed(led, selections, () => new Map<string, Selections>());
  return getOrInsertComputed(ofPlacements, placement, () => {
    const classes = new Map(
      [...selections.classes].filter(([{ placements }]) => placements.at(-1) === placement),
    );
    const byCluster = new Map<string, Selectors>();
    for (const [cluster, selectors] of selections.byCluster)
      if (classes.has(selectors)) byCluster.set(cluster, selectors);
    return { byCluster, classes };
  });
}

/**
 * Returns a function that returns the clusters that lists of placements select. Each list is evaluated once, because the add-ons
 * of a hub usually share a few placements. `placements` are `namespace/name` in the order of the install strategy.
 */
export function selectionsIn(decisions: Decisions): (placements: readonly string[]) => Selections {
  return getOrInsertComputed(ofDecisions, decisions, readSelections);
}

const ofDecisions = new WeakMap<Decisions, (placements: readonly string[]) => Selections>();

/** The selections by the list of placements, of the last decisions on the same clusters. */
const latest = new WeakMap<Decisions['clusters'], Map<string, Selections>[]>();
/** How many decisions count as the last ones: those of the two states that a plan compares, while one of them is edited. */
const latestDecisions = 4;
/** More lists than any app has: those that are being typed are forgotten. */
const mostLists = 1000;

function readSelections(decisions: Decisions): (placements: readonly string[]) => Selections {
  const cache = new Map<string, Selections>();
  const caches = getOrInsertComputed(latest, decisions.clusters, () => []);
  const earlier = [...caches];
  caches.unshift(cache);
  caches.splice(latestDecisions);
  const sorted = [...decisions.clusters.keys()].sort();
  return (placements) => {
    const key = placements.join('\n');
    if (cache.size > mostLists) cache.clear();
    return getOrInsertComputed(cache, key, () => {
      const selections = select(placements, decisions, sorted);
      const known = earlier.flatMap((each) => each.get(key) ?? []);
      return known.find((each) => isSame(each, selections)) ?? selections;
    });
  };
}

/** Whether two selections of the same placements are equal. */
function isSame(one: Selections, other: Selections): boolean {
  if (one.byCluster.size !== other.byCluster.size || one.classes.size !== other.classes.size) return false;
  const classes = other.classes.entries();
  for (const [{ positions }, clusters] of one.classes) {
    const [selectors, others] = classes.next().value ?? [];
    if (selectors === undefined || others === undefined) return false;
    if (!isSameList(positions, selectors.positions) || !isSameList(clusters, others)) return false;
  }
  return true;
}

/** @param sorted - all clusters, sorted by name */
function select(
  placements: readonly string[],
  { byPlacement: decisions }: Decisions,
  sorted: readonly string[],
): Selections {
  const none: Following = { selectors: { positions: [], placements: [] }, next: new Map() };
  const reached = new Map<string, Following>();
  for (const [position, placement] of placements.entries()) {
    for (const cluster of decisions.get(placement)?.selected ?? [])
      reached.set(cluster, follow(reached.get(cluster) ?? none, position, placement));
  }
  const byCluster = new Map<string, Selectors>();
  const classes = new Map<Selectors, string[]>();
  for (const cluster of sorted) {
    const following = reached.get(cluster);
    if (following === undefined) continue;
    byCluster.set(cluster, following.selectors);
    addToGroup(classes, following.selectors, cluster);
  }
  return { byCluster, classes };
}

/** Selectors, and the selectors after adding one more placement. */
interface Following {
  readonly selectors: Selectors;
  readonly next: Map<number, Following>;
}

function follow({ selectors, next }: Following, position: number, placement: string): Following {
  return getOrInsertComputed(next, position, () => ({
    selectors: {
      positions: [...selectors.positions, position],
      placements: [...selectors.placements, placement],
    },
    next: new Map<number, Following>(),
  }));
}
