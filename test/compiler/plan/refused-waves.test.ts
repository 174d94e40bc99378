import { describe, expect, test } from 'vitest';
import type { PlannedRollout } from '../../../src/compiler/compare/placements/waves.ts';
import { planMarkdown } from '../../../src/compiler/report/ci/plan-markdown.ts';
import { planHtml } from '../../../src/compiler/report/html/plan-html.ts';
import { planJson } from '../../../src/compiler/report/json/plan-json.ts';
import { planResults } from '../../../src/compiler/report/plan-results.ts';
import { planText } from '../../../src/compiler/report/text/plan-text.ts';
import { fleetOf } from '../../resolve-text.ts';
import { emptyReport } from '../report/eventful.ts';
import { planJsonFaults } from '../report/report-formats.ts';
import { selectingApp } from './selecting-app.ts';
import { planOf } from './states.ts';

/** Names with equal lengths, so that the order of names is that of numbers. */
const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `c${String(index + 1).padStart(3, '0')}`);

const fleet = (names: readonly string[]): string =>
  fleetOf(Object.fromEntries(names.map((name) => [name, {}])));

/** The plan of another selector. */
function refusedPlan(names: readonly string[], strategy: string): ReturnType<typeof planOf>['plan'] {
  const state = (selector: string) => ({ text: selectingApp(selector, strategy), fleet: fleet(names) });
  return planOf(state('one'), state('two')).plan;
}

/** The plan of a template whose Deployment differs from the earlier one only where the level is not `info`. */
function partlyRefused(names: readonly string[], refusing: readonly string[], strategy: string) {
  const state = (selector: string, image: string) => ({
    text: selectingApp(selector, strategy, refusing).replace('"image":"a"', `"image":"${image}"`),
    fleet: fleet(names),
  });
  return planOf(state('{{LEVEL}}', 'a'), state('info', 'b')).plan;
}

const rolloutOf = ({ addOns }: ReturnType<typeof planOf>['plan']): PlannedRollout | undefined =>
  addOns[0]?.rollout;
const textOf = (plan: ReturnType<typeof planOf>['plan']): string =>
  planText(plan, { paint: (_tone, text) => text, names: 3 });

const progressive = (fields: string): string => `{ type: Progressive, progressive: { ${fields} } }`;

describe('a change that all clusters refuse', () => {
  test('stops in its first wave without a progressDeadline', () => {
    const plan = refusedPlan(numbered(100), progressive('maxConcurrency: 10%'));
    const { waves = [], stops } = rolloutOf(plan) ?? {};
    expect(waves.map(({ clusters, refusing }) => [clusters.length, refusing])).toEqual([[10, numbered(10)]]);
    expect(stops).toEqual([
      {
        wave: 1,
        message:
          'waits for "c001", "c002", "c003" and 7 more, which refuse the change, and there is no progressDeadline',
        left: numbered(100).slice(10),
      },
    ]);
    expect(textOf(plan)).toContain(
      '  1 wave\n' +
        '    1: c001, c002, c003 and 7 more, which refuse the change\n' +
        '  stops in wave 1: waits for "c001", "c002", "c003" and 7 more, which refuse the change, and there is no progressDeadline; ' +
        '90 clusters left: c011, c012, c013 and 87 more\n',
    );
  });

  test('stops when more clusters failed than maxFailures allows', () => {
    const names = numbered(6);
    const fields = 'maxConcurrency: 1, maxFailures: 2, progressDeadline: 10m';
    const plan = refusedPlan(names, progressive(fields));
    const { waves = [], stops } = rolloutOf(plan) ?? {};
    expect(waves).toEqual(
      ['c001', 'c002', 'c003'].map((name, index) => ({
        after: index * 600_000,
        earliest: index * 600_000,
        clusters: [name],
        refusing: [name],
      })),
    );
    expect(stops).toEqual([
      {
        wave: 3,
        message: '"c001", "c002", "c003", which refuse the change, failed, more than maxFailures allows',
        left: ['c004', 'c005', 'c006'],
      },
    ]);
    expect(textOf(plan)).toContain('  3 waves\n');
  });

  test('stops in the first wave of compiled delivery, which has no deadline', () => {
    const names = ['a', 'b', 'c'];
    const fields = 'maxConcurrency: 1, maxFailures: 2, progressDeadline: 10m';
    const state = (selector: string) => ({
      text: selectingApp(selector, progressive(fields)).replace(
        'metadata: { name: hello }\nspec:\n  supportedConfigs',
        'metadata: { name: hello, annotations: { fleetwright.dev/delivery: compiled, addon.open-cluster-management.io/lifecycle: self } }\nspec:\n  supportedConfigs',
      ),
      fleet: fleet(names),
    });
    const { plan } = planOf(state('one'), state('two'));
    expect(rolloutOf(plan)?.stops).toEqual([
      {
        wave: 1,
        message:
          'waits for "a", which refuses the change, to become healthy, without a deadline: the add-on is delivered from Git',
        left: ['b', 'c'],
      },
    ]);
  });

  test('stops in the first mandatory group', () => {
    const names = ['a', 'b'];
    const fields = 'mandatoryDecisionGroups: [{ groupIndex: 0 }], progressDeadline: 5m';
    const grouped = (selector: string): string =>
      selectingApp(selector, progressive(fields)).replace(
        '\nspec:\n  predicates:',
        '\nspec:\n  decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: 1 } }\n  predicates:',
      );
    const { plan } = planOf(
      { text: grouped('one'), fleet: fleet(names) },
      { text: grouped('two'), fleet: fleet(names) },
    );
    expect(rolloutOf(plan)?.stops).toEqual([
      {
        wave: 1,
        message: '"a", which refuses the change, failed, more than maxFailures allows',
        left: ['b'],
      },
    ]);
  });

  test('does not complete if one wave has all clusters', () => {
    const plan = refusedPlan(['a', 'b'], '{ type: All }');
    expect(rolloutOf(plan)).toEqual({
      waves: [{ after: 0, earliest: 0, clusters: ['a', 'b'], refusing: ['a', 'b'] }],
      stops: [],
      incomplete: '"a", "b" refuse the change',
      finishedAfter: 0,
      finishedEarliest: 0,
    });
    expect(textOf(plan)).toContain(
      '  1 wave\n    1: a, b, which refuse the change\n  does not complete: "a", "b" refuse the change\n',
    );
  });
});

