import { PlacedByCluster } from '../../../src/compiler/application-sets/placed-by-cluster.ts';
import { resolveText } from '../../resolve-text.ts';
import { clusterObjects, type PolicyCase, type PolicyCopies } from './policy-case.ts';

const clusterSets = ['global', 'default'].map((name) => ({
  apiVersion: 'cluster.open-cluster-management.io/v1beta2',
  kind: 'ManagedClusterSet',
  metadata: { name },
  spec: {
    clusterSelector:
      name === 'global'
        ? { selectorType: 'LabelSelector', labelSelector: {} }
        : { selectorType: 'ExclusiveClusterSetLabel' },
  },
}));

/** Returns the copies of Policies that a hub has according to the prediction. */
export function predictedCopies({ clusters, objects }: PolicyCase): PolicyCopies {
  const text = (all: readonly object[]): string => all.map((each) => JSON.stringify(each)).join('\n---\n');
  const own = new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}`));
  const sets = clusterSets.filter(({ kind, metadata }) => !own.has(`${kind} ${metadata.name}`));
  const { resolution } = resolveText(text(objects), {
    fleet: text([...sets, ...clusterObjects(clusters)]),
    hub: '1.2',
  });
  const copies = new PlacedByCluster(resolution).policies.flatMap(({ policy, placed }) => {
    if (policy.policy === undefined) return [];
    const name = policy.name.replace('/', '.');
    return [...placed].map(
      ([cluster, { remediationAction }]) =>
        [`${cluster} ${name}`, remediationAction?.toLowerCase() ?? '-'] as const,
    );
  });
  return Object.fromEntries(copies);
}
