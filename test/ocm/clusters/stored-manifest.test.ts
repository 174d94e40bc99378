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
  ['/ConfigMap', { data: {} }, { data: { a: '1' } }, false],
])('Update deletes a %s and creates it again: %j -> %j is %s', (key, from, to, isExpected) => {
  expect(isRecreated(key, 'Update', from, to)).toBe(isExpected);
  expect(isRecreated(key, 'ServerSideApply', from, to)).toBe(false);
});
