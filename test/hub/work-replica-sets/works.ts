import { hubObjects } from '../../../src/compiler/hub-objects.ts';
import type { Resolution } from '../../../src/compiler/resolve.ts';
import type { HubVersion } from '../../../src/ocm/hub-version.ts';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { ocmKinds } from '../client/kinds.ts';
import type { Hub } from '../client/hub.ts';

/** What a set decides of a work. */
export interface Work {
  /** The name, or what a generated name begins with. */
  readonly name: string;
  readonly cluster: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: unknown;
}

/** The works that `resolve` prints for a release. */
export function predictedWorks(resolution: Resolution, release: HubVersion): readonly Work[] {
  return sorted([...hubObjects(resolution, { hub: release, addOnApiVersion: 'v1alpha1' })]);
}

/**
 * The works on a hub. With generated names, the controller creates a work again where it does not see yet that it has created it: how
 * often it does is chance, so one of them counts.
 */
export async function worksOnHub({ client }: Hub, release: HubVersion): Promise<readonly Work[]> {
  const works = sorted(await client.list(...ocmKinds.manifestWork));
  if (!release.generatesWorkNames) return works;
  return [...new Map(works.map((work) => [JSON.stringify(work), work])).values()];
}

function sorted(objects: readonly KubernetesObject[]): readonly Work[] {
  return objects
    .filter(({ kind }) => kind === 'ManifestWork')
    .map((object) => {
      const { name = '', generateName, namespace: cluster = '', labels = {} } = object.metadata;
      return {
        name: generateName ?? name,
        cluster,
        labels,
        spec: (object as { readonly spec?: unknown }).spec,
      };
    })
    .sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function key({ name, cluster }: Work): string {
  return `${name}/${cluster}`;
}
