import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { SensitiveValues } from '../../../src/compiler/index.ts';
import { compareStored } from '../../../src/compiler/verify/index.ts';

const masks = new SensitiveValues([]);
const now = Date.parse('2026-06-01T00:00:00Z');
const server = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', generation: 1 };

const emitted: KubernetesObject = {
  apiVersion: 'addon.open-cluster-management.io/v1alpha1',
  kind: 'AddOnDeploymentConfig',
  metadata: { name: 'a', namespace: 'default', labels: { team: 'one' } },
  spec: { agentInstallNamespace: 'agents', customizedVariables: [{ name: 'LEVEL', value: 'info' }] },
};
const stored: KubernetesObject = { ...emitted, metadata: { ...emitted.metadata, ...server } };

function differences(
  answered: KubernetesObject,
  live?: KubernetesObject,
  mutators: readonly string[] | undefined = [],
  object = emitted,
) {
  return compareStored({ emitted: object, answered, live, mutators, masks, now });
}

test('the metadata and the status that the API server writes are no difference', () => {
  expect(differences({ ...stored, status: { conditions: [] } })).toEqual([]);
});

test('a changed field names the only webhook that may have changed it', () => {
  const answered = { ...stored, spec: { ...(stored.spec as object), agentInstallNamespace: 'elsewhere' } };
  expect(differences(answered, undefined, ['webhook a'])).toEqual([
    {
      part: 'spec.agentInstallNamespace',
      predicted: 'agents',
      answered: 'elsewhere',
      cause: 'webhook a',
    },
  ]);
  expect(differences(answered, undefined, ['webhook a', 'webhook b'])[0]?.cause).toBe(
    'one of webhook a, webhook b',
  );
});

test('a field that only the object on the hub has stays, and is no difference', () => {
  const withOwner = { ...stored.metadata, annotations: { owner: 'someone' }, finalizers: ['example.com/f'] };
  const live = { ...stored, metadata: withOwner };
  expect(differences(live, live)).toEqual([]);
  expect(differences({ ...stored, metadata: withOwner })).toHaveLength(2);
});

test('the API server completes objects of other kinds, unless something may have changed them', () => {
  const service: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a', namespace: 'default' },
    spec: { ports: [{ port: 80 }] },
  };
  const answered = { ...service, spec: { ports: [{ port: 80, protocol: 'TCP' }], type: 'ClusterIP' } };
  expect(differences(answered, undefined, [], service)).toEqual([]);
  expect(differences(answered, undefined, undefined, service)).toEqual([]);
  expect(differences(answered, undefined, ['webhook a'], service).map(({ part }) => part)).toEqual([
    'spec.ports[0].protocol',
    'spec.type',
  ]);
});

test('values of Secrets are masked', () => {
  const secret: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'a', namespace: 'default' },
    data: { password: 'b25l' },
  };
  const [difference] = differences({ ...secret, data: { password: 'dHdv' } }, undefined, [], secret);
  expect(difference).toEqual({ part: 'data.password', predicted: '(secret)', answered: '(secret)' });
});

test('the API server labels a Namespace with its name', () => {
  const namespace: KubernetesObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } };
  const answered = {
    ...namespace,
    metadata: { name: 'a', ...server, labels: { 'kubernetes.io/metadata.name': 'a' } },
    spec: { finalizers: ['kubernetes'] },
  };
  expect(differences(answered, undefined, [], namespace)).toEqual([]);
});

test('the webhook for clusters adds the label of the default set, and times of taints', () => {
  const cluster: KubernetesObject = {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name: 'c1' },
    spec: { hubAcceptsClient: true, taints: [{ key: 'gpu', effect: 'NoSelect' }] },
    status: { conditions: [{ type: 'ManagedClusterConditionAvailable', status: 'True' }] },
  };
  const answered = {
    ...cluster,
    metadata: { name: 'c1', labels: { 'cluster.open-cluster-management.io/clusterset': 'default' } },
    spec: {
      hubAcceptsClient: true,
      taints: [{ key: 'gpu', effect: 'NoSelect', timeAdded: '2026-06-01T00:00:07Z' }],
    },
  };
  expect(differences(answered, undefined, [], cluster)).toEqual([]);
});
