import { compareUtf8 } from '../../base/json/go-json.ts';
import { conditionOf } from '../../base/objects/condition.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import type { ManagedClusterAddOnV1beta1 } from '../../../schemas/types.gen.ts';
import { clusterCount } from '../model/words.ts';
import type { Resolution } from '../resolve.ts';
import type { Unasked } from './verification.ts';

/** The clusters, by add-on, that still have an earlier configuration because they wait for their wave. */
export type WaitingClusters = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the clusters that wait for their wave. The hub changes those of the first wave at once, unless it waits for the agents of
 * others.
 *
 * @param held - the objects of the hub, with the statuses of ManagedClusterAddOns
 */
export function waitingClusters(
  { rollouts }: Resolution,
  held: readonly KubernetesObject[],
): WaitingClusters {
  const inProgress = new Set(
    held.flatMap(({ kind, metadata, ...object }) => {
      if (kind !== ocmKinds.managedClusterAddOn.kind) return [];
      // The API server has validated it.
      const { status } = object as Partial<ManagedClusterAddOnV1beta1>;
      return conditionOf(status?.conditions, 'Progressing')?.status === 'True' ? [metadata.name ?? ''] : [];
    }),
  );
  return new Map(
    Array.from(rollouts, ([addOn, { waves }]) => {
      const [first, ...later] = waves;
      const isAtOnce = first?.after === 0 && !inProgress.has(addOn);
      return [addOn, new Set((isAtOnce ? later : waves).flatMap(({ clusters }) => clusters))];
    }),
  );
}

/** Returns what is not asked because of a rollout. @param addOns - the add-ons to compare. @default - all */
export function unaskedForWaves(waiting: WaitingClusters, addOns?: ReadonlySet<string>): readonly Unasked[] {
  return [...waiting]
    .filter(([addOn, clusters]) => clusters.size > 0 && (addOns?.has(addOn) ?? true))
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([addOn, clusters]) => ({
      what: `configurations, works and permissions of add-on ${addOn} on ${clusterCount(clusters.size)}`,
      why: 'a rollout is under way, and they wait for their wave',
    }));
}
