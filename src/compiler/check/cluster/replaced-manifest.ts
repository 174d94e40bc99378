import { talliedPerPart, type Tallied } from '../templates/tally.ts';
import type { Rule } from '../rule.ts';
import { deliveriesOf, isReported, type Delivery } from './deliveries.ts';
import { found } from './report.ts';

/** Reports manifests of templates that a later one replaces. As sdk-go WorkBuilder: of equal keys, the last counts. */
export const replacedManifest: Rule = {
  codes: ['FW8315'],
  check: (input) => findings(deliveriesOf(input)),
};

const findings = talliedPerPart(replaced);

function* replaced(delivery: Delivery): Iterable<Tallied> {
  if (!delivery.isTemplate || !isReported(delivery)) return;
  // no part of a key has a space: of others, the API server rejects the manifests
  const keys = delivery.objects.map(({ object, words }) => `${String(object['apiVersion'])} ${words}`);
  const last = new Map(keys.map((key, index) => [key, index]));
  for (const [index, { words, path }] of delivery.objects.entries()) {
    const later = last.get(keys[index] ?? '');
    if (later === undefined || later === index) continue;
    const position = delivery.objects[later]?.path.at(-1);
    yield found('FW8315', delivery, {
      path,
      message: `the hub drops this manifest of ${words}: manifest ${position} has the same kind, namespace and name, and the last one counts`,
      hint: 'remove one of the two, or rename it',
      clusters: delivery.clusters.length,
    });
  }
}
