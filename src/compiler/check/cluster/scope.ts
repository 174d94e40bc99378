import { kubernetesKinds } from '../../../../schemas/kubernetes/kubernetes.ts';
import { isClusterScoped } from '../../../../schemas/cluster-scoped.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import type { Rule } from '../rule.ts';
import { deliveriesOf, isReported, type DeliveredManifest, type Delivery } from './deliveries.ts';
import { found } from './report.ts';

/** Reports namespaced objects without a namespace. The API server of the cluster rejects them. */
export const scope: Rule = {
  codes: ['FW8310'],
  check: (input) => tally(deliveriesOf(input).flatMap((delivery) => [...unplaced(delivery)])),
};

function* unplaced(delivery: Delivery): Iterable<Tallied> {
  if (!isReported(delivery)) return;
  for (const manifest of delivery.objects) {
    const { resource, words, path } = manifest;
    if (resource.namespace !== '' || !isNamespaced(manifest)) continue;
    if (updateStrategyOf(delivery.options, resource) === 'ReadOnly') continue;
    yield found('FW8310', delivery, {
      path: [...path, 'metadata'],
      message: `the work agent cannot create ${words}, because it has no namespace`,
      hint: 'write metadata.namespace; neither a template nor a work has a default',
      clusters: delivery.clusters.length,
    });
  }
}

/** Whether a kind is known to have a namespace. */
function isNamespaced({ object, kind, resource: { group } }: DeliveredManifest): boolean {
  const known = kubernetesKinds().byVersion.get(String(object['apiVersion']))?.has(kind) === true;
  return known && !isClusterScoped(group, kind);
}
