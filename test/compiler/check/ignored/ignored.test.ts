import { describe, expect, test } from 'vitest';
import { deliveryAnnotation } from '../../../../src/ocm/fleetwright-annotations.ts';
import { binding, clusters, placement } from '../../place/hub-fixture.ts';
import { addOn, findings, findingTexts, outageTolerations } from '../check-fixture.ts';

const operator = (kind: string, spec: object): object => ({
  apiVersion: 'operator.open-cluster-management.io/v1',
  kind,
  metadata: { name: kind === 'Klusterlet' ? 'klusterlet' : 'cluster-manager' },
  spec,
});

const gates = (...features: readonly string[]): object => ({
  featureGates: features.map((feature) => ({ feature, mode: 'Enable' })),
});

describe('FW8330', () => {
  test('a misspelled feature gate, one of another component, and an unknown one', () => {
    const manager = operator('ClusterManager', {
      workConfiguration: gates('ManifestWorkReplicaset', 'NilExecutorValidating'),
      registrationConfiguration: gates('ManifestWorkReplicaSet', 'DefaultClusterSet'),
      addOnManagerConfiguration: gates('Unknown'),
    });
    expect(findingTexts('FW8330', [manager])).toMatchInlineSnapshot(`
      [
        "warning: "ManifestWorkReplicaSet" is not a feature gate of registrationConfiguration: the operator ignores it and reports ValidFeatureGates False
      ClusterManager cluster-manager at spec.registrationConfiguration.featureGates[0].feature
      move it to workConfiguration",
        "warning: "ManifestWorkReplicaset" is not a feature gate of workConfiguration: the operator ignores it and reports ValidFeatureGates False
      ClusterManager cluster-manager at spec.workConfiguration.featureGates[0].feature
      did you mean "ManifestWorkReplicaSet"?",
        "warning: "Unknown" is not a feature gate of addOnManagerConfiguration: the operator ignores it and reports ValidFeatureGates False
      ClusterManager cluster-manager at spec.addOnManagerConfiguration.featureGates[0].feature
      its feature gates are "AddonManagement"",
      ]
    `);
  });
  test('the gates of an unknown release are not judged', () => {
    const klusterlet = operator('Klusterlet', { workConfiguration: gates('ExecutorValidatingCache') });
    expect(findings([klusterlet]).map(({ code }) => code)).toEqual(['FW8330']);
    expect(findings([klusterlet], '1.5')).toEqual([]);
  });
});

test('FW8331: an annotation without the prefix of agents', () => {
  const clusterAnnotations = { env: 'prod', 'agent.open-cluster-management.io/env': 'prod' };
  const klusterlet = operator('Klusterlet', { registrationConfiguration: { clusterAnnotations } });
  expect(findingTexts('FW8331', [klusterlet])).toMatchInlineSnapshot(`
    [
      "warning: the ManagedCluster does not get annotation "env": the agent sets only those with the prefix agent.open-cluster-management.io/
    Klusterlet klusterlet at spec.registrationConfiguration.clusterAnnotations.env
    write "agent.open-cluster-management.io/env", or annotate the ManagedCluster on the hub",
    ]
  `);
});

describe('FW8332', () => {
  const templated = (annotations: object): object => ({
    ...addOn('a', ['pl'], { annotations }),
    spec: {
      ...(addOn('a') as { spec: object }).spec,
      defaultConfigs: [
        { group: 'addon.open-cluster-management.io', resource: 'addontemplates', name: 'a-1' },
      ],
    },
  });
  const annotation = 'addon.open-cluster-management.io/lifecycle';
  test('a value that does not exist, or self for a template', () => {
    expect(findingTexts('FW8332', [addOn('a', ['pl'], { annotations: { [annotation]: 'addonmanager' } })]))
      .toMatchInlineSnapshot(`
      [
        "warning: "addonmanager" is neither addon-manager nor self, so the hub's addon-manager ignores the add-on and its install strategy
      ClusterManagementAddOn a at metadata.annotations[addon.open-cluster-management.io/lifecycle]
      remove the annotation, or write addon-manager",
      ]
    `);
    expect(findingTexts('FW8332', [templated({ [annotation]: 'self' })])).toMatchInlineSnapshot(`
      [
        "warning: with lifecycle "self" the hub's addon-manager ignores the add-on and its install strategy, and an add-on of a template has no other manager
      ClusterManagementAddOn a at metadata.annotations[addon.open-cluster-management.io/lifecycle]
      remove the annotation, or write addon-manager",
      ]
    `);
  });
  test('the hub manages it, its own manager does, or it is compiled', () => {
    const compiled = { [annotation]: 'self', [deliveryAnnotation]: 'compiled' };
    for (const annotations of [{}, { [annotation]: 'addon-manager' }, compiled])
      expect(findingTexts('FW8332', [templated(annotations)])).toEqual([]);
    expect(findingTexts('FW8332', [addOn('a', ['pl'], { annotations: { [annotation]: 'self' } })])).toEqual(
      [],
    );
  });
});

