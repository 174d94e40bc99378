import type {
  ManagedClusterSetV1beta2,
  ManagedClusterSetV1beta2ClusterSelector,
} from '../../../schemas/types.gen.ts';

const autoUpdateAnnotation = 'cluster.open-cluster-management.io/autoupdate';

const defaults: ReadonlyMap<string, ManagedClusterSetV1beta2ClusterSelector> = new Map([
  ['default', { selectorType: 'ExclusiveClusterSetLabel' }],
  ['global', { selectorType: 'LabelSelector', labelSelector: {} }],
]);

/**
 * Returns the sets of a hub: the given ones, and `default` and `global`. The hub creates these two and restores them unless they
 * have `cluster.open-cluster-management.io/autoupdate: "false"`. As OCM's default set controllers.
 */
export function setsOnHub(sets: Iterable<ManagedClusterSetV1beta2>): ManagedClusterSetV1beta2[] {
  const missing = new Map(defaults);
  const present: ManagedClusterSetV1beta2[] = [];
  for (const set of sets) {
    const { name = '', annotations } = set.metadata;
    const clusterSelector = annotations?.[autoUpdateAnnotation] === 'false' ? undefined : defaults.get(name);
    missing.delete(name);
    present.push(clusterSelector === undefined ? set : { ...set, spec: { ...set.spec, clusterSelector } });
  }
  for (const [name, clusterSelector] of missing) {
    present.push({
      apiVersion: 'cluster.open-cluster-management.io/v1beta2',
      kind: 'ManagedClusterSet',
      metadata: { name },
      spec: { clusterSelector },
    });
  }
  return present;
}
