import { describe, expect, test } from 'vitest';
import { binding, cluster, clusters, placement } from '../../place/hub-fixture.ts';
import { codesOf, findings, findingTexts } from '../check-fixture.ts';

const fleet = [
  cluster('a', { labels: { env: 'prod', region: 'eu' }, claims: { platform: 'AWS' } }),
  cluster('b', { labels: { env: 'dev', region: 'us' }, claims: { platform: 'GCP' } }),
  binding('default'),
];

function selecting(...selectors: object[]): object {
  return placement({ predicates: selectors.map((requiredClusterSelector) => ({ requiredClusterSelector })) });
}

function label(key: string, operator: string, ...values: string[]): object {
  const expression = { key, operator, ...(values.length === 0 ? {} : { values }) };
  return { labelSelector: { matchExpressions: [expression] } };
}

function claim(key: string, operator: string, ...values: string[]): object {
  return { claimSelector: { matchExpressions: [{ key, operator, values }] } };
}

describe('FW7006: a claim value that no selector can name', () => {
  const url = 'https://console.example.com';
  test('in a predicate', () => {
    expect(findingTexts('FW7006', [...fleet, selecting(claim('console', 'NotIn', 'x', url))]))
      .toMatchInlineSnapshot(`
      [
        "error: "https://console.example.com" is not a valid label value, so a claim selector cannot use it: the hub reports the placement as misconfigured
      Placement pl at spec.predicates[0].requiredClusterSelector.claimSelector.matchExpressions[0].values[1]
      compare the claim with a CEL expression: managedCluster.status.clusterClaims.exists(c, c.name == "…" && c.value == "…")",
      ]
    `);
  });
  test('in a decision group', () => {
    const decisionGroups = [{ groupName: 'web', groupClusterSelector: claim('console', 'In', url) }];
    expect(
      findingTexts('FW7006', [placement({ decisionStrategy: { groupStrategy: { decisionGroups } } })]),
    ).toHaveLength(1);
  });
  test('an empty value is a label value', () => {
    expect(codesOf([...fleet, selecting(claim('platform', 'NotIn', ''))])).toEqual([]);
  });
});

