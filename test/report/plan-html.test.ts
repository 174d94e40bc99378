import { expect, test } from 'vitest';
import { planHtml } from '../../compiler/report/plan-html.ts';
import { emptyReport, eventfulReport } from './eventful.ts';

test('a page has the findings, the matrix, and each add-on with its causes, values and waves', async () => {
  await expect(planHtml(eventfulReport())).toMatchFileSnapshot('golden/eventful.html');
});

test('every cell of the matrix leads to what happens there', () => {
  const html = planHtml(eventfulReport());
  const targets = new Set([...html.matchAll(/ id="(change-[^"]+)"/g)].map((match) => match[1]));
  const links = [...html.matchAll(/ href="#([^"]+)"/g)].map((match) => match[1]);
  expect(links).toHaveLength(6);
  expect(links.filter((link) => !targets.has(link))).toEqual([]);
});

test('the page loads and runs nothing', () => {
  const html = planHtml(eventfulReport());
  expect(html).not.toMatch(/<script|<link|<img|\ssrc=|https?:|@import|url\(/);
  expect(html).toContain("default-src 'none'");
});

test('only effects that occur can be chosen', () => {
  const html = planHtml(eventfulReport());
  const filters = [...html.matchAll(/id="filter-(\w+)"/g)].map((match) => match[1]);
  expect(filters).toEqual(['all', 'uninstalled', 'installed', 'changed']);
});

test('a plan in which nothing happens has no matrix', () => {
  expect(planHtml(emptyReport())).not.toContain('<table>');
});

test('names are text, whatever is in them', () => {
  const report = eventfulReport();
  const [first] = report.plan.addOns;
  const [group] = first?.groups ?? [];
  if (first === undefined || group === undefined) throw new Error('an add-on changes');
  const evil = '<img src=x onerror="alert(1)">';
  const cause = { kind: 'other', text: evil, side: 'head' } as const;
  const value = { object: evil, path: evil, before: evil, after: 1, side: 'head' } as const;
  const groups = [{ ...group, clusters: [evil], causes: [cause], values: [value] }];
  const rollout = {
    waves: [{ after: 0, clusters: [evil] }],
    stops: [{ message: evil, left: [evil] }],
    finishedAfter: 0,
  };
  const addOn = { ...first, addOn: evil, app: evil, stalled: evil, groups, rollout };
  const finding = { code: 'FW8002', severity: 'error', message: evil, hint: evil } as const;
  const html = planHtml({
    plan: { ...report.plan, addOns: [addOn] },
    base: evil,
    head: evil,
    findings: [finding],
  });
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;');
});

test('2,000 clusters by 20 add-ons are a page of a few megabytes', () => {
  const report = eventfulReport();
  const [first] = report.plan.addOns;
  const [group] = first?.groups ?? [];
  if (first === undefined || group === undefined) throw new Error('an add-on changes');
  const clusters = Array.from({ length: 2000 }, (_, index) => `cluster-${String(index).padStart(5, '0')}`);
  const addOns = Array.from({ length: 20 }, (_, index) => ({
    ...first,
    addOn: `add-on-${index}`,
    groups: [{ ...group, clusters }],
  }));
  const html = planHtml({ ...report, plan: { ...report.plan, addOns } });
  expect(html.match(/<tr>/g)).toHaveLength(2001);
  expect(html.length).toBeLessThan(5_000_000);
});
