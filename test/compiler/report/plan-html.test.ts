import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ValueChange } from '../../../src/compiler/compare/change.ts';
import { planHtml } from '../../../src/compiler/report/html/plan-html.ts';
import type { PlanPage } from '../../../src/compiler/report/html/plan-page-data.ts';
import { planPage } from '../../../src/compiler/report/html/plan-page.ts';
import type { PlanReport } from '../../../src/compiler/report/plan-report.ts';
import { numbersOf } from '../../../src/page/matrix.ts';
import { generatePage } from '../../../src/page/generate.ts';
import { emptyReport, eventfulReport, fleetReport } from './eventful.ts';

/** The page without its script and style, which have separate tests. */
function written(html: string): string {
  return html
    .replace(/<style>[^]*?<\/style>/, '<style></style>')
    .replace(/<script>[^]*?<\/script>/, '<script></script>')
    .replaceAll(/'sha256-[^']*'/g, "'sha256'");
}

function dataOf(html: string): PlanPage {
  const [, json = ''] = /<script type="application\/json" id="plan">(.*?)<\/script>/.exec(html) ?? [];
  return JSON.parse(json) as PlanPage;
}

/** A report whose first add-on has these values, on all of its clusters. */
function withValues(values: readonly ValueChange[]): PlanReport {
  const report = eventfulReport();
  const [first] = report.plan.addOns;
  const [group] = first?.groups ?? [];
  if (first === undefined || group === undefined) throw new Error('an add-on changes');
  return { ...report, plan: { ...report.plan, addOns: [{ ...first, groups: [{ ...group, values }] }] } };
}

