import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { hostingClusterAnnotation } from '../../../ocm/hosted-mode.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { locateObjects } from '../../render/works/manifest-location.ts';
import { clusterCount } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { renderedSample } from '../templates/rendered-sample.ts';
import { hostedClusters, type HostedCluster } from '../../render/hosted-clusters.ts';

/** Reports hosted add-ons with compiled delivery of which nothing runs on the hosting cluster. */
export const emptyHosting: Rule = {
  codes: ['FW6042'],
  *check({ configuration, rendering, inventory }) {
    const hostedOf = new Map<string, ReadonlyMap<string, HostedCluster>>();
    for (const group of rendering.groups) {
      const addOn = configuration.get(group.addOn);
      if (addOn?.delivery !== 'compiled') continue;
      const byCluster = getOrInsertComputed(
        hostedOf,
        addOn.name,
        () => new Map(Array.from(hostedClusters(addOn, inventory), (hosted) => [hosted.cluster, hosted])),
      );
      const hosted = byCluster.size === 0 ? [] : group.clusters.flatMap((name) => byCluster.get(name) ?? []);
      const [first] = hosted;
      if (first === undefined) continue;
      const objects = renderedSample(group);
      const located = locateObjects(objects, true);
      if (objects.length === 0 || 'error' in located || located.hosting.some(({ isHook }) => !isHook))
        continue;
      yield diagnostic('FW6042', {
        message: `add-on "${addOn.name}" is hosted for ${clusterCount(hosted.length)}, but none of its manifests has the location hosting: nothing runs on hosting cluster "${first.hosting}", and the companion finds no work whose health it can check`,
        ...pointAt(first.holder, ['metadata', 'annotations', hostingClusterAnnotation]),
        hint: 'annotate the manifests for the hosting cluster with addon.open-cluster-management.io/hosted-manifest-location: hosting, or remove the annotation',
      });
    }
  },
};
