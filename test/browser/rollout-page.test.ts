import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rolloutHtml } from '../../src/compiler/report/html/rollout-html.ts';
import { predictText } from '../compiler/rollout/predict-text.ts';
import { addOn, config, fleet, grouped, text, type Grouped } from '../compiler/rollout/scenes.ts';
import { ReportBrowser } from './browser.ts';
import { faintTexts } from './contrast.ts';
import { columnsInView, cutTexts } from './labels.ts';

const groups: Grouped = { canary: ['c1'], prod: ['c2', 'c3', 'c4'] };
const strategy = { type: 'ProgressivePerGroup', progressivePerGroup: { minSuccessTime: '90s' } } as const;
const before = text(...fleet(groups), grouped(groups), addOn({ pl: strategy }), config());
const update = text(addOn({ pl: strategy }, 'settings-2'), config('settings-2', '2'));

let browser: ReportBrowser;
let html: string;

beforeAll(async () => {
  browser = await ReportBrowser.start();
  html = rolloutHtml([predictText(before, { update, failing: ['c2'] })]);
});

afterAll(async () => {
  await browser.stop();
});

describe('the page of a rollout', () => {
  test('shows the groups one below the other and the waves one after another', async () => {
    const { page, complaints } = await browser.open(html);
    const table = page.locator('#rollout-1 table');
    const placeOf = async (words: RegExp): Promise<{ x: number; y: number }> => {
      const box = await table.getByText(words).first().boundingBox();
      if (box === null) throw new Error(`${String(words)} is not in view`);
      return box;
    };
    const [canary, prod] = [await placeOf(/"canary"/), await placeOf(/"prod"/)];
    expect(prod.y).toBeGreaterThan(canary.y);
    const [first, second] = [await placeOf(/^wave 1/), await placeOf(/^wave 2/)];
    expect(second.x).toBeGreaterThan(first.x);
    expect(complaints).toEqual([]);
  });

  test('shows the wave of each cluster in a matrix, and where a rollout stops', async () => {
    const { page, complaints } = await browser.open(html);
    const matrix = page.getByRole('grid');
    expect(await matrix.getByRole('columnheader').allTextContents()).toEqual([
      'cluster',
      'agent: installation',
      'agent: update',
    ]);
    expect(await matrix.getByRole('rowheader').allTextContents()).toEqual(['c1', 'c2', 'c3', 'c4']);
    expect(await matrix.getByRole('gridcell').allTextContents()).toEqual([
      'wave 1',
      'wave 1',
      'wave 2',
      'wave 2',
      'wave 2',
      'wave 2',
      'wave 2',
      'wave 2',
    ]);
    await matrix.getByRole('gridcell').nth(3).click();
    expect(await page.getByRole('dialog').getByRole('heading', { level: 3 }).textContent()).toBe(
      'agent: update: updated in wave 2 of 2, after 0 to 1m30s',
    );
    expect(complaints).toEqual([]);
  });

  test('shows the clusters that a stopped rollout leaves', async () => {
    const failing = { ...strategy.progressivePerGroup, maxFailures: 0 };
    const stopping = { type: 'ProgressivePerGroup', progressivePerGroup: failing } as const;
    const stopped = predictText(text(...fleet(groups), grouped(groups), addOn({ pl: stopping }), config()), {
      failing: ['c1'],
    });
    const { page } = await browser.open(rolloutHtml([stopped]));
    expect(await page.getByRole('gridcell').allTextContents()).toEqual([
      'wave 1',
      '… not reached',
      '… not reached',
      '… not reached',
    ]);
    expect(await page.locator('.summary .alarm').textContent()).toMatch(
      /^agent: installation stops after 1 wave/,
    );
  });

  test('leads from the summary to a rollout, and opens its waves by keyboard', async () => {
    const { page } = await browser.open(html);
    await page.getByRole('link', { name: 'agent: update' }).press('Enter');
    expect(page.url()).toMatch(/#rollout-1$/);
    const section = page.locator('#rollout-1');
    expect(await section.evaluate((node) => node.getBoundingClientRect().top < innerHeight)).toBe(true);
    const clusters = section.getByRole('listitem').filter({ hasText: /^c1$/ }).first();
    expect(await clusters.isVisible()).toBe(false);
    await section.locator('summary').first().press('Enter');
    expect(await clusters.isVisible()).toBe(true);
  });

  test.each([1280, 420])('cuts no label at a width of %d px', async (width) => {
    const hubs = ['prod-europe', 'prod-america'].map((hub) => ({ ...predictText(before, { update }), hub }));
    const { page } = await browser.open(rolloutHtml(hubs), { viewport: { width, height: 800 } });
    expect(await page.evaluate(cutTexts)).toEqual([]);
    expect(await page.evaluate(columnsInView)).toBe(4);
  });

  test.each(['light', 'dark'] as const)('can be read when it is %s', async (colorScheme) => {
    const { page } = await browser.open(html, { colorScheme });
    const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
    expect(dark).toBe(colorScheme === 'dark');
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await page.evaluate(faintTexts)).toEqual([]);
  });
});