describe('FW7007: a condition that nothing in the fleet meets', () => {
  test('a value that no cluster has', () => {
    const selector = { labelSelector: { matchLabels: { env: 'prd' } } };
    expect(findingTexts('FW7007', [...fleet, selecting(selector)])).toMatchInlineSnapshot(`
      [
        "warning: no cluster of the fleet has label env with the value "prd", so nothing matches
      Placement pl at spec.predicates[0].requiredClusterSelector.labelSelector.matchLabels.env
      did you mean "prod"? The values in the fleet are "dev", "prod"",
      ]
    `);
    expect(findingTexts('FW7007', [...fleet, selecting(claim('platform', 'In', 'aws', 'azure'))]))
      .toMatchInlineSnapshot(`
        [
          "warning: no cluster of the fleet has claim platform with the value "aws" or "azure", so nothing matches
        Placement pl at spec.predicates[0].requiredClusterSelector.claimSelector.matchExpressions[0]
        did you mean "AWS"? The values in the fleet are "AWS", "GCP"",
        ]
      `);
  });
  test('a key that no cluster has', () => {
    expect(findingTexts('FW7007', [...fleet, selecting(label('enviroment', 'Exists'))]))
      .toMatchInlineSnapshot(`
      [
        "warning: no cluster of the fleet has label enviroment, so nothing matches
      Placement pl at spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0]
      correct the key, or add the label to clusters",
      ]
    `);
  });
  test('a key that is similar to one that clusters have', () => {
    const [text] = findingTexts('FW7007', [...fleet, selecting(label('regoin', 'In', 'eu'))]);
    expect(text).toMatch(/did you mean "region"\? Otherwise correct the key, or add the label to clusters$/);
    const [claimText] = findingTexts('FW7007', [...fleet, selecting(claim('platfrom', 'In', 'AWS'))]);
    expect(claimText).toMatch(/did you mean "platform"\?/);
  });
  describe('a value of a list, of which others match', () => {
    const textsOf = (...values: string[]): string[] => {
      const objects = [...fleet, selecting(label('region', 'In', ...values))];
      return [...findingTexts('FW7007', objects), ...findingTexts('FW7034', objects)];
    };
    test('is misspelled if a value of the fleet is nearly the same', () => {
      const objects = [...fleet, cluster('c', { labels: { env: 'staging' } })];
      const selector = selecting(label('env', 'In', 'dev', 'stagin'));
      expect(findingTexts('FW7007', [...objects, selector])).toMatchInlineSnapshot(`
        [
          "warning: no cluster of the fleet has label env with the value "stagin", so this value of the list selects nothing
        Placement pl at spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0].values[1]
        did you mean "staging"? The values in the fleet are "dev", "prod", "staging"",
        ]
      `);
      expect(findingTexts('FW7034', [...objects, selector])).toEqual([]);
    });
    test('can be one that no cluster has yet', () => {
      expect(textsOf('eu', 'asia', 'africa')).toMatchInlineSnapshot(`
        [
          "info: no cluster of the fleet has label region with the value "asia" or "africa" yet, so these values of the list select nothing
        Placement pl at spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0].values[1]
        the values in the fleet are "eu", "us"",
        ]
      `);
    });
    test('is not a misspelling of a value that the list has, or that differs in a digit', () => {
      const objects = [
        ...fleet,
        cluster('c', { labels: { zone: 'eu-west-1' } }),
        cluster('d', { labels: { zone: 'abc' } }),
      ];
      const codes = (...values: string[]): string[] =>
        codesOf([...objects, selecting(label('zone', 'In', ...values))]).filter((code) => code !== 'FW7022');
      expect(codes('abc', 'eu-west-2')).toEqual(['FW7034']);
      expect(codes('abc', 'abcd', 'eu-west-1')).toEqual(['FW7034']);
      expect(codes('abc', 'eu-wset-1')).toEqual(['FW7007']);
    });
    test('is one of many, of which the first are named', () => {
      expect(textsOf('eu', 'africa', 'arctic', 'asia', 'brazil', 'canada', 'chile', 'india')[0]).toContain(
        'with the value "africa", "arctic", "asia", "brazil", "canada" or 2 more yet, so these values',
      );
    });
    test('is found among the names of 10,000 clusters', () => {
      const names = Array.from({ length: 10_000 }, (_, index) => `store-${index.toString(36)}`);
      const stores = names.map((name) => cluster(name, { labels: { store: name } }));
      const listedNames = [...names.slice(1), ...names.map((name) => `new-${name}`), 'sotre-0'];
      const selector = selecting(label('store', 'In', ...listedNames));
      const codes = codesOf([binding('default'), ...stores, selector]);
      expect(codes.filter((code) => code === 'FW7007' || code === 'FW7034')).toEqual(['FW7007', 'FW7034']);
    });
    test('is reported once for a selector that repeats the list, and not for NotIn', () => {
      const twice = findings([
        ...fleet,
        selecting(label('region', 'In', 'eu', 'asia'), label('region', 'In', 'eu', 'asia')),
      ]);
      expect(
        twice.filter(({ code, explainedBy }) => code === 'FW7034' && explainedBy === undefined),
      ).toHaveLength(1);
      expect(codesOf([...fleet, selecting(label('region', 'NotIn', 'eu', 'asia'))])).toEqual([]);
    });
  });
  test('values that every cluster has', () => {
    expect(findingTexts('FW7007', [...fleet, selecting(label('env', 'NotIn', 'prod', 'dev'))]))
      .toMatchInlineSnapshot(`
      [
        "warning: every cluster of the fleet has label env with the value "prod" or "dev", so nothing matches
      Placement pl at spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0]
      the values in the fleet are "dev", "prod"",
      ]
    `);
    expect(findingTexts('FW7007', [...fleet, selecting(label('env', 'DoesNotExist'))]))
      .toMatchInlineSnapshot(`
      [
        "warning: every cluster of the fleet has label env, so nothing matches
      Placement pl at spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0]
      the values in the fleet are "dev", "prod"",
      ]
    `);
  });
  test('in a decision group', () => {
    const decisionGroups = [{ groupName: 'canary', groupClusterSelector: label('env', 'In', 'canary') }];
    const objects = [...fleet, placement({ decisionStrategy: { groupStrategy: { decisionGroups } } })];
    expect(codesOf(objects)).toEqual(['FW7007', 'FW7020']);
  });
  test('many values are cut short', () => {
    const many = Array.from({ length: 7 }, (_, index) =>
      cluster(`c${index}`, { labels: { rack: `r${index}` } }),
    );
    expect(
      findingTexts('FW7007', [...many, binding('default'), selecting(label('rack', 'In', 'x'))])[0],
    ).toContain('the values in the fleet are "r0", "r1", "r2", "r3", "r4", …');
  });
  test('a condition that is met, or a missing fleet, is not reported', () => {
    expect(
      codesOf([...fleet, selecting(label('env', 'In', 'prod', 'typo'), label('env', 'Exists'))]),
    ).toEqual(['FW7034']);
    expect(codesOf([binding('default'), selecting(label('env', 'In', 'typo'))])).toEqual([]);
  });
});

