import { describe, expect, test } from 'vitest';
import { cel026, cel028, cel029 } from '../../../src/engines/cel/behaviour.ts';
import { managedClusterVariables } from '../../../src/compiler/place/cel/managed-cluster-value.ts';
import { evaluate, evaluateAll } from '../../../src/compiler/place/cel/selector.ts';
import { cluster, input, programOf, verdictOf } from './cluster.ts';

const costOf = (expression: string, behaviour = cel028) => {
  const evaluation = evaluate(programOf(expression, behaviour), input);
  return evaluation.verdict === 'cannot tell' ? undefined : evaluation.cost;
};

/** An expression that costs about five times ten to this power. */
const loops = (depth: number, inner = 'true'): string =>
  depth === 0 ? inner : `[1,2,3,4,5,6,7,8,9,10].all(v${depth}, ${loops(depth - 1, inner)})`;

describe('the result', () => {
  test.each([
    ['true', 'match'],
    ['optional.of(true)', 'match'],
    ['optional.of(optional.of(true))', 'match'],
    ['false', 'false'],
    ['optional.of(false)', 'false'],
    ['optional.none()', 'not a boolean: optional_type'],
    ['"true"', 'not a boolean: string'],
    ['1', 'not a boolean: int'],
    ['null', 'not a boolean: null_type'],
  ])('%s: %s', (expression, verdict) => {
    expect(verdictOf(expression)).toBe(verdict);
  });
});

describe('an error', () => {
  test.each([
    ['managedCluster.metadata.labels.zone == "a"', 'error: no such key: zone'],
    ['managedCluster.spec.taints[1].key == "a"', 'error: index out of bounds: 1'],
    ['1 / (managedCluster.spec.leaseDurationSeconds - 60) > 0', 'error: division by zero'],
    ['9223372036854775807 + 1 > 0', 'error: integer overflow'],
    ['managedCluster.metadata.name > 1', 'error: no such overload'],
    ['managedCluster.spec.leaseDurationSeconds', 'not a boolean: int'],
    ['"a".matches("[")', 'error: error parsing regexp: missing closing ]: `[`'],
    [
      'managedCluster.scores("none").size() == 0',
      'error: failed to get score: addonplacementscore.cluster.open-cluster-management.io "none" not found',
    ],
    ['"{".parseJSON() == 1', 'error: failed to parse json: it is not JSON'],
    [
      'quantity("1 Gi").isInteger()',
      "error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
  ])('%s: %s', (expression, verdict) => {
    expect(verdictOf(expression)).toBe(verdict);
  });

  test.each([
    'managedCluster.metadata.labels.zone == "a" || true',
    'true || managedCluster.metadata.labels.zone == "a"',
    '!(managedCluster.metadata.labels.zone == "a" && false)',
    'managedCluster.metadata.labels.zone != "a" || true',
    '["zone", "env"].exists(k, managedCluster.metadata.labels[k] == "prod")',
  ])('is absorbed where the rest decides: %s', (expression) => {
    expect(verdictOf(expression)).toBe('match');
  });
});

describe('costs', () => {
  test.each([
    ['true', 0],
    ['managedCluster.metadata.name == "cluster1"', 4],
    ['has(managedCluster.metadata.labels)', 3],
    ['managedCluster.metadata.labels["env"].startsWith("pr")', 5],
    ['"env" in managedCluster.metadata.labels', 4],
    ['managedCluster.status.clusterClaims.exists(c, c.value == "AWS")', 11],
    ['quantity("1Gi").isGreaterThan(quantity("1Mi"))', 3],
    ['managedCluster.scores("resources").size() == 2', 75],
    ['"abcdefghijklmnopqrstuvwxyz".matches("[a-z]+")', 6],
  ])('%s: %i', (expression, cost) => {
    expect(costOf(expression)).toBe(cost);
  });

  test('of functions on strings count from cel-go 0.29 on', () => {
    const expression = '"abcdefghijklmnopqrstuvwxyz".upperAscii() != ""';
    expect([cel026, cel028, cel029].map((behaviour) => costOf(expression, behaviour))).toEqual([1, 1, 30]);
  });

  test('of an expression end it beyond a million', () => {
    expect(verdictOf(loops(5))).toBe('match');
    expect(verdictOf(loops(6))).toBe('cost limit');
  });
  test('of all expressions share a budget of ten million', () => {
    const heavy = programOf(`${loops(5)} && ${loops(5)}`);
    const cost = costOf(heavy.expression) ?? 0;
    const most = Math.floor(10_000_000 / cost);
    const repeated = (count: number) => Array.from({ length: count }, () => heavy);
    expect(evaluateAll(repeated(most), input)).toEqual({ verdict: 'match' });
    expect(evaluateAll(repeated(most + 1), input)).toEqual({
      verdict: 'no match',
      expression: heavy.expression,
      reason: { kind: 'cost limit' },
    });
  });
});

describe('several expressions', () => {
  const all = (...expressions: string[]) =>
    evaluateAll(
      expressions.map((one) => programOf(one)),
      input,
    );

  test('match if each part matches', () => {
    expect(all('true', 'managedCluster.spec.hubAcceptsClient')).toEqual({ verdict: 'match' });
    expect(all()).toEqual({ verdict: 'match' });
  });
  test('name the first that does not', () => {
    expect(all('true', 'false', '1')).toEqual({
      verdict: 'no match',
      expression: 'false',
      reason: { kind: 'false' },
    });
  });
  test('are decided by one that fails, even if others are unknown', () => {
    const open = 'managedCluster.metadata.uid == ""';
    expect(all(open, 'false')).toMatchObject({ verdict: 'no match', expression: 'false' });
    expect(all(open, 'true')).toMatchObject({ verdict: 'cannot tell', expression: open });
  });
});

describe('cannot be determined', () => {
  test.each([
    'managedCluster.metadata.uid != ""',
    'has(managedCluster.metadata.creationTimestamp)',
    'has(managedCluster.metadata.finalizers)',
    'managedCluster.kind == "ManagedCluster"',
    'managedCluster.metadata.labels.map(k, k)[0] == "env"',
    'managedCluster.metadata.labels.map(k, k).join(",") == "env,region"',
    'timestamp("2020-01-01T00:00:00Z").getHours("America/New_York") == 19',
    `managedCluster.metadata.labels.all(k, ${loops(5)} && k != "env")`,
  ])('%s', (expression) => {
    expect(verdictOf(expression)).toMatch(/^cannot tell: /u);
  });

  test.each([
    'managedCluster.metadata.labels.map(k, k).size() == 3',
    'managedCluster.metadata.labels.exists(k, k == "env")',
    'managedCluster.metadata.labels.map(k, k).exists(k, k == "env")',
    '"env" in managedCluster.metadata.labels.map(k, k)',
    'has(managedCluster.metadata.name) || managedCluster.metadata.uid != ""',
  ])('is invalid if the order of a map decides nothing: %s', (expression) => {
    expect(verdictOf(expression)).toBe('match');
  });
});

test('a program is evaluated for any number of clusters, each with its own scores', () => {
  const program = programOf('managedCluster.scores("resources").exists(s, s.value > 10)');
  const low = {
    variables: managedClusterVariables({ ...cluster, metadata: { ...cluster.metadata, name: 'cluster2' } }),
    scores: () => [{ name: 'cpu', value: 1 }],
  };
  expect([input, low, input].map((one) => evaluate(program, one).verdict)).toEqual([
    'match',
    'no match',
    'match',
  ]);
});
