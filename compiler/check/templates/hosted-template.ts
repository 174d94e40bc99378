import { diagnostic } from '../../diagnostic.ts';
import { pointAt } from '../../point-at.ts';
import type { Rule } from '../rule.ts';

const hostingAnnotation = 'addon.open-cluster-management.io/hosting-cluster-name';

/** Reports template add-ons in hosted mode. The hub deploys them on the managed cluster and then waits indefinitely. */
export const hostedTemplate: Rule = {
  codes: ['FW7117'],
  *check({ configuration, inventory }) {
    const hosted = new Set(
      [...inventory.managedClusters.values()]
        .filter(({ object }) => object.metadata.annotations?.[hostingAnnotation] !== undefined)
        .map(({ object }) => object.metadata.name ?? ''),
    );
    for (const { name, managed, template, clusters } of configuration.values()) {
      if (!managed || !template) continue;
      // Only individual clusters have a ManagedClusterAddOn.
      const candidates = hosted.size === 0 ? clusters.individual : clusters;
      for (const { cluster, managedClusterAddOn } of candidates.values()) {
        // the hub copies such annotations from a cluster to the add-ons that it creates there
        const holder =
          managedClusterAddOn ?? (hosted.has(cluster) ? inventory.managedClusters.get(cluster) : undefined);
        const hosting = holder?.object.metadata.annotations?.[hostingAnnotation];
        if (holder === undefined || hosting === undefined) continue;
        yield diagnostic('FW7117', {
          message: `template add-on "${name}" cannot be hosted on "${hosting}": the hub deploys it on "${cluster}" itself, and it never becomes available`,
          ...pointAt(holder, ['metadata', 'annotations', hostingAnnotation]),
          hint: 'remove the annotation; hosted add-ons need their own manager',
        });
      }
    }
  },
};
