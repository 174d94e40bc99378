import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { oncePerPart } from '../../../base/collections/joined-lists.ts';
import { oncePer } from '../../../base/collections/once-per.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import type { Delivery } from './deliveries.ts';

/** Something that a delivery creates, and the clusters that get it. */
export interface Creation {
  readonly key: string;
  readonly clusters: readonly string[];
}

/** Returns a function that lists what deliveries create: the keys of each delivery. Those of a part of the list are kept, see `oncePerPart`. */
export function creationsBy(
  keysOf: (delivery: Delivery) => Iterable<string>,
): (deliveries: readonly Delivery[]) => readonly Creation[] {
  return oncePerPart((part: readonly Delivery[]) =>
    part.flatMap((delivery) => Array.from(keysOf(delivery), (key) => ({ key, clusters: delivery.clusters }))),
  );
}

/** Returns the clusters that get what has a key, by key. */
export function clustersByKey(creations: readonly Creation[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byKey = new Map<string, Set<string>>();
  for (const { key, clusters } of creations) {
    const on = getOrInsertComputed(byKey, key, () => new Set<string>());
    for (const cluster of clusters) on.add(cluster);
  }
  return byKey;
}

/** Returns the names of the Namespaces that a delivery writes. */
export const createdNamespaces = oncePer(({ objects, options }: Delivery) =>
  objects
    .filter(
      ({ kindKey, resource }) =>
        kindKey === '/Namespace' && updateStrategyOf(options, resource) !== 'ReadOnly',
    )
    .map(({ resource }) => resource.name),
);
