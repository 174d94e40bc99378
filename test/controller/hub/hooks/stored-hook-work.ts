import type { ManifestWorkV1 } from '../../../../schemas/types.gen.ts';
import type { KubernetesObject } from '../../../../src/base/objects/object-meta.ts';
import type { Stored } from '../../../../src/client/object.ts';
import { hookWork } from '../../../../src/ocm/hook-work.ts';

const gvr = {
  Job: { group: 'batch', version: 'v1', resource: 'jobs' },
  Pod: { group: '', version: 'v1', resource: 'pods' },
};

export const hook = (kind: 'Job' | 'Pod', name: string): KubernetesObject => ({
  apiVersion: kind === 'Job' ? 'batch/v1' : 'v1',
  kind,
  metadata: { name, namespace: 'agents' },
});

/** What a cluster reports about a hook: the values of its feedback. */
export type Reported = readonly [kind: 'Job' | 'Pod', name: string, values: Readonly<Record<string, string>>];

/** The hook work of `hello` on `cluster1` as an API server has it, with what the cluster reports. */
export function storedHookWork(
  reports: readonly Reported[],
  { available = 'True', metadata = {} }: { readonly available?: string; readonly metadata?: object } = {},
): Stored<ManifestWorkV1> {
  const owner = { apiVersion: 'addon.open-cluster-management.io/v1alpha1', kind: 'ManagedClusterAddOn' };
  const work = hookWork('hello', 'cluster1', reports.map(([kind, name]) => hook(kind, name)) as never, {
    location: 'managed',
    owner: { ...owner, name: 'hello', uid: 'uid' },
  });
  const stored = { uid: 'work', resourceVersion: '1', creationTimestamp: '2026-01-31T12:00:00Z' };
  return {
    ...work,
    metadata: { ...work.metadata, ...stored, ...metadata },
    status: {
      conditions: [
        {
          type: 'Available',
          status: available,
          reason: 'Reported',
          message: 'as reported',
          lastTransitionTime: '2026-01-31T12:00:00Z',
        },
      ],
      resourceStatus: {
        manifests: reports.map(([kind, name, values], ordinal) => ({
          conditions: [],
          resourceMeta: { ordinal, kind, ...gvr[kind], name, namespace: 'agents' },
          statusFeedback: {
            values: Object.entries(values).map(([value, string]) => ({
              name: value,
              fieldValue: { type: 'String', string },
            })),
          },
        })),
      },
    },
  } as unknown as Stored<ManifestWorkV1>;
}
