import { hostingClusterAnnotation } from '../../../ocm/hosted-mode.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';
import { hostedClusters } from '../../render/hosted-clusters.ts';

/** Reports template add-ons in hosted mode. The hub deploys them on the managed cluster and then waits indefinitely. */
export const hostedTemplate: Rule = {
  codes: ['FW7117'],
  *check({ configuration, inventory }) {
    for (const addOn of configuration.values()) {
      const { name, managed, template, delivery } = addOn;
      if (!managed || !template || delivery === 'compiled') continue;
      for (const { cluster, hosting, holder } of hostedClusters(addOn, inventory))
        yield diagnostic('FW7117', {
          message: `template add-on "${name}" cannot be hosted on "${hosting}": the hub deploys it on "${cluster}" itself, and it never becomes available`,
          ...pointAt(holder, ['metadata', 'annotations', hostingClusterAnnotation]),
          hint: 'remove the annotation; hosted add-ons need compiled delivery, or their own manager',
        });
    }
  },
};