describe('FW8333', () => {
  const template = {
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'AddOnTemplate',
    metadata: { name: 'a-1' },
    spec: { addonName: 'a', agentSpec: { workload: { manifests: [] } } },
  };
  const owner = (resource: string): object => ({
    apiVersion: 'addon.open-cluster-management.io/v1beta1',
    kind: 'ClusterManagementAddOn',
    metadata: { name: 'a' },
    spec: {
      installStrategy: { type: 'Manual' },
      defaultConfigs: [{ group: 'addon.open-cluster-management.io', resource, name: 'a-1' }],
    },
  });
  const installed = (installNamespace: string): object => ({
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    kind: 'ManagedClusterAddOn',
    metadata: { name: 'a', namespace: 'c1' },
    spec: { installNamespace },
  });
  test('installNamespace for a template', () => {
    const found = (namespace: string, resource = 'addontemplates'): string[] =>
      findingTexts('FW8333', [...clusters('c1'), template, owner(resource), installed(namespace)]);
    expect(found('mine')).toMatchInlineSnapshot(`
      [
        "warning: an add-on of a template does not read installNamespace "mine"
      ManagedClusterAddOn a at spec.installNamespace
      set agentInstallNamespace in an AddOnDeploymentConfig that the add-on uses",
      ]
    `);
    expect(found('open-cluster-management-agent-addon')).toEqual([]);
    expect(found('mine', 'others')).toEqual([]);
  });
});

test('FW8334: a name of more than 57 characters', () => {
  expect(findingTexts('FW8334', [addOn('a'.repeat(58))])).toMatchInlineSnapshot(`
    [
      "warning: the name "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" has 58 characters: with more than 57, the hub cannot label clusters with their add-ons (feature.open-cluster-management.io/addon-…), neither with this one nor with others
    ClusterManagementAddOn aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa at metadata.name
    shorten the name to 57 characters",
    ]
  `);
  expect(findingTexts('FW8334', [addOn('a'.repeat(57))])).toEqual([]);
});

describe('FW8335', () => {
  const policy = { apiVersion: 'policy.open-cluster-management.io/v1', kind: 'Policy' };
  const policyBinding = (subject: object): object => ({
    apiVersion: policy.apiVersion,
    kind: 'PlacementBinding',
    metadata: { name: 'b', namespace: 'default' },
    placementRef: { name: 'pl', kind: 'Placement', apiGroup: 'cluster.open-cluster-management.io' },
    subjects: [{ kind: 'Policy', apiGroup: 'policy.open-cluster-management.io', ...subject }],
  });
  const known = [
    ...clusters('c1'),
    binding('default'),
    placement({ tolerations: outageTolerations }),
    { ...policy, metadata: { name: 'policy-role', namespace: 'default' }, spec: {} },
  ];
  test('a misspelled policy, or another group', () => {
    expect(findingTexts('FW8335', [...known, policyBinding({ name: 'policy-rolle' })]))
      .toMatchInlineSnapshot(`
      [
        "warning: Policy "default/policy-rolle" does not exist
      PlacementBinding b at subjects[0].name
      did you mean "policy-role"? Otherwise create it, or list it under external in fleetwright.yaml if the hub has it",
      ]
    `);
    const other = policyBinding({ name: 'policy-role', apiGroup: 'policies.open-cluster-management.io' });
    expect(findingTexts('FW8335', [...known, other])).toMatchInlineSnapshot(`
      [
        "warning: "policies.open-cluster-management.io" has no Policy for a binding, so it binds nothing
      PlacementBinding b at subjects[0].apiGroup
      write policy.open-cluster-management.io",
      ]
    `);
    expect(findingTexts('FW8335', [...known, policyBinding({ name: 'policy-role' })])).toEqual([]);
  });
  test('the ConfigMap of a generator, also of a nested one', () => {
    const generator = { clusterDecisionResource: { configMapRef: 'ocm-placement-generator' } };
    const set = (generators: readonly object[]): object => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 's', namespace: 'argocd' },
      spec: { generators },
    });
    const configMap = (name: string): object => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'argocd' },
    });
    const nested = set([{ matrix: { generators: [generator] } }]);
    expect(findingTexts('FW8335', [...known, set([generator]), configMap('acm-placement')]))
      .toMatchInlineSnapshot(`
      [
        "warning: ConfigMap "argocd/ocm-placement-generator" does not exist
      ApplicationSet s at spec.generators[0].clusterDecisionResource.configMapRef
      did you mean "acm-placement"? Otherwise create it, or list it under external in fleetwright.yaml if the hub has it",
      ]
    `);
    expect(findingTexts('FW8335', [...known, nested, configMap('acm-placement')])).toHaveLength(1);
    expect(findingTexts('FW8335', [...known, nested, configMap('ocm-placement-generator')])).toEqual([]);
  });
});

test('FW8336: a score that no cluster has', () => {
  const score = {
    apiVersion: 'cluster.open-cluster-management.io/v1alpha1',
    kind: 'AddOnPlacementScore',
    metadata: { name: 'usage', namespace: 'c1' },
    status: { scores: [{ name: 'memAvailable', value: 5 }] },
  };
  const scored = (scoreName: string): string[] =>
    findingTexts('FW8336', [
      ...clusters('c1'),
      binding('default'),
      score,
      placement({
        tolerations: outageTolerations,
        prioritizerPolicy: {
          configurations: [
            { weight: 1, scoreCoordinate: { type: 'AddOn', addOn: { resourceName: 'usage', scoreName } } },
          ],
        },
      }),
    ]);
  expect(scored('memavailable')).toMatchInlineSnapshot(`
    [
      "warning: no AddOnPlacementScore "usage" has a score "memavailable", so it counts 0 for every cluster
    Placement pl at spec.prioritizerPolicy.configurations[0].scoreCoordinate.addOn.scoreName
    did you mean "memAvailable"?",
    ]
  `);
  expect(scored('memAvailable')).toEqual([]);
});