describe('the page', () => {
  test('prints the time of the fleet, and its age', () => {
    const snapshots = [{ file: 'apps/<x>/fleet.yaml', takenAt: '2026-06-01T00:00:00Z' }];
    const plannedAt = Date.parse('2026-06-04T01:00:00Z');
    expect(planHtml({ ...eventfulReport(), snapshots, plannedAt })).toContain(
      '<p class="quiet origin">fleet <code>apps/&lt;x&gt;/fleet.yaml</code> as of <time>2026-06-01T00:00:00Z</time>, 3 days before this plan</p>',
    );
    expect(planHtml(eventfulReport())).not.toContain('<time>');
  });

  test('names the commits and the release that it is about', () => {
    const commits = { base: 'a'.repeat(40), head: 'b'.repeat(40) };
    const html = planHtml({ ...eventfulReport(), commits, release: '1.3' });
    expect(html).toContain(
      '<p class="quiet origin">Git <code>aaaaaaaaaaaa</code> → <code>bbbbbbbbbbbb</code><br>OCM 1.3</p>',
    );
    // The files as they are have no commit.
    expect(planHtml({ ...eventfulReport(), commits: { base: commits.base } })).toContain(
      '<p class="quiet origin">Git <code>aaaaaaaaaaaa</code></p>',
    );
  });

  test('has the summary, the findings, the tables, and the rest as data', async () => {
    await expect(written(planHtml(eventfulReport()))).toMatchFileSnapshot('golden/eventful.html');
  });

  test('runs its own script and style only, by their hashes, and loads nothing', () => {
    const html = planHtml(eventfulReport());
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    const hashOf = (tag: string): string => {
      const [, content = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html) ?? [];
      return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
    };
    expect(policy).toBe(
      `default-src 'none'; script-src ${hashOf('script')}; style-src ${hashOf('style')}; base-uri 'none'; form-action 'none'`,
    );
    expect(html).not.toMatch(/<link|<img|<iframe|\ssrc=|https?:|@import|url\(|\sstyle=|\son\w+=/);
  });

  test('of a plan in which nothing happens has no data', () => {
    expect(dataOf(planHtml(emptyReport()))).toMatchObject({ clusters: [], addOns: [] });
  });

  test('contains names and values as text, with any content', () => {
    const evil = '</script><!--<script><img src=x onerror="alert(1)">';
    const report = withValues([{ object: evil, path: evil, before: evil, after: 1, side: 'head' }]);
    const [addOn] = report.plan.addOns;
    if (addOn === undefined) throw new Error('an add-on changes');
    const finding = { code: 'FW8002', severity: 'error', message: evil, hint: evil } as const;
    const html = planHtml({
      plan: { ...report.plan, addOns: [{ ...addOn, addOn: evil, app: evil, stalled: evil }] },
      base: evil,
      head: evil,
      findings: [finding],
    });
    expect(html).not.toContain('<img');
    expect(html.match(/<\/?script/g)).toHaveLength(4);
    expect(html.match(/<!--/g)).toBeNull();
    expect(dataOf(html).values[0]?.object).toBe(evil);
  });

  test('of 2,000 clusters by 20 add-ons is half a megabyte', () => {
    expect(planHtml(fleetReport(2000, 20)).length).toBeLessThan(600_000);
  });

  test('has a script that is up to date: `npm run page` writes it', () => {
    const file = new URL('../../../src/compiler/report/html/plan-page.gen.ts', import.meta.url);
    expect(readFileSync(file, 'utf8')).toBe(generatePage());
  });
});

describe('the data', () => {
  test('has every cluster of every group and wave, neighbours as runs', () => {
    const { plan } = fleetReport(500, 3);
    const page = planPage(plan);
    for (const [index, { groups, rollout }] of plan.addOns.entries()) {
      const names = (runs: readonly number[]): (string | undefined)[] =>
        numbersOf(runs).map((number) => page.clusters[number]);
      expect(page.addOns[index]?.groups.map(({ clusters }) => names(clusters))).toEqual(
        groups.map(({ clusters }) => clusters),
      );
      expect(page.addOns[index]?.waves.map(({ clusters }) => names(clusters))).toEqual(
        rollout.waves.map(({ clusters }) => clusters),
      );
    }
    expect(planPage(eventfulReport().plan).addOns[0]?.groups.map(({ clusters }) => clusters)).toEqual([
      [3, -1],
      [5],
      [0, -2],
    ]);
  });

  test('has the clusters of each wave that refuse the change', () => {
    const report = eventfulReport();
    const [first] = report.plan.addOns;
    if (first === undefined) throw new Error('an add-on changes');
    const waves = first.rollout.waves.map((wave) => ({ ...wave, refusing: ['c1', 'c3'] }));
    const plan = { ...report.plan, addOns: [{ ...first, rollout: { ...first.rollout, waves } }] };
    const page = planPage(plan);
    expect(
      page.addOns[0]?.waves.map(({ refusing = [] }) =>
        numbersOf(refusing).map((number) => page.clusters[number]),
      ),
    ).toEqual([['c1', 'c3']]);
    expect(planPage(report.plan).addOns[0]?.waves.map((wave) => 'refusing' in wave)).toEqual([false]);
  });

  test('has common parts of groups once', () => {
    const { texts, values } = planPage(fleetReport(100, 20).plan);
    expect(new Set(texts).size).toBe(texts.length);
    expect(values).toHaveLength(3);
  });

  test('counts the values that do not fit', () => {
    const lines = Array.from({ length: 60 }, (_, line) => `${line} `.padEnd(290, 'x')).join('\n');
    const edited = lines.replaceAll('x', 'y');
    const values = Array.from({ length: 500 }, (_, index) => ({
      object: `ConfigMap a/b${index}`,
      path: 'data.script',
      before: `${lines}\nold`,
      after: edited,
      side: 'head' as const,
    }));
    const { addOns, values: shown } = planPage(withValues(values).plan);
    expect(JSON.stringify(shown).length).toBeLessThan(2_100_000);
    expect(shown.length).toBeGreaterThan(40);
    expect(addOns[0]?.groups[0]?.moreValues).toBe(500 - shown.length);
  });
});
