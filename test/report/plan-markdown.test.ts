import { expect, test } from 'vitest';
import { planMarkdown } from '../../compiler/report/plan-markdown.ts';
import { emptyReport, eventfulReport, largeReport } from './eventful.ts';

test('a comment has findings, add-ons with values and waves, placements and reach', async () => {
  await expect(planMarkdown(eventfulReport())).toMatchFileSnapshot('golden/eventful.md');
});

test('a plan in which nothing happens is two lines and the hash', async () => {
  await expect(planMarkdown(emptyReport())).toMatchFileSnapshot('golden/nothing.md');
});

test('the comment stays below the limit, and says what is missing', () => {
  const text = planMarkdown(largeReport(400));
  expect(text.length).toBeLessThanOrEqual(65_000);
  expect(text).toMatch(/\*\d+ parts of the plan did not fit in here; `plan -o json` has all\.\*/);
  // Findings and the first add-ons are whole.
  expect(text).toContain('**error FW8002**');
  expect(text).toContain('\n### add-on-0 (app hello)\n\n**UNINSTALLED from 2 clusters**');
});

test.each([2000, 3000, 5000, 20_000])('with a limit of %i characters too', (limit) => {
  expect(planMarkdown(largeReport(50), limit).length).toBeLessThanOrEqual(limit);
});

test('what is left out is the same for the same plan, and the end of it', () => {
  const text = planMarkdown(largeReport(50), 8000);
  expect(planMarkdown(largeReport(50), 8000)).toBe(text);
  const whole = planMarkdown(largeReport(50), 1_000_000);
  const kept = text.slice(0, 3000);
  expect(whole.startsWith(kept)).toBe(true);
});

test('names are no markup and mention nobody', () => {
  const report = eventfulReport();
  const [first] = report.plan.addOns;
  if (first === undefined) throw new Error('an add-on changes');
  const addOn = { ...first, addOn: '<script>*x*|@team' };
  const text = planMarkdown({ ...report, base: 'a`b', plan: { ...report.plan, addOns: [addOn] } });
  expect(text).toContain('### \\<script\\>\\*x\\*\\|@\u200bteam (app hello)');
  expect(text).toContain('## Plan: `` a`b `` → `feature/stage`');
});
