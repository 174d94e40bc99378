import { expect, test } from 'vitest';
import { forHub } from '../../../src/compiler/admit/conversion/for-hub.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';

const placement = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'Placement',
  metadata: { name: 'aws', namespace: 'default' },
  spec: { numberOfClusters: 3, sortBy: 'ClusterName', scoreRateLimit: '1m' },
};

test.each([
  ['1.1', { numberOfClusters: 3 }],
  ['1.2', { numberOfClusters: 3 }],
  ['1.3', placement.spec],
] as const)('Placements for a hub of OCM %s have the fields that it has', (name, spec) => {
  const target = { hub: hubVersion(name), addOnApiVersion: 'v1alpha1' } as const;
  expect(forHub(placement, target)).toEqual({ ...placement, spec });
});

test('add-on objects are written in the requested version', () => {
  const addOn = {
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'ClusterManagementAddOn',
    metadata: { name: 'hello' },
    spec: {
      supportedConfigs: [{ group: '', resource: 'configmaps', defaultConfig: { name: 'a', namespace: 'b' } }],
    },
  };
  const target = { hub: hubVersion('1.3'), addOnApiVersion: 'v1beta1' } as const;
  expect(forHub(addOn, target)).toMatchObject({
    apiVersion: 'addon.open-cluster-management.io/v1beta1',
    spec: { defaultConfigs: [{ group: '', resource: 'configmaps', name: 'a', namespace: 'b' }] },
  });
});
