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

test('the group of a role, unless the agent writes it', () => {
  const [before, after] = ['', 'example.com'].map((apiGroup) => ({
    roleRef: { kind: 'Role', name: 'a', ...(apiGroup !== '' && { apiGroup }) },
  }));
  if (before === undefined || after === undefined) throw new Error('two bindings');
  const kind = 'rbac.authorization.k8s.io/ClusterRoleBinding';
  expect(refused(kind, before, after, 'ServerSideApply')).toEqual(['roleRef.apiGroup is immutable']);
  expect(refused(kind, before, after)).toEqual([]);
});

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
    [
      '/PersistentVolumeClaim',
      spec({}),
      spec({ storageClassName: 'a' }),
      'spec.storageClassName is immutable, unless the cluster has no default StorageClass',
    ],
    ['/Service', spec({}), spec({ clusterIP: 'None' }), 'spec.clusterIP is immutable'],
    [
      '/ConfigMap',
      { immutable: true, data: { a: '1' } },
      { immutable: true, data: { a: '2' } },
      'data is immutable while immutable is true',
    ],
    ['scheduling.k8s.io/PriorityClass', { value: 1 }, { value: 2 }, 'value is immutable'],
    ['apps/ControllerRevision', { data: { a: 1 } }, { data: { a: 2 } }, 'data is immutable'],
    [
      'resource.k8s.io/ResourceClaim',
      spec({ devices: { requests: [] } }),
      spec({ devices: { requests: [{ name: 'a' }] } }),
      'spec is immutable',
    ],
    [
      'storage.k8s.io/VolumeAttributesClass',
      { driverName: 'a', parameters: { a: '1' } },
      { driverName: 'a', parameters: { a: '2' } },
      'parameters is immutable',
    ],
    [
      '/PersistentVolume',
      spec({ nfs: { server: 'a' }, capacity: { storage: '1Gi' } }),
      spec({ nfs: { server: 'b' }, capacity: { storage: '2Gi' }, volumeMode: 'Filesystem' }),
      'spec.nfs is immutable',
    ],
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
  test('with Update, a Job with the selector of its author accepts changes besides its template', () => {
    const own = { manualSelector: true, selector: { matchLabels: { app: 'a' } } };
    const job = (fields: JsonMap, image = 'a'): JsonMap => spec({ ...own, ...fields, template: { image } });
    expect(refused('batch/Job', job({ parallelism: 1 }), job({ parallelism: 2 }))).toEqual([]);
    expect(refused('batch/Job', job({}), job({}, 'b'))).toEqual(['spec.template is immutable']);
    expect(refused('batch/Job', spec({ template: { image: 'a' } }), job({}))).toEqual([
      'spec.selector is immutable',
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
  test('with ServerSideApply, a Job without indexes keeps its completions', () => {
    const job = (fields: JsonMap): JsonMap => spec({ template: {}, ...fields });
    const strategy = 'ServerSideApply';
    expect(refused('batch/Job', job({}), job({ completions: 1 }), strategy)).toEqual([]);
    expect(refused('batch/Job', job({}), job({ completions: 2 }), strategy)).toEqual([
      'spec.completions is immutable',
    ]);
    expect(refused('batch/Job', job({ parallelism: 2 }), job({ parallelism: 3 }), strategy)).toEqual([]);
    const indexed = { completionMode: 'Indexed', parallelism: 2 };
    expect(
      refused(
        'batch/Job',
        job({ ...indexed, completions: 1 }),
        job({ ...indexed, completions: 2 }),
        strategy,
      ),
    ).toEqual([]);
  });
  test('a default that one of them has is no change', () => {
    const claim = (fields: JsonMap): JsonMap => ({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      ...spec({ devices: { requests: [{ name: 'a', exactly: { deviceClassName: 'gpu', ...fields } }] } }),
    });
    const kind = 'resource.k8s.io/ResourceClaim';
    expect(refused(kind, claim({}), claim({ allocationMode: 'ExactCount', count: 1 }))).toEqual([]);
    expect(refused(kind, claim({}), claim({ count: 2 }))).toEqual(['spec is immutable']);
  });
  test('with Update, the agent deletes a CSIDriver and creates it again', () => {
    const drivers = [spec({}), spec({ attachRequired: false })] as const;
    expect(refused('storage.k8s.io/CSIDriver', ...drivers)).toEqual([]);
    expect(refused('storage.k8s.io/CSIDriver', ...drivers, 'ServerSideApply')).toEqual([
      'spec.attachRequired is immutable',
    ]);
    const same = spec({ attachRequired: true, volumeLifecycleModes: ['Persistent'], podInfoOnMount: true });
    expect(refused('storage.k8s.io/CSIDriver', spec({}), same, 'ServerSideApply')).toEqual([]);
  });
});

describe('a Pod', () => {
  const pod = (fields: JsonMap, image = 'a'): JsonMap =>
    spec({ containers: [{ name: 'a', image }], ...fields });
  test('with Update, the agent changes only its labels and annotations', () => {
    expect(refused('/Pod', pod({}), pod({ restartPolicy: 'Never' }))).toEqual([]);
  });
  test.each<[JsonMap, JsonMap]>([
    [pod({}), pod({ restartPolicy: 'Always' }, 'b')],
    [pod({ activeDeadlineSeconds: 9 }), pod({ activeDeadlineSeconds: 8 })],
    [pod({}), pod({ tolerations: [{ key: 'a' }] })],
    [pod({ schedulingGates: [{ name: 'a' }] }), pod({})],
  ])('with ServerSideApply, it accepts %j -> %j', (before, after) => {
    expect(refused('/Pod', before, after, 'ServerSideApply')).toEqual([]);
  });
  test.each<[JsonMap, JsonMap, string]>([
    [pod({}), pod({ restartPolicy: 'Never' }), 'spec.restartPolicy is immutable'],
    [pod({}), spec({ containers: [] }), 'spec.containers is immutable'],
    [pod({ activeDeadlineSeconds: 9 }), pod({}), 'spec.activeDeadlineSeconds can only become less'],
    [pod({ tolerations: [{ key: 'a' }] }), pod({}), 'spec.tolerations can only be added'],
    [pod({}), pod({ schedulingGates: [{ name: 'a' }] }), 'spec.schedulingGates can only be removed'],
  ])('with ServerSideApply, it refuses %j -> %j', (before, after, words) => {
    expect(refused('/Pod', before, after, 'ServerSideApply')).toEqual([words]);
  });
});
