import path from 'node:path';
import type { Resolution } from '../../compiler/index.ts';
import {
  dependentsByName,
  orderedRequirements,
  requiredAddOns,
} from '../../compiler/configure/required-add-ons.ts';
import { clusterKey } from '../decide/promotion.ts';
import type { EarlierOutput } from '../../workspace/output/earlier-output.ts';
import { clusterFileName } from './cluster-files.ts';

/** An add-on that leaves a cluster with a release. */
export interface OrderedRemoval {
  readonly addOn: string;
  readonly cluster: string;
  /** The committed file of the cluster. */
  readonly file: string;
}

/** What requirements make of clusters that join or leave, which otherwise changes with the merge. */
export interface RequiredOrder {
  /** Whether an add-on with compiled delivery joins a cluster with a release, because others must be Available first. */
  readonly joinsWithRelease: (addOn: string) => boolean;
  /** The add-ons that leave a cluster with a release, because others that require them must leave first, by `clusterKey`. */
  readonly removals: ReadonlyMap<string, OrderedRemoval>;
}

/**
 * Returns what requirements make of clusters that join or leave. It depends on declared requirements and committed files only, not on
 * what else a commit changes, so that each commit of a change has the same answer. A cluster that leaves the fleet loses everything at once.
 */
export function requiredOrder(
  { inventory, configuration, decisions }: Pick<Resolution, 'inventory' | 'configuration' | 'decisions'>,
  { ownership }: Pick<EarlierOutput, 'ownership'>,
): RequiredOrder {
  const required = orderedRequirements(requiredAddOns(inventory));
  const removals = new Map<string, OrderedRemoval>();
  const files = new Map(
    required.size === 0 ? [] : ownership.files.map((file) => [path.basename(file), file]),
  );
  for (const name of dependentsByName(required).keys()) {
    const addOn = configuration.get(name);
    if (addOn?.delivery !== 'compiled') continue;
    for (const cluster of decisions.clusters.keys()) {
      const file = addOn.clusters.has(cluster) ? undefined : files.get(clusterFileName(name, cluster));
      if (file !== undefined) removals.set(clusterKey(name, cluster), { addOn: name, cluster, file });
    }
  }
  return { joinsWithRelease: (addOn) => (required.get(addOn)?.length ?? 0) > 0, removals };
}
