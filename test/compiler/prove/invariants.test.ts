import { describe, expect, test } from 'vitest';
import {
  checkInvariant,
  counterexampleWords,
  obstacleWords,
  prove,
  type Invariant,
  type ProofVerdict,
} from '../../../src/compiler/prove/index.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import { addOn, app, clusters, config, installed, placement } from '../plan/states.ts';
import { fleetOf, resolveText } from '../../resolve-text.ts';

const hub = hubVersion('1.3');

function answer(invariant: Omit<Invariant, 'name'>, text = app, fleet = fleetOf(clusters)): string {
  const { resolution } = resolveText(text, { fleet });
  const [verdict] = prove([{ name: 'it', ...invariant }], [resolution], hub);
  return verdict === undefined ? '' : words(verdict);
}

function words(verdict: ProofVerdict): string {
  if (verdict.answer === 'proved') return 'proved';
  if (verdict.answer === 'refuted') return `refuted: ${counterexampleWords(verdict.counterexample)}`;
  const example = verdict.example === undefined ? '' : counterexampleWords(verdict.example);
  return `cannot prove: ${example}: ${verdict.obstacles.map(obstacleWords).join('; ')}`;
}

const grouped = app.replace(
  '\nspec:\n  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: prod } }',
  `
spec:
  decisionStrategy:
    groupStrategy:
      decisionGroups:
      - { groupName: canary, groupClusterSelector: { labelSelector: { matchLabels: { canary: "true" } } } }
      - { groupName: eu, groupClusterSelector: { labelSelector: { matchLabels: { region: eu } } } }
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: prod } }`,
);

