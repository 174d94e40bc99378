import { expect, test } from 'vitest';
import type { JsonMap } from '../../../src/base/json/json-map.ts';
import { isRecreated, storedManifest } from '../../../src/ocm/clusters/stored-manifest.ts';

const object = (labels: JsonMap, fields: JsonMap = {}): JsonMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', labels },
  ...fields,
});

const before = object({ a: '1', b: '1' }, { data: { a: '1' }, immutable: false });
const after = object({ a: '2' }, { data: { a: '2' }, immutable: true });

test('an object that does not exist is created from the manifest, unless it is only read', () => {
  for (const strategy of ['Update', 'ServerSideApply', 'CreateOnly'] as const)
    expect(storedManifest('/ConfigMap', strategy, undefined, after)).toEqual(after);
  expect(storedManifest('/ConfigMap', 'ReadOnly', undefined, after)).toBeUndefined();
});

test('an object that exists stays with CreateOnly and ReadOnly, and is replaced with ServerSideApply', () => {
  expect(storedManifest('/ConfigMap', 'CreateOnly', before, after)).toEqual(before);
  expect(storedManifest('/ConfigMap', 'ReadOnly', before, after)).toEqual(before);
  expect(storedManifest('/ConfigMap', 'ServerSideApply', before, after)).toEqual(after);
});

test('Update merges labels, and replaces the content', () => {
  expect(storedManifest('example.com/Widget', 'Update', before, after)).toEqual(
    object({ a: '2', b: '1' }, { data: { a: '2' }, immutable: true }),
  );
});

test('Update does not write whether a ConfigMap is immutable', () => {
  expect(storedManifest('/ConfigMap', 'Update', before, after)).toEqual(
    object({ a: '2', b: '1' }, { data: { a: '2' }, immutable: false }),
  );
});

test.each(['/Namespace', '/Pod', '/ServiceAccount'])('Update changes only the metadata of a %s', (key) => {
  expect(storedManifest(key, 'Update', before, after)).toEqual(
    object({ a: '2', b: '1' }, { data: { a: '1' }, immutable: false }),
  );
});

test('Update writes the group of the role and of users into a binding that exists', () => {
  const group = 'rbac.authorization.k8s.io';
  const binding = (apiGroup: string): JsonMap => ({
    metadata: { name: 'a' },
    roleRef: { apiGroup, kind: 'Role', name: 'a' },
    subjects: [
      { apiGroup, kind: 'User', name: 'a' },
      { apiGroup, kind: 'Group', name: 'a' },
    ],
  });
  const key = `${group}/RoleBinding`;
  const { subjects } = binding('v1');
  expect(storedManifest(key, 'Update', binding(group), binding('v1'))).toEqual({
    ...binding(group),
    subjects: [{ apiGroup: group, kind: 'User', name: 'a' }, (subjects as JsonMap[])[1]],
  });
  expect(storedManifest(key, 'Update', undefined, binding('v1'))).toEqual(binding('v1'));
  expect(storedManifest(key, 'ServerSideApply', binding(group), binding('v1'))).toEqual(binding('v1'));
});

test('the control plane writes the rules of a ClusterRole with an aggregationRule', () => {
  const key = 'rbac.authorization.k8s.io/ClusterRole';
  const metadata = { name: 'a' };
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
  const role = { metadata, rules, aggregationRule };
  expect(storedManifest(key, 'Update', undefined, role)).toEqual({ metadata, aggregationRule });
  expect(storedManifest(key, 'Update', { metadata, rules }, role)).toEqual({ metadata, aggregationRule });
  const empty = { metadata, rules, aggregationRule: {} };
  expect(storedManifest(key, 'ServerSideApply', undefined, empty)).toEqual(empty);
});

test('a Service without affinity has no configuration of one', () => {
  const service = (spec: JsonMap): JsonMap => ({ metadata: { name: 'a' }, spec });
  const sessionAffinityConfig = { clientIP: { timeoutSeconds: 60 } };
  expect(storedManifest('/Service', 'Update', undefined, service({ sessionAffinityConfig }))).toEqual(
    service({}),
  );
  const affine = service({ sessionAffinity: 'ClientIP', sessionAffinityConfig });
  expect(storedManifest('/Service', 'ServerSideApply', service({}), affine)).toEqual(affine);
});

test('a Service keeps its address', () => {
  const service = (spec: JsonMap): JsonMap => ({ metadata: { name: 'a' }, spec });
  const headless = service({ clusterIP: 'None', selector: { a: 'b' } });
  for (const strategy of ['Update', 'ServerSideApply'] as const) {
    expect(storedManifest('/Service', strategy, headless, service({ selector: { a: 'c' } }))).toEqual(
      service({ selector: { a: 'c' }, clusterIP: 'None' }),
    );
    const external = service({ type: 'ExternalName', externalName: 'a' });
    expect(storedManifest('/Service', strategy, headless, external)).toEqual(external);
    expect(storedManifest('/Service', strategy, external, service({}))).toEqual(service({}));
  }
});

test.each<[string, JsonMap, JsonMap, boolean]>([
  ['storage.k8s.io/StorageClass', { provisioner: 'a' }, { provisioner: 'a' }, true],
  [
    'storage.k8s.io/StorageClass',
    { provisioner: 'a' },
    { provisioner: 'a', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
    false,
  ],
  ['storage.k8s.io/CSIDriver', { spec: { attachRequired: true } }, { spec: { attachRequired: false } }, true],
  ['storage.k8s.io/CSIDriver', { spec: {} }, { spec: {} }, false],
  ['/Secret', {}, { type: 'Opaque' }, false],
  ['/Secret', {}, { type: 'example.com/a' }, true],
  ['/Secret', { data: { a: 'MQ==' } }, { data: { a: 'Mg==' } }, false],
  ['/Secret', { data: { a: 'MQ==' }, immutable: true }, { data: { a: 'Mg==' } }, true],
  ['/ConfigMap', { data: {} }, { data: { a: '1' } }, false],
])('Update deletes a %s and creates it again: %j -> %j is %s', (key, from, to, isExpected) => {
  expect(isRecreated(key, 'Update', from, to)).toBe(isExpected);
  expect(isRecreated(key, 'ServerSideApply', from, to)).toBe(false);
});
