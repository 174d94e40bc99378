import { compareText } from '../../collections/compare-text.ts';
import { getOrInsertComputed } from '../../collections/get-or-insert.ts';
import type { Decisions } from '../place/decision.ts';

/** The placements of an install strategy that select a cluster: one object for all clusters that the same placements select. */
export interface Selectors {
  /** Positions in the install strategy, in order. */
  readonly positions: readonly number[];
  /** `namespace/name` of the Placements at these positions. */
  readonly placements: readonly string[];
}

/** The clusters of the fleet that an install strategy selects, sorted by name. */
export type Selections = ReadonlyMap<string, Selectors>;

/**
 * Returns a function that returns the clusters that lists of placements select. Each list is evaluated once, because the add-ons
 * of a hub usually share a few placements. `placements` are `namespace/name` in the order of the install strategy.
 */
export function selectionsIn(decisions: Decisions): (placements: readonly string[]) => Selections {
  const cache = new Map<string, Selections>();
  return (placements) => {
    const key = placements.join('\n');
    return getOrInsertComputed(cache, key, () => select(placements, decisions));
  };
}

function select(placements: readonly string[], { byPlacement: decisions, clusters }: Decisions): Selections {
  const none: Following = { selectors: { positions: [], placements: [] }, next: new Map() };
  const reached = new Map<string, Following>();
  for (const [position, placement] of placements.entries()) {
    for (const cluster of decisions.get(placement)?.selected ?? []) {
      if (clusters.has(cluster))
        reached.set(cluster, follow(reached.get(cluster) ?? none, position, placement));
    }
  }
  const sorted = [...reached].sort(([a], [b]) => compareText(a, b));
  return new Map(sorted.map(([cluster, { selectors }]) => [cluster, selectors]));
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
