import { expect, test } from 'vitest';
import { withOwner } from '../../../src/controller/hub/registration/owner-reference.ts';
import type { OwnerReference } from '../../../src/base/objects/object-meta.ts';

const stored = { uid: 'uid', resourceVersion: '1', creationTimestamp: '2026-01-31T12:00:00Z' };
const version = 'addon.open-cluster-management.io/v1beta1';
const addOn = {
  apiVersion: 'addon.open-cluster-management.io/v1alpha1',
  kind: 'ClusterManagementAddOn',
  metadata: { ...stored, name: 'hello' },
  spec: {},
} as const;
const owner: OwnerReference = {
  apiVersion: version,
  kind: 'ClusterManagementAddOn',
  name: 'hello',
  uid: 'uid',
  controller: true,
  blockOwnerDeletion: true,
};
const stranger: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'hello', uid: 'other' };

const onCluster = (ownerReferences?: readonly OwnerReference[]) =>
  ({
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'ManagedClusterAddOn',
    metadata: {
      ...stored,
      name: 'hello',
      namespace: 'cluster1',
      ...(ownerReferences && { ownerReferences }),
    },
    spec: {},
  }) as const;

test('an add-on without owner gets its ClusterManagementAddOn', () => {
  expect(withOwner(onCluster().metadata, addOn, version)).toEqual([owner]);
});

test('an owner that is there is left alone', () => {
  expect(withOwner(onCluster([stranger, owner]).metadata, addOn, version)).toBeUndefined();
});

test.each<[string, OwnerReference]>([
  ['in another version', { ...owner, apiVersion: 'addon.open-cluster-management.io/v1alpha1' }],
  ['of an object that was deleted and created again', { ...owner, uid: 'before' }],
  ['that is not the controller', { ...owner, controller: false }],
])('an owner %s is replaced, and others are kept', (_, held) => {
  expect(withOwner(onCluster([held, stranger]).metadata, addOn, version)).toEqual([stranger, owner]);
});

test('if another owner controls the object, it gets its own owner in addition', () => {
  const controlled = { ...stranger, controller: true };
  const beside = { ...owner, controller: false };
  expect(withOwner(onCluster([controlled]).metadata, addOn, version)).toEqual([controlled, beside]);
  expect(withOwner(onCluster([controlled, beside]).metadata, addOn, version)).toBeUndefined();
});
