import { hubKinds } from '../../../ocm/clusters/hub-kinds.ts';
import { talliedPerPart, type Tallied } from '../templates/tally.ts';
import type { Rule } from '../rule.ts';
import { deliveriesOf, isReported, type Delivery } from './deliveries.ts';
import { found } from './report.ts';

/** Reports objects of the hub among manifests. A managed cluster does not serve their kinds, unless it is a hub itself. */
export const hubObject: Rule = {
  codes: ['FW8311'],
  check: (input) => findings(deliveriesOf(input)),
};

const findings = talliedPerPart(hubObjects);

function* hubObjects(delivery: Delivery): Iterable<Tallied> {
  if (!isReported(delivery)) return;
  for (const { kindKey, words, path } of delivery.objects) {
    if (!hubKinds.has(kindKey)) continue;
    yield found('FW8311', delivery, {
      path: [...path, 'kind'],
      message: `${words} is an object of the hub, and managed clusters do not serve its kind`,
      hint: 'apply it to the hub, and deliver only what runs on the clusters',
      clusters: delivery.clusters.length,
    });
  }
}
