import { describe, expect, test } from 'vitest';
import type { JsonMap } from '../../../src/base/json/json-map.ts';
import { refusedChanges } from '../../../src/ocm/clusters/immutable-fields.ts';
import type { UpdateStrategy } from '../../../src/ocm/clusters/manifest-options.ts';

function refused(
  kind: string,
  before: JsonMap,
  after: JsonMap,
  strategy: UpdateStrategy = 'Update',
): readonly string[] {
  return refusedChanges(kind, before, after, strategy).map(({ words }) => words);
}

const spec = (fields: JsonMap): JsonMap => ({ spec: fields });

describe('the API server refuses', () => {
  test.each([
    [
      'apps/Deployment',
      spec({ selector: { a: 1 } }),
      spec({ selector: { a: 2 } }),
      'spec.selector is immutable',
    ],
    ['apps/DaemonSet', spec({ selector: { a: 1 } }), spec({}), 'spec.selector is immutable'],
    [
      'apps/StatefulSet',
      spec({ volumeClaimTemplates: [] }),
      spec({ volumeClaimTemplates: [{ a: 1 }] }),
      'spec.volumeClaimTemplates is immutable',
    ],
    [
      'rbac.authorization.k8s.io/RoleBinding',
      { roleRef: { kind: 'Role', name: 'a' } },
      { roleRef: { kind: 'Role', name: 'b' } },
      'roleRef.name is immutable',
    ],
    [
      'apiextensions.k8s.io/CustomResourceDefinition',
      spec({ scope: 'Namespaced' }),
      spec({ scope: 'Cluster' }),
      'spec.scope is immutable',
    ],
    [
      'apiextensions.k8s.io/CustomResourceDefinition',
      spec({ versions: [{ name: 'v1', storage: true }] }),
      spec({ versions: [{ name: 'v2', storage: true }] }),
      'version v1 is among the stored versions and cannot be removed',
    ],
    ['/PersistentVolumeClaim', spec({ accessModes: ['a'] }), spec({}), 'spec.accessModes is immutable'],
    [
      '/PersistentVolumeClaim',
      spec({ resources: { requests: { storage: '1Gi' } } }),
      spec({ resources: { requests: { storage: '900Mi' } } }),
      'spec.resources.requests.storage cannot become less',
    ],
    ['/Service', spec({}), spec({ clusterIP: 'None' }), 'spec.clusterIP is immutable'],
    [
      '/ConfigMap',
      { immutable: true, data: { a: '1' } },
      { immutable: true, data: { a: '2' } },
      'data is immutable while immutable is true',
    ],
    ['scheduling.k8s.io/PriorityClass', { value: 1 }, { value: 2 }, 'value is immutable'],
    [
      'batch/Job',
      spec({ parallelism: 1 }),
      spec({ parallelism: 2 }),
      'a Job cannot be updated with strategy Update, because spec.selector is immutable',
    ],
  ])('a change of a %s', (kind, before, after, words) => {
    expect(refused(kind, before, after)).toEqual([words]);
    expect(refused(kind, before, before)).toEqual([]);
    expect(refused(kind, before, after, 'CreateOnly')).toEqual([]);
    expect(refused(kind, before, after, 'ReadOnly')).toEqual([]);
  });
});

describe('the API server accepts', () => {
  test.each([
    ['apps/StatefulSet', spec({ replicas: 1 }), spec({ replicas: 2, podManagementPolicy: 'OrderedReady' })],
    [
      '/PersistentVolumeClaim',
      spec({ resources: { requests: { storage: '900Mi' } } }),
      spec({ resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' }),
    ],
    ['/Service', spec({ clusterIP: 'None' }), spec({})],
    ['/Service', spec({ type: 'ExternalName' }), spec({ clusterIP: 'None' })],
    ['/ConfigMap', { data: { a: '1' } }, { data: { a: '2' }, immutable: true }],
    [
      'rbac.authorization.k8s.io/RoleBinding',
      { roleRef: { kind: 'Role', name: 'a' } },
      { roleRef: { kind: 'Role', name: 'a', apiGroup: 'rbac.authorization.k8s.io' } },
    ],
    ['example.com/Deployment', spec({ selector: 1 }), spec({ selector: 2 })],
  ])('a change of a %s', (kind, before, after) => {
    expect(refused(kind, before, after)).toEqual([]);
    expect(refused(kind, before, after, 'ServerSideApply')).toEqual([]);
  });
});

describe('the update strategy decides', () => {
  test('with Update, the agent deletes a Secret and a StorageClass, and creates them again', () => {
    const secret = [
      { immutable: true, data: { a: 'MQ==' } },
      { immutable: true, data: { a: 'Mg==' } },
    ] as const;
    expect(refused('/Secret', ...secret)).toEqual([]);
    expect(refused('/Secret', ...secret, 'ServerSideApply')).toEqual([
      'data is immutable while immutable is true',
    ]);
    const storageClass = [{ provisioner: 'a' }, { provisioner: 'b' }] as const;
    expect(refused('storage.k8s.io/StorageClass', ...storageClass)).toEqual([]);
    expect(refused('storage.k8s.io/StorageClass', ...storageClass, 'ServerSideApply')).toEqual([
      'provisioner is immutable',
    ]);
  });
  test('with ServerSideApply, a Job accepts changes besides its template', () => {
    const job = (fields: JsonMap, image: string): JsonMap => spec({ ...fields, template: { image } });
    const strategy = 'ServerSideApply';
    expect(
      refused('batch/Job', job({ parallelism: 1 }, 'a'), job({ parallelism: 2 }, 'a'), strategy),
    ).toEqual([]);
    expect(refused('batch/Job', job({}, 'a'), job({}, 'b'), strategy)).toEqual([
      'spec.template is immutable',
    ]);
  });
});
