import { expect, test } from 'vitest';
import { asConverted } from '../../../src/compiler/admit/conversion/as-converted.ts';

const metadata = { name: 'hello' };
const v1beta1 = 'addon.open-cluster-management.io/v1beta1';

test("a ClusterManagementAddOn is returned with durations in Go's form, with zeros, and without empty values", () => {
  const strategy = {
    type: 'Progressive',
    progressive: { minSuccessTime: '5m', maxFailures: 0, mandatoryDecisionGroups: [] },
  };
  const placement = { name: 'all', namespace: 'default', configs: [], rolloutStrategy: strategy };
  const written = {
    apiVersion: v1beta1,
    kind: 'ClusterManagementAddOn',
    metadata,
    spec: {
      defaultConfigs: [{ group: '', resource: 'configmaps', name: 'a', namespace: '' }],
      installStrategy: { type: 'Placements', placements: [placement] },
    },
  };
  expect(asConverted(written)).toEqual({
    ...written,
    spec: {
      addOnMeta: {},
      defaultConfigs: [{ group: '', resource: 'configmaps', name: 'a' }],
      installStrategy: {
        type: 'Placements',
        placements: [
          {
            name: 'all',
            namespace: 'default',
            rolloutStrategy: {
              type: 'Progressive',
              progressive: {
                minSuccessTime: '5m0s',
                maxFailures: 0,
                maxConcurrency: 0,
                progressDeadline: 'None',
              },
            },
          },
        ],
      },
    },
  });
});

test('a ManagedClusterAddOn is returned with the namespace that v1alpha1 sets', () => {
  const written = {
    apiVersion: v1beta1,
    kind: 'ManagedClusterAddOn',
    metadata: { ...metadata, namespace: 'cluster1' },
    spec: { configs: [] },
    status: { namespace: 'agents' },
  };
  expect(asConverted(written)).toEqual({
    ...written,
    metadata: {
      ...written.metadata,
      annotations: {
        'addon.open-cluster-management.io/v1alpha1-install-namespace': 'open-cluster-management-agent-addon',
      },
    },
    spec: {},
  });
});

test('other kinds are not converted', () => {
  const placement = {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata,
    spec: { clusterSets: [] },
  };
  expect(asConverted(placement)).toBe(placement);
});
