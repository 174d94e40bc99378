import { kubernetesKinds } from '../../../../schemas/kubernetes/kubernetes.ts';
import { isClusterScoped } from '../../../../schemas/cluster-scoped.ts';
import { oncePerPart } from '../../../base/collections/joined-lists.ts';
import { updateStrategyOf } from '../../../ocm/clusters/manifest-options.ts';
import { namespacedKindOf } from '../../../ocm/clusters/kind-scope.ts';
import { tally, type Tallied } from '../templates/tally.ts';
import type { Rule } from '../rule.ts';
import { clustersByKey, creationsBy } from './created-objects.ts';
import { deliveriesOf, isReported, type DeliveredManifest, type Delivery } from './deliveries.ts';
import { found } from './report.ts';
import { isSent } from './sent-manifest.ts';

/** Reports namespaced objects without a namespace. The API server of the cluster rejects them. */
export const scope: Rule = {
  codes: ['FW8310'],
  check(input) {
    const deliveries = deliveriesOf(input);
    const candidates = withoutNamespace(deliveries);
    if (candidates.length === 0) return [];
    const definitions = clustersByKey(definitionsIn(deliveries));
    return tally(
      candidates.flatMap(({ delivery, manifests }) => [...unplaced(delivery, manifests, definitions)]),
    );
  },
};

/** The clusters that get the CustomResourceDefinition of a namespaced kind, by `group/Kind`. */
type Definitions = ReadonlyMap<string, ReadonlySet<string>>;

/** The namespaced kinds that deliveries define. */
const definitionsIn = creationsBy(({ objects, options }) =>
  objects.flatMap(({ kindKey, object, resource }) => {
    if (kindKey !== 'apiextensions.k8s.io/CustomResourceDefinition') return [];
    const key = updateStrategyOf(options, resource) === 'ReadOnly' ? undefined : namespacedKindOf(object);
    return key === undefined ? [] : [key];
  }),
);

/** The manifests of a delivery that have no namespace, and are not known to need none. */
interface WithoutNamespace {
  readonly delivery: Delivery;
  readonly manifests: readonly DeliveredManifest[];
}

const withoutNamespace = oncePerPart((part: readonly Delivery[]) =>
  part.flatMap((delivery): readonly WithoutNamespace[] => {
    if (!isReported(delivery)) return [];
    const manifests = delivery.objects.filter(
      (manifest) =>
        manifest.resource.namespace === '' &&
        !isClusterScoped(manifest.resource.group, manifest.kind) &&
        isSent(delivery, manifest),
    );
    return manifests.length === 0 ? [] : [{ delivery, manifests }];
  }),
);

function* unplaced(
  delivery: Delivery,
  manifests: readonly DeliveredManifest[],
  definitions: Definitions,
): Iterable<Tallied> {
  for (const manifest of manifests) {
    const { words, path, kindKey } = manifest;
    const defining = isServed(manifest) ? undefined : (definitions.get(kindKey) ?? new Set());
    const clusters = delivery.clusters.filter((cluster) => defining?.has(cluster) !== false);
    if (defining !== undefined && clusters.length === 0) continue;
    yield found('FW8310', delivery, {
      path: [...path, 'metadata'],
      message: `the work agent cannot create ${words}, because it has no namespace`,
      hint: 'write metadata.namespace; neither a template nor a work has a default',
      clusters: clusters.length,
    });
  }
}

/** Whether API servers serve a kind by themselves. */
function isServed({ object, kind }: DeliveredManifest): boolean {
  return kubernetesKinds().byVersion.get(String(object['apiVersion']))?.has(kind) === true;
}