describe('a change that one class of clusters refuses', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];

  test('goes on beside them while there are places', () => {
    const plan = partlyRefused(names, ['b'], progressive('maxConcurrency: 2'));
    const { waves = [], stops, incomplete } = rolloutOf(plan) ?? {};
    expect(waves.map(({ clusters, refusing = [] }) => [clusters.join(), refusing.join()])).toEqual([
      ['a,b', 'b'],
      ['c', ''],
      ['d', ''],
      ['e', ''],
      ['f', ''],
    ]);
    expect([stops, incomplete]).toEqual([[], '"b" refuses the change']);
  });

  test('stops in the wave in which they take the last place', () => {
    const plan = partlyRefused(names, ['b', 'd'], progressive('maxConcurrency: 2'));
    expect(textOf(plan)).toContain(
      '    1: a, b, of which 1 refuses the change: b\n' +
        '    2: c\n' +
        '    3: d, which refuses the change\n' +
        '  stops in wave 3: waits for "b", "d", which refuse the change, and there is no progressDeadline; 2 clusters left: e, f\n',
    );
  });

  test('completes without those that maxFailures allows to fail', () => {
    const fields = 'maxConcurrency: 2, maxFailures: 1, progressDeadline: 10m';
    const plan = partlyRefused(names, ['b'], progressive(fields));
    const { waves = [], stops, incomplete } = rolloutOf(plan) ?? {};
    expect(waves.flatMap(({ clusters }) => clusters).sort()).toEqual(names);
    expect([stops, incomplete]).toEqual([[], '"b" refuses the change']);
    expect(textOf(plan)).not.toContain('finished');
  });

  test('is reported in each format, and binds approvals to the clusters that are left', () => {
    const plan = partlyRefused(names, ['b'], progressive('maxConcurrency: 1'));
    const others = partlyRefused(names, ['c'], progressive('maxConcurrency: 1'));
    expect(plan.effects.addOns[0]?.left).toEqual(['c', 'd', 'e', 'f']);
    expect(others.effects.addOns[0]?.left).toEqual(['d', 'e', 'f']);
    expect(plan.hash).not.toBe(others.hash);

    const report = { ...emptyReport(), plan };
    expect(planJsonFaults(planJson(report))).toEqual([]);
    const stops =
      'in wave 2: waits for "b", which refuses the change, and there is no progressDeadline; 4 clusters left';
    expect(planMarkdown(report)).toContain('| 2 | immediately | 1 | b, which refuses the change |\n');
    expect(planMarkdown(report)).toContain(`\n**Stops ${stops}\n`.replace(':', ':**'));
    expect(planHtml(report)).toContain(JSON.stringify(`stops ${stops}`));
    expect(planResults(report).map(({ message }) => message)).toContain(
      'the rollout of "hello" stops in wave 2, before 4 clusters (c, d, e, f): waits for "b", which refuses the change, and there is no progressDeadline',
    );
    const all = { ...emptyReport(), plan: partlyRefused(names, ['b'], '{ type: All }') };
    expect(planJsonFaults(planJson(all))).toEqual([]);
    expect(planMarkdown(all)).toContain('\n**Does not complete:** "b" refuses the change\n');
    expect(planResults(all).map(({ message }) => message)).toContain(
      'the rollout of "hello" does not complete: "b" refuses the change',
    );
  });
});