describe('an invariant', () => {
  test('about configurations and values follows the precedence of the hub', () => {
    const prod = { where: { labels: { env: 'prod' } } };
    expect(answer({ ...prod, configs: { hello: { addondeploymentconfigs: 'default/prod' } } })).toBe(
      'proved',
    );
    expect(answer({ ...prod, values: { hello: { LEVEL: ['warn', 'error'] } } })).toBe('proved');
    expect(answer({ values: { hello: { LEVEL: 'warn' } } })).toBe('refuted: a cluster with label env=stage');
  });

  test('names immutable configurations as they are written', () => {
    const immutable = app.replaceAll(
      'metadata: { name: prod, namespace: default }\nspec:\n  agentInstallNamespace',
      "metadata: { name: prod, namespace: default, annotations: { fleetwright.dev/immutable: 'true' } }\nspec:\n  agentInstallNamespace",
    );
    const invariant = {
      where: { labels: { env: 'prod' } },
      configs: { hello: { addondeploymentconfigs: 'default/prod' } },
    };
    expect(immutable).not.toBe(app);
    expect(answer(invariant, immutable)).toBe('proved');
    expect(
      answer({ ...invariant, configs: { hello: { addondeploymentconfigs: 'default/base' } } }, immutable),
    ).toBe('refuted: a cluster with label env=prod');
  });

  test('about clusters with an own configuration knows them by name', () => {
    const own = `${app}
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c4 }
spec:
  configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: prod }]
`;
    const level = { values: { hello: { LEVEL: 'info' } }, where: { labels: { env: 'stage' } } };
    expect(answer(level)).toBe('proved');
    expect(answer(level, own)).toBe('refuted: a cluster with label env=stage and name c4');
  });

  test('about a decision group follows the order of groups', () => {
    const canaries = { where: { groups: { 'default/prod': 'eu' } } };
    expect(answer({ ...canaries, are: { labels: { canary: 'true' } } }, grouped)).toBe(
      'refuted: a cluster with label env=prod and label region=eu',
    );
    expect(answer({ ...canaries, are: { not: { labels: { canary: 'true' } } } }, grouped)).toBe('proved');
    expect(answer({ ...canaries, are: { labels: { env: 'prod', region: 'eu' } } }, grouped)).toBe('proved');
  });

  test('about edits of taints knows what placements tolerate', () => {
    const edits = { edits: 1, of: ['taints'] as const, keeps: true as const };
    expect(answer(edits)).toBe('refuted: c1 with taint fleetwright.dev/unnamed=:NoSelect');
    const tolerant = app.replaceAll(
      /tolerations:\n(?: {2}- .*\n)+/g,
      'tolerations: [{ operator: Exists }]\n',
    );
    expect(answer(edits, tolerant)).toBe('proved');
  });

  test('about edits changes at most that many fields, and only those that it names', () => {
    const keeps = { keeps: true as const, before: { labels: { env: 'prod' } } };
    expect(answer({ ...keeps, edits: 0 })).toBe('proved');
    expect(answer({ ...keeps, edits: 3, keys: ['region', 'canary'] })).toBe('proved');
    expect(answer({ ...keeps, edits: 1 })).toBe('refuted: c1 with no label env instead of label env=prod');
    expect(answer({ ...keeps, edits: 5, where: { labels: { env: true } } })).toBe(
      'refuted: c1 with label env=x instead of label env=prod',
    );
  });

  test('about the fleet as it is needs no edit', () => {
    expect(answer({ clusters: 'fleet', where: { labels: { region: 'us' } }, has: ['hello'] })).toBe('proved');
    expect(answer({ clusters: 'fleet', has: ['hello'] })).toBe('refuted: c6 as it is');
  });

  test('about other clusters holds as long as no placement counts clusters', () => {
    const others = { edits: 1, before: { labels: { env: 'dev' } }, others: { labels: { env: 'prod' } } };
    expect(answer(others)).toBe('proved');
    const counting = app.replace(
      'name: stage, namespace: default }\nspec:\n',
      'name: stage, namespace: default }\nspec:\n  numberOfClusters: 3\n',
    );
    expect(answer(others, counting)).toMatchInlineSnapshot(
      `"cannot prove: c6 with label env=prod instead of label env=dev: Placement default/stage spec.numberOfClusters: it selects 3 of the clusters that match, by their scores"`,
    );
    expect(answer({ ...others, keys: ['region'] }, counting)).toBe('proved');
  });

  test('about expressions that read scores names the expression', () => {
    const scored = app.replace(
      '{ matchLabels: { env: prod } }',
      '{}, celSelector: { celExpressions: [\'managedCluster.scores("load").size() > 0\'] }',
    );
    expect(
      answer({ where: { labels: { env: 'prod' } }, values: { hello: { LEVEL: 'info' } } }, scored),
    ).toMatchInlineSnapshot(
      `"cannot prove: a cluster with label env=prod: Placement default/prod spec.predicates[0].requiredClusterSelector.celSelector.celExpressions[0]: the result of \`managedCluster.scores("load").size() > 0\` depends on more than a finite number of cases"`,
    );
    // what the expression decides does not matter here
    expect(answer({ where: { labels: { env: 'prod' } }, has: ['hello'] }, scored)).toBe('proved');
  });

  test('about all add-ons of a cluster can be an expression', () => {
    const prod = { where: { labels: { env: 'prod' } } };
    expect(answer({ ...prod, satisfies: ['addOns["hello"].values.LEVEL == "warn"'] })).toBe('proved');
    expect(answer({ ...prod, satisfies: ['addOns.hello.configs.exists(c, c == "default/prod")'] })).toBe(
      'proved',
    );
    expect(answer({ ...prod, satisfies: ['addOns.hello.placements.size() == 2'] })).toBe('proved');
    expect(answer({ satisfies: ['addOns.size() == 1'] })).toBe('refuted: a cluster without labels');
    expect(answer({ satisfies: ['addOns.hello.values.LEVEL != ""'] })).toBe(
      'refuted: a cluster without labels',
    );
  });

  test('has expressions that compile', () => {
    const { resolution } = resolveText(app, { fleet: fleetOf(clusters) });
    const messages = ['addOn.size() == 1', 'addOns.size()', 'addOns..x'].map((expression) =>
      checkInvariant({ name: 'it', satisfies: [expression] }, [resolution]).map(
        ({ message }) => message.split('\n')[0],
      ),
    );
    expect(messages).toMatchInlineSnapshot(`
      [
        [
          "the invariant "it" has an expression that does not compile: ERROR: <input>:1:1: undeclared reference to 'addOn' (in container '')",
        ],
        [
          "the invariant "it" has an expression that does not compile: it returns a int, but must return true or false",
        ],
        [
          "the invariant "it" has an expression that does not compile: ERROR: <input>:1:8: Syntax error: no viable alternative at input '..'",
        ],
      ]
    `);
  });

  test('compares apps of one hub', () => {
    const other = `${addOn(installed('edge')).replaceAll('name: hello', 'name: other')}${placement('edge', '{ matchLabels: { tier: edge } }')}${config('base', 'info')}`;
    const states = [app, other].map((text) => resolveText(text, { fleet: fleetOf(clusters) }).resolution);
    const [verdict] = prove([{ name: 'it', atMostOneOf: ['hello', 'other'] }], states, hub);
    expect(verdict && words(verdict)).toBe('refuted: a cluster with label env=prod and label tier=edge');
  });
});
