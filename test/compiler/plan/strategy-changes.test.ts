import { expect, test } from 'vitest';
import { planGithub } from '../../../src/compiler/report/ci/plan-github.ts';
import { planHtml } from '../../../src/compiler/report/html/plan-html.ts';
import { planJunit } from '../../../src/compiler/report/ci/plan-junit.ts';
import { planMarkdown } from '../../../src/compiler/report/ci/plan-markdown.ts';
import { planSarif } from '../../../src/compiler/report/ci/plan-sarif.ts';
import { app, installed, planOf, reported } from './states.ts';

const rolledOut = (strategy: string): string =>
  app.replace(installed('prod', 'prod'), installed('prod', 'prod', strategy));

const slow = '{ type: Progressive, progressive: { maxConcurrency: 1, minSuccessTime: 10m } }';

test('an edited rollout strategy shows the effect on the next change, before and after', () => {
  expect(reported({ text: rolledOut(slow) }, { text: app })).toMatchInlineSnapshot(`
    "hello
      rollout strategy: the next change of placement default/prod reaches 3 clusters in 1 wave, before in 3 waves (1, 1, 1), the last after 0 to 20m (app.yaml:19)

    objects
      ClusterManagementAddOn hello was edited (app.yaml:19)
        spec.installStrategy.placements[prod].rolloutStrategy.type: "Progressive" -> "All"
        spec.installStrategy.placements[prod].rolloutStrategy.progressive removed:
          - maxConcurrency: 1
          - maxFailures: 0
          - minSuccessTime: 10m
          - progressDeadline: None

    plan: no add-on changes on 6 clusters; 1 object edited
    "
  `);
  expect(reported({ text: app }, { text: rolledOut(slow) })).toContain(
    'rollout strategy: the next change of placement default/prod reaches 3 clusters in 3 waves (1, 1, 1), the last after 0 to 20m, before in 1 wave',
  );
});

test('a strategy with the same waves is reported as such', () => {
  const later = slow.replace('10m', '5m').replace('maxConcurrency: 1', 'maxConcurrency: 5');
  expect(reported({ text: app }, { text: rolledOut(later) })).toContain(
    'the next change of placement default/prod reaches 3 clusters in 1 wave, as before',
  );
});

test('other decision groups are another strategy', () => {
  const grouped = app.replace(
    'predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: prod } } } }]',
    'predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: prod } } } }]\n  decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: 1 } }',
  );
  const perGroup = '{ type: ProgressivePerGroup }';
  const base = rolledOut(perGroup);
  const head = grouped.replace(installed('prod', 'prod'), installed('prod', 'prod', perGroup));
  expect(reported({ text: base }, { text: head })).toContain(
    'the next change of placement default/prod reaches 3 clusters in 3 waves (1, 1, 1), before in 1 wave',
  );
});

test('clusters whose configuration is their own do not wait for a strategy', () => {
  const own = `
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: hello, namespace: c1 }
spec: { configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: default, name: prod }] }`;
  const { plan } = planOf({ text: rolledOut(slow) + own }, { text: app + own });
  expect(plan.addOns[0]?.strategies).toMatchObject([
    {
      placement: 'default/prod',
      before: { clusters: 3, waves: [1, 1, 1], left: 0, lastWaveAfter: 1_200_000 },
      after: { clusters: 3, waves: [3], left: 0, lastWaveAfter: 0 },
    },
  ]);
});

test('a bolder strategy is a warning in every format', () => {
  const { plan, findings } = planOf({ text: rolledOut(slow) }, { text: app });
  const report = { plan, findings, base: 'main', head: 'HEAD' };
  const words = 'the next change of placement default/prod reaches 3 clusters in 1 wave, before in 3 waves';
  expect(planMarkdown(report)).toContain(`- **rollout strategy**: ${words} (1, 1, 1)`);
  expect(planHtml(report)).toContain(`"alarms":["rollout strategy: ${words}`);
  expect(planGithub(report)).toMatch(/^::warning .*rollout-strategy/m);
  expect(planJunit(report)).toContain(words);
  expect(JSON.parse(planSarif(report))).toMatchObject({
    runs: [{ results: [{ ruleId: 'rollout-strategy', level: 'warning' }, { ruleId: 'object-changed' }] }],
  });
  const careful = planOf({ text: app }, { text: rolledOut(slow) });
  expect(planGithub({ ...report, ...careful })).toMatch(/^::notice .*rollout-strategy/m);
});
