import { goJson } from '../../../src/base/json/go-json.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../../src/base/json/json-map.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ocmKinds, reference } from '../client/kinds.ts';
import { parseObjects } from '../record/scenario.ts';
import type { PolicyCase } from './policy-case.ts';

/** The kinds that decide which policies are on which clusters. */
const kinds: ReadonlySet<string> = new Set([
  'Policy',
  'PolicySet',
  'PlacementBinding',
  'Placement',
  'ManagedClusterSetBinding',
  'ManagedClusterSet',
]);

/** Returns the objects of a file that decide about policies, and clusters of which each Placement selects one. */
export function policiesOfFile(text: string): PolicyCase {
  const objects = parseObjects(text)
    .filter(({ kind }) => kinds.has(kind))
    .map((object): KubernetesObject => {
      const { kind, metadata } = object;
      const isClustered = kind === 'ManagedClusterSet';
      return isClustered ? object : { ...object, metadata: { namespace: 'policies', ...metadata } };
    });
  // Alternatives such as overlays have the same names.
  const named = new Map(
    objects.map((object) => [
      `${object.kind} ${goJson(object.metadata.namespace ?? '')} ${object.metadata.name ?? ''}`,
      object,
    ]),
  );
  const bound = new Set(
    objects.flatMap(({ kind, metadata }) => (kind === 'ManagedClusterSetBinding' ? metadata.namespace : [])),
  );
  const unbound = new Set(
    objects.flatMap(({ kind, metadata: { namespace } }) =>
      kind === 'Placement' && namespace !== undefined && !bound.has(namespace) ? namespace : [],
    ),
  );
  const bindings = [...unbound].map((namespace) => ({
    ...reference(ocmKinds.managedClusterSetBinding, 'global', namespace),
    spec: { clusterSet: 'global' },
  }));
  const labels = objects.flatMap((object) => (object.kind === 'Placement' ? selectedLabels(object) : []));
  const distinct = [...new Map(labels.map((each) => [goJson(each), each])).values()].slice(0, 20);
  return {
    clusters: Object.fromEntries([{}, ...distinct].map((each, index) => [`cluster-${index}`, each] as const)),
    objects: [...bindings, ...named.values()],
  };
}

/** Returns labels that the selectors of a Placement select. */
function selectedLabels(placement: KubernetesObject): readonly Record<string, string>[] {
  const spec = placement['spec'];
  const predicates = isJsonMap(spec) && isJsonList(spec['predicates']) ? spec['predicates'] : [];
  return predicates.filter(isJsonMap).map((predicate) => {
    const selector = at(at(predicate, 'requiredClusterSelector'), 'labelSelector');
    const expressions = selector['matchExpressions'];
    const ofExpressions = (isJsonList(expressions) ? expressions : [])
      .filter(isJsonMap)
      .flatMap(({ key, operator, values: given }): [string, string][] => {
        if (operator === 'Exists') return [[String(key), 'true']];
        return operator === 'In' && isJsonList(given) ? [[String(key), String(given[0])]] : [];
      });
    const set = spec !== undefined && isJsonMap(spec) ? spec['clusterSets'] : undefined;
    const ofSet: [string, string][] =
      isJsonList(set) && typeof set[0] === 'string' && set[0] !== 'global'
        ? [['cluster.open-cluster-management.io/clusterset', set[0]]]
        : [];
    const labels: [string, string][] = [
      ...Object.entries(at(selector, 'matchLabels')).map(([key, value]): [string, string] => [
        key,
        String(value),
      ]),
      ...ofExpressions,
      ...ofSet,
    ];
    // OCM's hub removes the labels of add-ons that a cluster does not have.
    return Object.fromEntries(
      labels.filter(([key]) => !key.startsWith('feature.open-cluster-management.io/')),
    );
  });
}

function at(map: JsonMap, key: string): JsonMap {
  const value = map[key];
  return isJsonMap(value) ? value : {};
}
