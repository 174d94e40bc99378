import { describe, expect, test } from 'vitest';
import type { HubVersionName } from '../../../../src/ocm/hub-version.ts';
import { binding, cluster, clusters, placement } from '../../place/hub-fixture.ts';
import { codesOf, findings, findingTexts } from '../check-fixture.ts';

const fleet = [...clusters('a', 'b'), binding('default')];

function configured(...configurations: object[]): object {
  return { prioritizerPolicy: { configurations } };
}

function load(scoreName: string): object {
  return { scoreCoordinate: { type: 'AddOn', addOn: { resourceName: 'load', scoreName } } };
}

function steady(weight: number): object {
  return { scoreCoordinate: { type: 'BuiltIn', builtIn: 'Steady' }, weight };
}

test('FW7012: an add-on score that is listed twice', () => {
  const objects = [...fleet, placement(configured(load('cpu'), load('mem'), steady(2), load('cpu')))];
  expect(findingTexts('FW7012', objects)).toMatchInlineSnapshot(`
    [
      "warning: score load/cpu is listed twice, and the hub adds both weights
    Placement pl at spec.prioritizerPolicy.configurations[3]
    keep one of the two",
    ]
  `);
  expect(findings(objects)[0]?.related).toMatchObject([
    { message: 'the first one', location: { file: 'hub.yaml' } },
  ]);
});

test('FW7013: a placement that avoids its own clusters', () => {
  expect(findingTexts('FW7013', [...fleet, placement({ numberOfClusters: 2, ...configured(steady(-2)) })]))
    .toMatchInlineSnapshot(`
    [
      "warning: Steady has weight -2: the placement replaces its selected clusters as soon as others are available
    Placement pl at spec.prioritizerPolicy.configurations[0].weight
    give Steady a positive weight, or 0 to disable it",
    ]
  `);
  expect(codesOf([...fleet, placement(configured(steady(-2)))])).toEqual([]);
  expect(codesOf([...fleet, placement({ numberOfClusters: 2, ...configured(steady(0)) })])).toEqual([]);
  // placing reports this one: it never comes to rest
  expect(codesOf([...fleet, placement({ numberOfClusters: 1, ...configured(steady(-2)) })])).toEqual([]);
});

test('FW7015: an operator that is unknown to the hub', () => {
  expect(findingTexts('FW7015', [...fleet, placement({ tolerations: [{ key: 'a', operator: 'exists' }] })]))
    .toMatchInlineSnapshot(`
      [
        "warning: "exists" is not a valid toleration operator, so this toleration has no effect
      Placement pl at spec.tolerations[0].operator
      did you mean "Exists"?",
      ]
    `);
});

test('FW7016: taints without effect', () => {
  const soft = (name: string) =>
    cluster(name, {
      taints: [
        { key: 'gpu', effect: 'NoSelect' },
        { key: 'old', effect: 'PreferNoSelect' },
      ],
    });
  expect(findingTexts('FW7016', [soft('a'), ...clusters('b')])).toMatchInlineSnapshot(`
    [
      "info: the taint has no effect: the hub ignores PreferNoSelect
    ManagedCluster a at spec.taints[1].effect
    use NoSelect or NoSelectIfNew, or a prioritizer",
    ]
  `);
  expect(findingTexts('FW7016', [soft('a'), soft('b'), soft('c')])[0]).toContain(
    '(2 other clusters have such taints)',
  );
});

test('FW7017: a toleration that lasts longer than the hub can count', () => {
  const lasting = (tolerationSeconds: number) =>
    placement({ tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds }] });
  expect(findingTexts('FW7017', [...fleet, lasting(9_999_999_999)])).toMatchInlineSnapshot(`
    [
      "warning: tolerationSeconds 9999999999 exceeds the maximum of the hub, and overflows
    Placement pl at spec.tolerations[0].tolerationSeconds
    remove tolerationSeconds to tolerate the taint indefinitely; the maximum is 9223372036",
    ]
  `);
  expect(codesOf([...fleet, lasting(9_223_372_036)])).toEqual([]);
});

test('FW7018: fields that the hub does not read', () => {
  const spreadConstraints = [{ topologyKey: 'region', topologyKeyType: 'Label' }];
  const spec = { spreadPolicy: { spreadConstraints }, sortBy: 'Score', scoreRateLimit: '5m' };
  expect(findingTexts('FW7018', [...fleet, placement(spec)])).toMatchInlineSnapshot(`
    [
      "warning: spreadPolicy has no effect: OCM 1.3 does not read it
    Placement pl at spec.spreadPolicy
    remove the field",
      "warning: sortBy has no effect: OCM 1.3 does not read it
    Placement pl at spec.sortBy
    remove the field",
      "warning: scoreRateLimit has no effect: OCM 1.3 does not read it
    Placement pl at spec.scoreRateLimit
    remove the field",
    ]
  `);
  expect(
    codesOf([...fleet, placement({ sortBy: 'ClusterName', scoreRateLimit: '1m', spreadPolicy: {} })]),
  ).toEqual([]);
});

describe('FW7028: the annotation about the clock of a cluster', () => {
  const annotated = (value: string): object[] => {
    const annotations = { 'registration.open-cluster-management.io/skip-clock-sync-check': value };
    const edge = cluster('a') as { metadata: object };
    return [binding('default'), { ...edge, metadata: { ...edge.metadata, annotations } }];
  };
  const messages = (value: string, hub?: HubVersionName): readonly string[] =>
    findings(annotated(value), hub)
      .filter(({ code }) => code === 'FW7028')
      .map(({ message }) => message);

  test('has no effect before OCM 1.4', () => {
    expect(findingTexts('FW7028', annotated('true'))).toMatchInlineSnapshot(`
      [
        "warning: the annotation registration.open-cluster-management.io/skip-clock-sync-check has no effect: OCM 1.3 does not read it
      ManagedCluster a at metadata.annotations[registration.open-cluster-management.io/skip-clock-sync-check]
      synchronize the clocks of the cluster and of the hub; OCM 1.4 is expected to read the annotation",
      ]
    `);
    expect(messages('true', '1.2')[0]).toContain('OCM 1.2 does not read it');
  });
  test('has an effect on OCM 1.4 if its value is true', () => {
    expect(messages('true', '1.4')).toEqual([]);
    expect(messages('yes', '1.4')).toEqual([
      'the annotation registration.open-cluster-management.io/skip-clock-sync-check has no effect: its value is not "true"',
    ]);
  });
});
