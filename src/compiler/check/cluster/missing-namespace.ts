import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { partsOf } from '../../../base/collections/joined-lists.ts';
import { hubKinds } from '../../../ocm/clusters/hub-kinds.ts';
import { isOnEveryCluster } from '../../../ocm/clusters/cluster-namespaces.ts';
import { oncePer } from '../../../base/collections/once-per.ts';
import { Remembered } from '../../../base/collections/remembered.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { quote } from '../../model/words.ts';
import { merged, tally, type Tallied } from '../templates/tally.ts';
import type { Rule, RuleInput } from '../rule.ts';
import { clustersByKey, createdNamespaces, creationsBy } from './created-objects.ts';
import { deliveriesOf, isReported, type Delivery } from './deliveries.ts';
import { found } from './report.ts';
import { isSent } from './sent-manifest.ts';

/** Reports namespaces of manifests that neither the cluster nor any manifest for the cluster creates, each once per delivery. */
export const missingNamespace: Rule = {
  codes: ['FW8313'],
  check(input) {
    const deliveries = deliveriesOf(input);
    const creations = namespacesIn(deliveries);
    const { elsewhere } = input.inventory;
    const existing = new Map<string, boolean>();
    const exists = (name: string): boolean =>
      getOrInsertComputed(
        existing,
        name,
        () => elsewhere.existence({ group: '', kind: 'Namespace', name }) === 'exists',
      );
    let created: ReadonlyMap<string, ReadonlySet<string>> | undefined;
    const lackingIn = (part: readonly Delivery[]): readonly Tallied[] => {
      const on = (created ??= clustersByKey(creations));
      return merged(
        part.flatMap((delivery) =>
          neededBy(delivery).flatMap((needed) => {
            const { namespace } = needed;
            if (exists(namespace)) return [];
            return missing(delivery, needed, clustersWithout(namespace, delivery, on.get(namespace), input));
          }),
        ),
      );
    };
    const inputs = [elsewhere, input.decisions.clusters, ...partsOf(creations)];
    return tally(partsOf(deliveries).flatMap((part) => remembered.of(part, inputs, () => lackingIn(part))));
  },
};

const namespacesIn = creationsBy(createdNamespaces);

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

/** The findings about the deliveries of an add-on, as long as the clusters get the same namespaces. */
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