test('FW7021: a label that the hub keeps', () => {
  const health = 'feature.open-cluster-management.io/addon-observability';
  const objects = [...fleet, selecting(label(health, 'In', 'available'))];
  expect(codesOf(objects)).toEqual(['FW7021']);
  expect(findingTexts('FW7021', objects)).toMatchInlineSnapshot(`
    [
      "info: the hub sets label feature.open-cluster-management.io/addon-observability from the health of the add-on; this prediction uses its value in the fleet snapshot
    Placement pl at spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0]
    refresh the fleet snapshot before you rely on the selection",
    ]
  `);
});

test('FW7022: one predicate of several that matches nothing', () => {
  const both = { labelSelector: { matchLabels: { env: 'prod', region: 'us' } } };
  expect(findingTexts('FW7022', [...fleet, selecting(label('env', 'In', 'dev'), both)]))
    .toMatchInlineSnapshot(`
    [
      "warning: predicate 1 matches none of the 2 clusters that are available to the placement
    Placement pl at spec.predicates[1]
    correct the predicate, or remove it",
    ]
  `);
});

describe('FW7023: a CEL expression that is neither true nor false', () => {
  const cel = (...celExpressions: string[]): object => ({ celSelector: { celExpressions } });
  const zoned = [cluster('c', { labels: { zone: 'a' } }), ...fleet];

  test('because it fails for some clusters', () => {
    const objects = [...zoned, selecting(cel('managedCluster.metadata.labels["zone"] == "a"'))];
    expect(findingTexts('FW7023', objects)).toMatchInlineSnapshot(`
      [
        "warning: on 2 of 3 clusters, such as "a", a CEL expression fails (no such key: zone), which counts as false: managedCluster.metadata.labels["zone"] == "a"
      Placement pl at spec.predicates[0].requiredClusterSelector.celSelector.celExpressions[0]
      guard optional fields, as in has(managedCluster.metadata.labels.env), and compare to get a boolean",
      ]
    `);
  });
  test('because a field is misspelled', () => {
    const objects = [...zoned, selecting({}, cel('managedCluster.metadata.label.zone == "a"'))];
    expect(findings(objects).find(({ code }) => code === 'FW7023')).toMatchObject({
      message: expect.stringMatching(/^on all 3 clusters a CEL expression fails /) as string,
      hint: 'did you mean "labels"?',
    });
  });
  test('because the result is not a boolean', () => {
    const objects = [...zoned, selecting({}, cel('true', 'managedCluster.metadata.name'))];
    expect(findingTexts('FW7023', objects)).toMatchInlineSnapshot(`
      [
        "warning: on all 3 clusters a CEL expression returns a value of type string, which counts as false: managedCluster.metadata.name, so the predicate selects nothing
      Placement pl at spec.predicates[1].requiredClusterSelector.celSelector.celExpressions[1]
      guard optional fields, as in has(managedCluster.metadata.labels.env), and compare to get a boolean",
      ]
    `);
  });
  test('does not count clusters that labels or claims drop', () => {
    const zone = { ...label('zone', 'Exists'), ...cel('managedCluster.metadata.labels["zone"] == "a"') };
    expect(codesOf([...zoned, selecting(zone)])).toEqual([]);
  });
  test('an expression that is false is sound', () => {
    expect(codesOf([...zoned, selecting(cel('has(managedCluster.metadata.labels.zone)'))])).toEqual([]);
  });
});

describe('FW7014: a fault that the hub has not met yet', () => {
  test('because there are no clusters', () => {
    expect(findingTexts('FW7014', [binding('default'), selecting(label('env', 'Gt', '1'))]))
      .toMatchInlineSnapshot(`
      [
        "warning: as soon as the hub evaluates this for a cluster, it reports the placement as misconfigured and selects nothing: Predicate: "Gt" is not a valid label selector operator
      Placement pl at spec.predicates[0].requiredClusterSelector.labelSelector.matchExpressions[0]
      correct the field before the placement has clusters",
      ]
    `);
  });
  test('because no cluster matches', () => {
    const spec = {
      predicates: [{ requiredClusterSelector: label('env', 'In', 'stage') }],
      tolerations: [{ operator: 'Equal' }],
    };
    expect(findingTexts('FW7014', [...clusters('a'), binding('default'), placement(spec)]))
      .toMatchInlineSnapshot(`
      [
        "warning: as soon as the hub evaluates this for a cluster, it reports the placement as misconfigured and selects nothing: TaintToleration: If the key is empty, operator must be Exists.
      Placement pl at spec.tolerations[0]
      correct the field before the placement has clusters",
      ]
    `);
  });
  test('conditions that the hub has met are reported by the phase place', () => {
    expect(codesOf([...fleet, selecting(label('env', 'Gt', '1'))])).toEqual([]);
  });
});
