import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ocmKinds } from '../../hub/client/kinds.ts';
import type { EngineHub } from './hub.ts';

/** The clusters of a story, by their name on the hub. */
export type Clusters = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Names of clusters of a story, with the labels by which its placement selects them. */
export function clustersOf(story: string, count: number): Clusters {
  const names = Array.from({ length: count }, (_, index) => `${story}-${index + 1}`);
  return Object.fromEntries(names.map((name) => [name, { story }]));
}

/** The value that the add-on of a little app has on each cluster, according to the works on the hub. */
export async function valuesOn(
  hub: EngineHub,
  name: string,
  clusters: readonly string[],
): Promise<Record<string, string | undefined>> {
  const works = await hub.client.list(...ocmKinds.manifestWork);
  const valueOn = (cluster: string): string | undefined => {
    const work = works.find(
      ({ metadata }) => metadata.namespace === cluster && metadata.name === `addon-${name}-deploy-0`,
    ) as Work | undefined;
    return work?.spec.workload.manifests.find(({ kind }) => kind === 'ConfigMap')?.data?.value;
  };
  return Object.fromEntries(clusters.map((cluster) => [cluster, valueOn(cluster)]));
}

/** The uid of the ManagedClusterAddOn on each cluster: another one where the add-on was uninstalled meanwhile. */
export async function uidsOn(
  hub: EngineHub,
  name: string,
  clusters: readonly string[],
): Promise<Record<string, string>> {
  const all = await hub.client.list(...ocmKinds.managedClusterAddOn);
  return Object.fromEntries(
    all
      .filter(({ metadata }) => metadata.name === name && clusters.includes(metadata.namespace ?? ''))
      .map(({ metadata: { namespace = '', uid = '' } }): [string, string] => [namespace, uid])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

interface Work extends KubernetesObject {
  readonly spec: {
    readonly workload: {
      readonly manifests: readonly { readonly kind: string; readonly data?: { readonly value?: string } }[];
    };
  };
}
