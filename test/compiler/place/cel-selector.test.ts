import { describe, expect, test } from 'vitest';
import { explainPlacement } from '../../../src/compiler/place/explain/explain.ts';
import {
  binding,
  cluster,
  decide,
  decisionOf,
  earlier,
  placement,
  score,
  selectedOf,
} from './hub-fixture.ts';

const fleet = [
  cluster('aws', { labels: { env: 'prod' }, claims: { platform: 'AWS' } }),
  cluster('gcp', { labels: { env: 'dev' }, claims: { platform: 'GCP' } }),
  binding('default'),
  score('aws', { cpu: 7 }, '2026-01-01T00:00:00Z'),
];

const isProd = 'managedCluster.metadata.labels["env"] == "prod"';
const isDev = 'managedCluster.metadata.labels["env"] == "dev"';
const onAws = 'managedCluster.status.clusterClaims.exists(c, c.name == "platform" && c.value == "AWS")';
const unknown = 'managedCluster.metadata.generation > 1';

function named(cluster: string): string {
  return `managedCluster.metadata.name == "${cluster}"`;
}

/** A placement with one predicate for each list of expressions. */
function cel(...predicates: string[][]): object {
  return placement({
    predicates: predicates.map((celExpressions) => ({
      requiredClusterSelector: { celSelector: { celExpressions } },
    })),
  });
}

describe('a CEL selector', () => {
  test.each([
    ['every expression has to be true', [[isProd, onAws]], ['aws']],
    ['one that is false decides', [[isProd, isDev]], []],
    ['any predicate suffices', [[isProd], [isDev]], ['aws', 'gcp']],
    ['an expression that fails is false', [['managedCluster.metadata.labels["zone"] == "a"']], []],
    ['a value that is no boolean is false', [['"true"']], []],
    ['scores count after they expired', [['managedCluster.scores("load").exists(s, s.value == 7)']], ['aws']],
    ['no expression at all matches', [[]], ['aws', 'gcp']],
    ['one cluster can be asked for', [[named('gcp')]], ['gcp']],
    ['that cluster is compared with the others too', [[named('gcp'), isProd]], []],
    ['no two clusters have one name', [[named('aws'), named('gcp')]], []],
    ['what is not a string is no name', [['managedCluster.metadata.name == dyn(1)']], []],
  ])('%s', (_, predicates, selected) => {
    expect(selectedOf([...fleet, cel(...predicates)])).toEqual(selected);
  });
});

describe('an expression that the hub refuses', () => {
  const objects = [...fleet, cel([isProd, 'cluster.name == "aws"'])];
  test('makes the placement misconfigured', () => {
    const { status, selected } = decisionOf(decide(objects).decisions);
    expect(selected).toEqual([]);
    expect(status.conditions?.[0]?.message).toMatchInlineSnapshot(`
      "Predicate:compilation failed: ERROR: <input>:1:1: undeclared reference to 'cluster' (in container '')
       | cluster.name == "aws"
       | ^"
    `);
  });
  test('is reported by its first line', () => {
    const [found] = decide(objects).diagnostics;
    expect(found).toMatchObject({
      code: 'FW3001',
      path: 'spec.predicates[0].requiredClusterSelector.celSelector.celExpressions[1]',
    });
    expect(found?.message).toMatchInlineSnapshot(
      `"the hub reports this placement as misconfigured and selects no cluster: Predicate: compilation failed: ERROR: <input>:1:1: undeclared reference to 'cluster' (in container '')"`,
    );
  });
});

describe('FW3005: an expression without a known answer', () => {
  test('leaves the earlier decision, and reports why', () => {
    const { decisions, diagnostics } = decide([...fleet, earlier('pl', ['gcp']), cel([unknown])]);
    expect(decisionOf(decisions).selected).toEqual(['gcp']);
    const [found] = diagnostics;
    expect(`${found?.severity} ${found?.code}: ${found?.message}\n  at ${found?.path}\n  ${found?.hint}`)
      .toMatchInlineSnapshot(`
      "error FW3005: managed clusters have generation: the hub sets it, and the fleet does not have it, so the selection of the hub is unknown, and the earlier decision is used instead
        at spec.predicates[0].requiredClusterSelector.celSelector.celExpressions[0]
        use other fields or functions in the expression, or select by labels or claims"
    `);
  });
  test('does not matter if another predicate decides', () => {
    expect(selectedOf([...fleet, cel([isProd, unknown], [isProd])])).toEqual(['aws']);
    expect(selectedOf([...fleet, cel(['false', unknown])])).toEqual([]);
    expect(selectedOf([...fleet, cel([unknown, 'false'])])).toEqual([]);
  });
  test('does not matter to clusters that other selectors drop', () => {
    const selector = {
      labelSelector: { matchLabels: { env: 'stage' } },
      celSelector: { celExpressions: [unknown] },
    };
    const { decisions, diagnostics } = decide([
      ...fleet,
      placement({ predicates: [{ requiredClusterSelector: selector }] }),
    ]);
    expect(decisionOf(decisions).unscheduled).toBeUndefined();
    expect(diagnostics).toEqual([]);
  });
});

describe('the explanation', () => {
  function reasons(expressions: string[], name: string): unknown {
    const explanation = explainPlacement(decide([...fleet, cel(expressions)]).decisions, 'default/pl', name);
    const step = explanation?.steps.find(({ stage }) => stage === 'predicates');
    return [step?.text, ...(step?.reasons ?? [])];
  }
  test('names the expressions that are true', () => {
    expect(reasons([isProd, onAws], 'aws')).toEqual([
      'predicate 0 matches',
      `CEL expression is true: ${isProd}`,
      `CEL expression is true: ${onAws}`,
    ]);
  });
  test.each([
    [[onAws, isProd, 'true'], `CEL expression is false: ${onAws}`],
    [
      ['managedCluster.metadata.labels["zone"] == "a"'],
      'CEL expression fails (no such key: zone), which counts as false: managedCluster.metadata.labels["zone"] == "a"',
    ],
    [['"true"'], 'CEL expression returns a value of type string, which counts as false: "true"'],
    [
      [
        '[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, [0,1,2,3,4,5,6,7,8,9].all(d, [0,1,2,3,4,5,6,7,8,9].all(e, [0,1,2,3,4,5,6,7,8,9].all(f, a + b + c + d + e + f >= 0))))))',
      ],
      expect.stringMatching(/^CEL expression costs more than the hub allows: /),
    ],
  ])('names the expression that is not: %j', (expressions, words) => {
    expect(reasons(expressions, 'gcp')).toEqual([words]);
  });
});
