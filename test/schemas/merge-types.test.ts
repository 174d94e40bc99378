import { describe, expect, test } from 'vitest';
import { apiDefaults } from '../../schemas/kubernetes/api-defaults.ts';
import { mergeTypesTable } from '../../schemas/kubernetes/merge-types.gen.ts';
import { mergeTypeOf, type MergeShape } from '../../schemas/kubernetes/merge-types.ts';

function shapeAt(apiVersion: string, kind: string, path: string): MergeShape | undefined {
  const type = mergeTypeOf(apiVersion, kind);
  let shape: MergeShape | undefined = type && { isWhole: false, isQuantity: false, type };
  for (const step of path.split('.'))
    shape = step === '*' ? shape?.items : (shape?.type?.field(step) ?? shape?.items);
  return shape;
}

describe('how server-side apply merges a field', () => {
  test('lists with keys, some of which have a default', () => {
    const containers = shapeAt('apps/v1', 'Deployment', 'spec.template.spec.containers');
    expect(containers).toMatchObject({ isWhole: false, keys: ['name'] });
    const ports = containers?.items?.type?.field('ports');
    expect(ports?.keys).toEqual(['containerPort', 'protocol']);
    expect(ports?.items?.type?.defaults).toEqual({ protocol: 'TCP' });
  });
  test('the same field of several kinds', () => {
    expect(shapeAt('v1', 'Pod', 'spec.imagePullSecrets')?.keys).toEqual(['name']);
    expect(shapeAt('v1', 'ServiceAccount', 'imagePullSecrets')).toMatchObject({ isWhole: true });
    expect(shapeAt('v1', 'Service', 'spec.ports')?.keys).toEqual(['port', 'protocol']);
    expect(shapeAt('networking.k8s.io/v1', 'NetworkPolicy', 'spec.ingress.*.ports')).toMatchObject({
      isWhole: true,
    });
  });
  test('lists whose items are merged by their values', () => {
    expect(shapeAt('storage.k8s.io/v1', 'CSIDriver', 'spec.volumeLifecycleModes')?.keys).toEqual([]);
  });
  test.each([
    ['apps/v1', 'Deployment', 'spec.selector'],
    ['v1', 'Service', 'spec.selector'],
    ['v1', 'Pod', 'spec.nodeSelector'],
    ['apps/v1', 'ControllerRevision', 'data'],
    ['rbac.authorization.k8s.io/v1', 'RoleBinding', 'roleRef'],
    ['admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'spec.matchConstraints'],
  ])('a map with one owner: %s %s %s', (apiVersion, kind, path) => {
    expect(shapeAt(apiVersion, kind, path)?.isWhole).toBe(true);
  });
  test('quantities', () => {
    expect(shapeAt('v1', 'ResourceQuota', 'spec.hard.pods')?.isQuantity).toBe(true);
    expect(shapeAt('v1', 'Pod', 'spec.containers.*.resources.limits.cpu')?.isQuantity).toBe(true);
  });
  test('nothing is known of other kinds, nor of names that every object has', () => {
    expect(mergeTypeOf('example.com/v1', 'Widget')).toBeUndefined();
    expect(mergeTypeOf('constructor', 'name')).toBeUndefined();
    expect(mergeTypeOf('v1', 'constructor')).toBeUndefined();
    expect(mergeTypeOf('v1', 'Pod')?.field('constructor')).toBeUndefined();
  });
});

test('the table has every type that gets defaults', () => {
  const { types } = JSON.parse(mergeTypesTable) as { types: readonly { name: string }[] };
  const names = new Set(types.flatMap(({ name }) => [name, name.replace(/\.v\d\w*\./, '.')]));
  expect([...apiDefaults.keys()].filter((name) => !names.has(name))).toEqual([]);
});
