import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { hubKinds } from '../../../ocm/clusters/hub-kinds.ts';
import { isOnEveryCluster } from '../../../ocm/clusters/cluster-namespaces.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import { quote } from '../../model/words.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import type { Rule, RuleInput } from '../rule.ts';
import { deliveriesOf, isReported, type Delivery } from './deliveries.ts';
import { found } from './report.ts';

/** Reports namespaces of manifests that neither the cluster nor any manifest for the cluster creates, each once per delivery. */
export const missingNamespace: Rule = {
  codes: ['FW8313'],
  check(input) {
    const deliveries = deliveriesOf(input);
    const created = namespacesOf(deliveries);
    return tally(deliveries.flatMap((delivery) => [...missing(delivery, created, input)]));
  },
};

/** Returns the clusters that get a Namespace, by its name. */
function namespacesOf(deliveries: readonly Delivery[]): ReadonlyMap<string, ReadonlySet<string>> {
  const created = new Map<string, Set<string>>();
  for (const { objects, clusters, options } of deliveries) {
    const names = objects
      .filter(
        ({ kindKey, resource }) =>
          kindKey === '/Namespace' && updateStrategyOf(options, resource) !== 'ReadOnly',
      )
      .map(({ resource }) => resource.name);
    if (names.length === 0) continue;
    for (const name of names) {
      const on = getOrInsertComputed(created, name, () => new Set<string>());
      for (const cluster of clusters) on.add(cluster);
    }
  }
  return created;
}

function* missing(
  delivery: Delivery,
  created: ReturnType<typeof namespacesOf>,
  { inventory, decisions }: RuleInput,
): Iterable<Tallied> {
  const { objects, clusters, words, options } = delivery;
  if (!isReported(delivery)) return;
  const reported = new Set<string>();
  for (const { kindKey, resource, path, ...object } of objects) {
    const { namespace } = resource;
    // a separate rule reports objects of the hub
    if (hubKinds.has(kindKey) || namespace === '' || isOnEveryCluster(namespace) || reported.has(namespace))
      continue;
    // the agent writes nothing
    if (updateStrategyOf(options, resource) === 'ReadOnly') continue;
    reported.add(namespace);
    const { elsewhere } = inventory;
    if (elsewhere.existence({ group: '', kind: 'Namespace', name: namespace }) === 'exists') continue;
    const on = created.get(namespace);
    // a hub that manages itself has a namespace for each cluster
    const lacking = clusters.filter(
      (cluster) =>
        on?.has(cluster) !== true && !(decisions.clusters.has(namespace) && cluster === 'local-cluster'),
    );
    if (lacking.length === 0) continue;
    yield found('FW8313', delivery, {
      path: [...path, 'metadata', 'namespace'],
      message: `no manifest creates Namespace ${quote(namespace)}, which ${object.words} of ${words} needs`,
      hint: 'add the Namespace to the manifests, or list it under external in fleetwright.yaml if the clusters have it',
      clusters: lacking.length,
    });
  }
}
