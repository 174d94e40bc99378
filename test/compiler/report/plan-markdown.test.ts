import { describe, expect, test } from 'vitest';
import { planMarkdown } from '../../../src/compiler/report/ci/plan-markdown.ts';
import type { PlanReport } from '../../../src/compiler/report/plan-report.ts';
import { emptyReport, eventfulReport, fleetReport, largeReport } from './eventful.ts';
import { markdownFaults } from './report-formats.ts';

/** One add-on that changes on every cluster in another way, one after another. */
function scatteredReport(clusters: number): PlanReport {
  const report = eventfulReport();
  const [first] = report.plan.addOns;
  const changed = first?.groups.find(({ effect }) => effect === 'changed');
  if (first === undefined || changed === undefined) throw new Error('an add-on changes');
  const names = Array.from({ length: clusters }, (_, index) => `cluster-${index}`);
  const groups = [...first.groups.slice(0, 1), ...names.map((name) => ({ ...changed, clusters: [name] }))];
  const waves = names.map((name, index) => ({
    after: index * 1000,
    earliest: index * 1000,
    clusters: [name],
  }));
  const addOn = {
    ...first,
    groups,
    rollout: { waves, stops: [], finishedAfter: clusters * 1000, finishedEarliest: clusters * 1000 },
  };
  const [row] = report.plan.reach;
  if (row === undefined) throw new Error('it reaches something');
  const reach = names.map((value) => ({ ...row, by: 'name', value }));
  return { ...report, plan: { ...report.plan, addOns: [addOn], reach } };
}

describe('a comment', () => {
  test('has findings, add-ons with values and waves, placements and reach', async () => {
    await expect(planMarkdown(eventfulReport())).toMatchFileSnapshot('golden/eventful.md');
  });

  test('on a plan in which nothing happens is two lines and the hash', async () => {
    await expect(planMarkdown(emptyReport())).toMatchFileSnapshot('golden/nothing.md');
  });

  test('treats names as text: they are not markup and mention no user', () => {
    const report = eventfulReport();
    const [first] = report.plan.addOns;
    if (first === undefined) throw new Error('an add-on changes');
    const addOn = { ...first, addOn: '<script>*x*|@team' };
    const text = planMarkdown({ ...report, base: 'a`b', plan: { ...report.plan, addOns: [addOn] } });
    expect(text).toContain('### \\<script\\>\\*x\\*\\|@\u200bteam (app hello)');
    expect(text).toContain('## Plan: `` a`b `` → `feature/stage`');
  });

  test('keeps its code, tables and details together whatever names and values are', () => {
    const report = eventfulReport();
    const [first] = report.plan.addOns;
    const [group] = first?.groups ?? [];
    if (first === undefined || group === undefined) throw new Error('an add-on changes');
    const evil = '```\n</details>\n| a | b';
    const values = [{ object: '``` ', path: evil, before: evil, after: `${evil}x`, side: 'head' as const }];
    const groups = [{ ...group, clusters: [evil], values }];
    const rollout = {
      waves: [{ after: 0, earliest: 0, clusters: [evil] }],
      stops: [{ message: evil, left: [] }],
      finishedAfter: 0,
      finishedEarliest: 0,
    };
    const addOns = [{ ...first, addOn: evil, stalled: evil, groups, rollout }];
    const reach = report.plan.reach.map((row) => ({ ...row, by: evil, value: evil }));
    const text = planMarkdown({ ...report, base: evil, plan: { ...report.plan, addOns, reach } });
    expect(markdownFaults(text)).toEqual([]);
  });
});

describe('a comment that would be too long', () => {
  test('is below the limit, and reports the omitted parts', () => {
    const text = planMarkdown(largeReport(400));
    expect(text.length).toBeLessThanOrEqual(65_000);
    expect(text).toMatch(/\*\d+ parts of the plan did not fit in here; `plan -o json` has all\.\*/);
    // Findings and the first add-ons are whole.
    expect(text).toContain('**error FW8002**');
    expect(text).toContain('\n### add-on-0 (app hello)\n\n**UNINSTALLED from 2 clusters** (env=stage)');
  });

  test('prints uninstalls and as many changes as fit if one add-on changes differently everywhere', () => {
    const text = planMarkdown(scatteredReport(3000));
    expect(text.length).toBeLessThanOrEqual(65_000);
    expect(text.length).toBeGreaterThan(60_000);
    expect(text).toContain(
      '**UNINSTALLED from 2 clusters** (env=stage): `c4`, `c5`\n- because the install strategy',
    );
    expect(text.match(/\*\*changed on 1 cluster\*\*/g)?.length).toBeGreaterThan(30);
    expect(markdownFaults(text)).toEqual([]);
  });

  test.each([
    ['many add-ons', largeReport(50)],
    ['many changes', scatteredReport(500)],
    ['many clusters', fleetReport(2000, 20)],
  ])('is self-contained with %s, wherever it ends', (_name, report) => {
    for (let limit = 2000; limit <= 66_000; limit += 1171) {
      const text = planMarkdown(report, limit);
      expect(text.length).toBeLessThanOrEqual(limit);
      expect(markdownFaults(text)).toEqual([]);
      expect(text).toContain(`plan \`${report.plan.hash}\``);
    }
  });

  test('loses the same for the same plan, from the end', () => {
    const text = planMarkdown(largeReport(50), 8000);
    expect(planMarkdown(largeReport(50), 8000)).toBe(text);
    const whole = planMarkdown(largeReport(50), 1_000_000);
    expect(whole.startsWith(text.slice(0, 3000))).toBe(true);
  });
});
