import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { objectKey } from '../model/inventory.ts';
import type { ScheduledObjects } from './simulate.ts';

/** The names and values of a hub, from which variations of Placements are made. */
export interface Vocabulary {
  /** The number of clusters. */
  readonly clusters: number;
  readonly labels: readonly NamedValues[];
  readonly claims: readonly NamedValues[];
  readonly taints: readonly NamedValues[];
  /** The scores of add-ons, as coordinates of prioritizers name them. */
  readonly scores: readonly { readonly resourceName: string; readonly scoreName: string }[];
  /** Returns the sets that a namespace is bound to. */
  readonly setsOf: (namespace: string) => readonly string[];
}

/** A key and some of its values. */
export interface NamedValues {
  readonly key: string;
  readonly values: readonly string[];
}

/** Maximum number of keys, and of values per key. */
const mostKeys = 64;
const mostValues = 16;

/** Returns the names and values that the clusters of a hub have. */
export function vocabularyOf(objects: ScheduledObjects): Vocabulary {
  const labels = new Words();
  const claims = new Words();
  const taints = new Words();
  for (const { metadata, spec, status } of objects.managedClusters) {
    for (const [key, value] of Object.entries(metadata.labels ?? {})) labels.add(key, value);
    for (const { name = '', value = '' } of status?.clusterClaims ?? []) claims.add(name, value);
    for (const { key, value = '' } of spec?.taints ?? []) taints.add(key, value);
  }
  const scores = new Map<string, Vocabulary['scores'][number]>();
  for (const { metadata, status } of objects.addOnPlacementScores)
    for (const { name } of status?.scores ?? []) {
      if (scores.size === mostKeys) break;
      const resourceName = metadata.name ?? '';
      scores.set(objectKey(resourceName, name), { resourceName, scoreName: name });
    }
  const sets = new Map<string, string[]>();
  for (const { metadata } of objects.managedClusterSetBindings)
    getOrInsertComputed(sets, metadata.namespace ?? '', () => []).push(metadata.name ?? '');
  return {
    clusters: objects.managedClusters.length,
    labels: labels.all(),
    claims: claims.all(),
    taints: taints.all(),
    scores: [...scores.values()],
    setsOf: (namespace) => sets.get(namespace) ?? [],
  };
}

class Words {
  readonly #values = new Map<string, Set<string>>();

  add(key: string, value: string): void {
    if (!this.#values.has(key) && this.#values.size === mostKeys) return;
    const values = getOrInsertComputed(this.#values, key, () => new Set());
    if (values.size < mostValues) values.add(value);
  }

  all(): readonly NamedValues[] {
    return Array.from(this.#values, ([key, values]) => ({ key, values: [...values] }));
  }
}
