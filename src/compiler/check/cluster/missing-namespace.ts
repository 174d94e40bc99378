import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { hubKinds } from '../../../ocm/clusters/hub-kinds.ts';
import { isOnEveryCluster } from '../../../ocm/clusters/cluster-namespaces.ts';
import { oncePer } from '../../../base/collections/once-per.ts';
import { Remembered } from '../../../base/collections/remembered.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { quote } from '../../model/words.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import type { Rule, RuleInput } from '../rule.ts';
import { deliveriesOf, isReported, type Delivery } from './deliveries.ts';
import { found } from './report.ts';
import { isSent } from './sent-manifest.ts';

/** Reports namespaces of manifests that neither the cluster nor any manifest for the cluster creates, each once per delivery. */
export const missingNamespace: Rule = {
  codes: ['FW8313'],
  check(input) {
    const deliveries = deliveriesOf(input);
    const created = namespacesOf(deliveries);
    const { elsewhere } = input.inventory;
    const existing = new Map<string, boolean>();
    const exists = (name: string): boolean =>
      getOrInsertComputed(
        existing,
        name,
        () => elsewhere.existence({ group: '', kind: 'Namespace', name }) === 'exists',
      );
    return tally(
      deliveries.flatMap((delivery) => {
        const needed = neededBy(delivery);
        const lacking = needed.map(({ namespace }) =>
          exists(namespace) ? 0 : clustersWithout(namespace, delivery, created.get(namespace), input),
        );
        return remembered.of(delivery, lacking, () =>
          needed.flatMap((each, index) => missing(delivery, each, lacking[index] ?? 0)),
        );
      }),
    );
  },
};

/** Returns the clusters that get a Namespace, by its name. */
function namespacesOf(deliveries: readonly Delivery[]): ReadonlyMap<string, ReadonlySet<string>> {
  const created = new Map<string, Set<string>>();
  for (const delivery of deliveries)
    for (const name of createdBy(delivery)) {
      const on = getOrInsertComputed(created, name, () => new Set<string>());
      for (const cluster of delivery.clusters) on.add(cluster);
    }
  return created;
}

/** Returns the names of the Namespaces that a delivery writes. */
const createdBy = oncePer(({ objects, options }: Delivery) =>
  objects
    .filter(
      ({ kindKey, resource }) =>
        kindKey === '/Namespace' && updateStrategyOf(options, resource) !== 'ReadOnly',
    )
    .map(({ resource }) => resource.name),
);

/** A manifest in a namespace, the first one of its delivery. */
interface Needed {
  readonly namespace: string;
  readonly words: string;
  readonly path: FieldPath;
}

/** Returns the namespaces that a delivery needs, without those that every cluster has. */
const neededBy = oncePer((delivery: Delivery): readonly Needed[] => {
  const needed = new Map<string, Needed>();
  for (const manifest of isReported(delivery) ? delivery.objects : []) {
    const { kindKey, resource, path, words } = manifest;
    const { namespace } = resource;
    // a separate rule reports objects of the hub
    if (hubKinds.has(kindKey) || namespace === '' || isOnEveryCluster(namespace)) continue;
    if (!isSent(delivery, manifest)) continue;
    if (!needed.has(namespace)) needed.set(namespace, { namespace, words, path });
  }
  return [...needed.values()];
});

const remembered = new Remembered<readonly Tallied[]>();

/** Returns the number of clusters of a delivery that do not have a namespace. */
function clustersWithout(
  namespace: string,
  { clusters }: Delivery,
  on: ReadonlySet<string> | undefined,
  { decisions }: RuleInput,
): number {
  // a hub that manages itself has a namespace for each cluster
  const isOfCluster = decisions.clusters.has(namespace);
  if (on === undefined && !isOfCluster) return clusters.length;
  const lacks = (cluster: string): boolean =>
    on?.has(cluster) !== true && !(isOfCluster && cluster === 'local-cluster');
  return clusters.filter(lacks).length;
}

function missing(
  delivery: Delivery,
  { namespace, words, path }: Needed,
  clusters: number,
): readonly Tallied[] {
  if (clusters === 0) return [];
  return [
    found('FW8313', delivery, {
      path: [...path, 'metadata', 'namespace'],
      message: `no manifest creates Namespace ${quote(namespace)}, which ${words} of ${delivery.words} needs`,
      hint: 'add the Namespace to the manifests, or list it under external in fleetwright.yaml if the clusters have it',
      clusters,
    }),
  ];
}
