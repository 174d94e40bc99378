import { expect, test } from 'vitest';
import { asConverted, inStableForm } from '../../compiler/admit/as-converted.ts';

const metadata = { name: 'hello' };
const v1beta1 = 'addon.open-cluster-management.io/v1beta1';

test('a ClusterManagementAddOn comes back with durations as Go writes them, what is zero, and nothing that is empty', () => {
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

test('a ManagedClusterAddOn comes back with the namespace that v1alpha1 gives it', () => {
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

const v1alpha1 = 'addon.open-cluster-management.io/v1alpha1';

test('in v1alpha1 a ClusterManagementAddOn has the form that a status written in v1beta1 leaves it in', () => {
  const strategy = {
    type: 'Progressive',
    progressive: { minSuccessTime: '0', maxConcurrency: '25%', mandatoryDecisionGroups: [] },
  };
  const placement = { name: 'all', namespace: 'default', configs: [], rolloutStrategy: strategy };
  const written = {
    apiVersion: v1alpha1,
    kind: 'ClusterManagementAddOn',
    metadata,
    spec: {
      addOnMeta: { displayName: '', description: 'an add-on' },
      addOnConfiguration: { crdName: 'a' },
      supportedConfigs: [{ group: '', resource: 'configmaps', defaultConfig: { name: 'a', namespace: '' } }],
      installStrategy: { type: 'Placements', placements: [placement] },
    },
  };
  expect(inStableForm(written)).toEqual({
    ...written,
    spec: {
      addOnMeta: { description: 'an add-on' },
      supportedConfigs: [{ group: '', resource: 'configmaps', defaultConfig: { name: 'a' } }],
      installStrategy: {
        type: 'Placements',
        placements: [
          {
            name: 'all',
            namespace: 'default',
            rolloutStrategy: {
              type: 'Progressive',
              progressive: {
                minSuccessTime: '0s',
                maxConcurrency: '25%',
                maxFailures: 0,
                progressDeadline: 'None',
              },
            },
          },
        ],
      },
    },
  });
});

test('in v1alpha1 a ManagedClusterAddOn keeps its namespace, and its configurations only where it has some', () => {
  const written = {
    apiVersion: v1alpha1,
    kind: 'ManagedClusterAddOn',
    metadata: { ...metadata, namespace: 'cluster1', annotations: { mine: 'too' } },
    spec: { installNamespace: 'agents', configs: [] },
  };
  expect(inStableForm(written)).toEqual({ ...written, spec: { installNamespace: 'agents' } });
});
