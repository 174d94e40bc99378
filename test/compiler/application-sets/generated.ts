import {
  ApplicationGenerator,
  type Generation,
} from '../../../src/compiler/application-sets/generate-applications.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';

export const clusterGroup = 'cluster.open-cluster-management.io';

/** A Placement in the namespace `argocd`, whose sets are all clusters. */
export const placement = (name: string, labels: object): string => `apiVersion: ${clusterGroup}/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: argocd }
spec:
  clusterSets: [global]
  tolerations: [{ operator: Exists }]
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: ${JSON.stringify(labels)} } } }]
`;

export const setBinding = `apiVersion: ${clusterGroup}/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: argocd }
spec: { clusterSet: global }
`;

/** Registers the clusters of a Placement in Argo CD. */
export const gitOpsCluster = (
  placementName: string,
  more: object = { createBlankClusterSecrets: true },
): string =>
  JSON.stringify({
    apiVersion: 'apps.open-cluster-management.io/v1beta1',
    kind: 'GitOpsCluster',
    metadata: { name: 'argo', namespace: 'argocd' },
    spec: {
      argoServer: { argoNamespace: 'argocd' },
      placementRef: { apiVersion: `${clusterGroup}/v1beta1`, kind: 'Placement', name: placementName },
      ...more,
    },
  });

/** An ApplicationSet in the namespace `argocd`. */
export const applicationSet = (spec: object, name = 'apps'): string =>
  JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name, namespace: 'argocd' },
    spec,
  });

/** The generator that reads the decisions of a Placement. */
export const decided = (name: string, more: object = {}): object => ({
  clusterDecisionResource: {
    configMapRef: 'acm-placement',
    labelSelector: { matchLabels: { [`${clusterGroup}/placement`]: name } },
    ...more,
  },
});

/** A template whose Applications are named with a text, with the same text as path of their source. */
export const template = (name: string, more: object = {}): object => ({
  metadata: { name },
  spec: {
    project: 'default',
    source: { repoURL: 'https://git.example.com/apps.git', path: name, targetRevision: 'main' },
    destination: { name: '{{name}}', namespace: 'apps' },
    ...more,
  },
});

export const rings = { c1: { ring: '1' }, c2: { ring: '2' }, c7: { ring: '1' } };

/** What Argo CD makes of the first ApplicationSet of the objects. */
export function generationOf(
  objects: readonly string[],
  fleet: Readonly<Record<string, Readonly<Record<string, string>>>> = rings,
): Generation {
  const base = [setBinding, placement('all', {}), placement('ring-1', { ring: '1' })];
  const { resolution } = resolveText([...base, ...objects].join('\n---\n'), { fleet: fleetOf(fleet) });
  const generator = new ApplicationGenerator(resolution);
  const [set] = generator.sets();
  if (set === undefined) throw new Error('there is no ApplicationSet');
  return generator.generate(set);
}

/** The names of the Applications with their clusters; what Argo CD reports, if it generates nothing. */
export function namesOf({ applications, error, unanswered, invalid }: Generation): readonly string[] {
  if (error !== undefined) return [`error: ${error}`];
  if (unanswered !== undefined) return [`unanswered: ${unanswered}`];
  return [
    ...applications.map(({ name, cluster }) => `${name} on ${cluster ?? '?'}`),
    ...Array.from(invalid, ([name, why]) => `invalid ${name}: ${why}`),
  ];
}
