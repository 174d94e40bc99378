import { expect, test } from 'vitest';
import { inStableForm } from '../../../src/compiler/admit/conversion/stable-form.ts';

const metadata = { name: 'hello' };
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

test('in v1alpha1 a ManagedClusterAddOn keeps its namespace, and its configurations only if it has some', () => {
  const written = {
    apiVersion: v1alpha1,
    kind: 'ManagedClusterAddOn',
    metadata: { ...metadata, namespace: 'cluster1', annotations: { mine: 'too' } },
    spec: { installNamespace: 'agents', configs: [] },
  };
  expect(inStableForm(written)).toEqual({ ...written, spec: { installNamespace: 'agents' } });
});

test('a lifecycle of self is empty, as the manager of the add-on writes it, except with compiled delivery', () => {
  const annotationsOf = (annotations: Readonly<Record<string, string>>): unknown =>
    inStableForm({
      apiVersion: v1alpha1,
      kind: 'ClusterManagementAddOn',
      metadata: { ...metadata, annotations },
      spec: {},
    }).metadata.annotations;
  const lifecycle = 'addon.open-cluster-management.io/lifecycle';
  expect(annotationsOf({ [lifecycle]: 'self' })).toEqual({ [lifecycle]: '' });
  for (const others of [
    { [lifecycle]: 'addon-manager' },
    { mine: 'too' },
    { [lifecycle]: 'self', 'fleetwright.dev/delivery': 'compiled' },
  ])
    expect(annotationsOf(others)).toEqual(others);
});

test('a ManagedCluster has its taints and addresses as the hub and the agent write them', () => {
  const written = {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata,
    spec: { hubAcceptsClient: false, leaseDurationSeconds: 60 },
  };
  const inForm = (spec: object): object =>
    inStableForm({ ...written, spec: { ...written.spec, ...spec } })['spec'] as object;
  expect(inForm({ taints: [], managedClusterClientConfigs: [] })).toEqual(written.spec);
  expect(inForm({ leaseDurationSeconds: 0 })).toEqual({ hubAcceptsClient: false });
  expect(
    inForm({
      taints: [
        { key: 'gpu', value: '', effect: 'NoSelect', timeAdded: null },
        { key: 'old', value: 'yes', effect: 'NoSelect', timeAdded: '2026-01-01T00:00:00.5+01:00' },
      ],
      managedClusterClientConfigs: [{ url: '', caBundle: '' }],
    }),
  ).toEqual({
    ...written.spec,
    taints: [
      { key: 'gpu', effect: 'NoSelect' },
      { key: 'old', value: 'yes', effect: 'NoSelect', timeAdded: '2025-12-31T23:00:00Z' },
    ],
    managedClusterClientConfigs: [{ url: '' }],
  });
});
