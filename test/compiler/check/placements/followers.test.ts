import { expect, test } from 'vitest';
import { binding, clusters, placement } from '../../place/hub-fixture.ts';
import { codesOf, findingTexts } from '../check-fixture.ts';

const fleet = [...clusters('a', 'b'), binding('default'), placement()];

const policyBinding = (placementRef: object, name = 'b'): object => ({
  apiVersion: 'policy.open-cluster-management.io/v1',
  kind: 'PlacementBinding',
  metadata: { name, namespace: 'default' },
  placementRef,
  subjects: [
    { apiGroup: 'policy.open-cluster-management.io', kind: 'Policy', name: 'one' },
    { apiGroup: 'policy.open-cluster-management.io', kind: 'Policy', name: 'two' },
  ],
});
const toPlacement = (name: string): object => ({
  apiGroup: 'cluster.open-cluster-management.io',
  kind: 'Placement',
  name,
});

const others = (name: string): object[] => [
  {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'apps', namespace: 'default' },
    spec: {
      generators: [
        {
          clusterDecisionResource: {
            configMapRef: 'ocm',
            labelSelector: { matchLabels: { 'cluster.open-cluster-management.io/placement': name } },
          },
        },
      ],
      template: {
        metadata: { name: '{{name}}' },
        spec: { project: 'default', destination: { name: '{{name}}' } },
      },
    },
  },
  {
    apiVersion: 'apps.open-cluster-management.io/v1beta1',
    kind: 'GitOpsCluster',
    metadata: { name: 'argo', namespace: 'default' },
    spec: { placementRef: { kind: 'Placement', name } },
  },
  {
    apiVersion: 'apps.open-cluster-management.io/v1',
    kind: 'Subscription',
    metadata: { name: 'sub', namespace: 'default' },
    spec: { placement: { placementRef: { kind: 'Placement', name } } },
  },
  {
    apiVersion: 'work.open-cluster-management.io/v1alpha1',
    kind: 'ManifestWorkReplicaSet',
    metadata: { name: 'works', namespace: 'default' },
    spec: {
      placementRefs: [{ name }],
      cascadeDeletionPolicy: 'Background',
      manifestWorkTemplate: {
        workload: { manifests: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }] },
      },
    },
  },
];

test('a reference to an existing Placement has no findings', () => {
  expect(codesOf([...fleet, policyBinding(toPlacement('pl')), ...others('pl')])).toEqual([]);
});

test('FW7024: a binding to a Placement that does not exist is reported once for all its policies', () => {
  expect(findingTexts('FW7024', [...fleet, policyBinding(toPlacement('typo'))])).toMatchInlineSnapshot(`
    [
      "warning: Placement "default/typo" does not exist: it binds nothing
    PlacementBinding b at placementRef.name
    create the Placement, correct its name, or list it under external in fleetwright.yaml if the hub has it",
    ]
  `);
});

test('FW7024: an ApplicationSet, a GitOpsCluster, a Subscription and a work without their Placement', () => {
  expect(findingTexts('FW7024', [...fleet, ...others('typo')])).toMatchInlineSnapshot(`
    [
      "warning: Placement "default/typo" does not exist: it creates no Application
    ApplicationSet apps at spec.generators[0].clusterDecisionResource.labelSelector.matchLabels[cluster.open-cluster-management.io/placement]
    create the Placement, correct its name, or list it under external in fleetwright.yaml if the hub has it",
      "warning: Placement "default/typo" does not exist: Argo CD receives no cluster
    GitOpsCluster argo at spec.placementRef.name
    create the Placement, correct its name, or list it under external in fleetwright.yaml if the hub has it",
      "warning: Placement "default/typo" does not exist: the hub neither creates nor updates works for this Placement and those after it; existing works remain
    ManifestWorkReplicaSet works at spec.placementRefs[0].name
    create the Placement, correct its name, or list it under external in fleetwright.yaml if the hub has it",
      "warning: Placement "default/typo" does not exist: it deploys to no cluster
    Subscription sub at spec.placement.placementRef.name
    create the Placement, correct its name, or list it under external in fleetwright.yaml if the hub has it",
    ]
  `);
});

test('FW7024: a Placement in another namespace is another one', () => {
  const elsewhere = others('pl').map((object) => ({
    ...object,
    metadata: { name: 'x', namespace: 'other' },
  }));
  expect(codesOf([...fleet, ...elsewhere])).toEqual(['FW7024', 'FW7024', 'FW7024', 'FW7024']);
});

test('FW7025: references to a PlacementRule, once for each object', () => {
  const rule = { apiGroup: 'apps.open-cluster-management.io', kind: 'PlacementRule', name: 'old' };
  const subscription = {
    apiVersion: 'apps.open-cluster-management.io/v1',
    kind: 'Subscription',
    metadata: { name: 'sub', namespace: 'default' },
    spec: { placement: { placementRef: { name: 'old' } } },
  };
  expect(findingTexts('FW7025', [...fleet, policyBinding(rule), subscription])).toMatchInlineSnapshot(`
    [
      "info: PlacementRule "default/old" is deprecated, and Fleetwright does not predict which clusters it selects
    PlacementBinding b at placementRef.name
    replace it with a Placement and a ManagedClusterSetBinding in the same namespace",
      "info: PlacementRule "default/old" is deprecated, and Fleetwright does not predict which clusters it selects
    Subscription sub at spec.placement.placementRef.name
    replace it with a Placement and a ManagedClusterSetBinding in the same namespace",
    ]
  `);
});
