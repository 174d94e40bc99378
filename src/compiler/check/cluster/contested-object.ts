import { addToGroup } from '../../../base/collections/groups.ts';
import { goJson } from '../../../base/json/go-json.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import type { Rule } from '../rule.ts';
import { deliveriesOf, type DeliveredManifest, type Delivery } from './deliveries.ts';
import { found } from './report.ts';

/**
 * Reports objects that several add-ons or works deliver to one cluster with different content. Each work agent run overwrites what the
 * other one wrote. Works that only create or read the object do not overwrite it.
 */
export const contestedObject: Rule = {
  codes: ['FW8316'],
  check: (input) => tally(contested(deliveriesOf(input))),
};

interface Claim {
  readonly delivery: Delivery;
  readonly manifest: DeliveredManifest;
}

function* contested(deliveries: readonly Delivery[]): Iterable<Tallied> {
  const claims = new Map<string, Claim[]>();
  for (const delivery of deliveries)
    for (const manifest of delivery.objects)
      addToGroup(claims, `${manifest.resource.group}/${manifest.words}`, { delivery, manifest });
  for (const each of claims.values()) {
    if (new Set(each.map(({ delivery }) => delivery.words)).size < 2) continue;
    const writers = each
      .filter(
        ({ delivery, manifest }) =>
          !['CreateOnly', 'ReadOnly'].includes(updateStrategyOf(delivery.options, manifest.resource)),
      )
      .map((claim) => ({
        ...claim,
        text: goJson(claim.manifest.object),
        clusters: new Set(claim.delivery.clusters),
      }));
    for (const [one, other] of pairsOnOneCluster(writers)) yield* conflict(one, other);
  }
}

interface Writer extends Claim {
  readonly text: string;
  readonly clusters: ReadonlySet<string>;
}

/** Returns pairs of writers with a common cluster. Each of 10,000 clusters may have a work of its own with an object of this name. */
function* pairsOnOneCluster(writers: readonly Writer[]): Iterable<readonly [Writer, Writer]> {
  const earlier = new Map<string, Writer[]>();
  for (const writer of writers) {
    const others = new Set<Writer>();
    for (const cluster of writer.clusters) {
      for (const other of earlier.get(cluster) ?? []) others.add(other);
      addToGroup(earlier, cluster, writer);
    }
    for (const other of others) yield [other, writer];
  }
}

function* conflict(one: Writer, other: Writer): Iterable<Tallied> {
  const { delivery, manifest } = other;
  if (one.delivery.words === delivery.words || one.text === other.text) return;
  const clusters = delivery.clusters.filter((cluster) => one.clusters.has(cluster)).length;
  const holder = delivery.holder.source === 'app' ? other : one;
  if (clusters === 0 || holder.delivery.holder.source !== 'app') return;
  yield found('FW8316', holder.delivery, {
    path: holder.manifest.path,
    message: `${one.delivery.words} and ${delivery.words} both deliver ${manifest.words}, with different content: each overwrites the other`,
    hint: 'deliver the object once, rename one of them, or let one only create it (updateStrategy CreateOnly)',
    clusters,
  });
}
