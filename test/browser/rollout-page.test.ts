import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rolloutHtml } from '../../src/compiler/report/html/rollout-html.ts';
import { predictText } from '../compiler/rollout/predict-text.ts';
import { addOn, config, fleet, grouped, text, type Grouped } from '../compiler/rollout/scenes.ts';
import { ReportBrowser } from './browser.ts';
import { faintTexts } from './contrast.ts';

const groups: Grouped = { canary: ['c1'], prod: ['c2', 'c3', 'c4'] };
const strategy = { type: 'ProgressivePerGroup', progressivePerGroup: { minSuccessTime: '90s' } } as const;
const before = text(...fleet(groups), grouped(groups), addOn({ pl: strategy }), config());
const update = text(addOn({ pl: strategy }, 'settings-2'), config('settings-2', '2'));

let browser: ReportBrowser;
let html: string;

beforeAll(async () => {
  browser = await ReportBrowser.start();
  html = rolloutHtml(predictText(before, { update, failing: ['c2'] }));
});

afterAll(async () => {
  await browser.stop();
});

describe('the page of a rollout', () => {
  test('shows the groups one below the other and the waves one after another', async () => {
    const { page, complaints } = await browser.open(html);
    const placeOf = async (words: RegExp): Promise<{ x: number; y: number }> => {
      const box = await page.getByText(words).first().boundingBox();
      if (box === null) throw new Error(`${String(words)} is not in view`);
      return box;
    };
    const [canary, prod] = [await placeOf(/"canary"/), await placeOf(/"prod"/)];
    expect(prod.y).toBeGreaterThan(canary.y);
    const [first, second] = [await placeOf(/^wave 1/), await placeOf(/^wave 2/)];
    expect(second.x).toBeGreaterThan(first.x);
    expect(complaints).toEqual([]);
  });

  test('opens a wave by keyboard', async () => {
    const { page } = await browser.open(html);
    const clusters = page.getByRole('listitem').filter({ hasText: /^c1$/ }).first();
    expect(await clusters.isVisible()).toBe(false);
    await page.keyboard.press('Tab');
    // A timeline that scrolls is a separate tab stop.
    if (!(await page.evaluate(() => document.activeElement?.matches('summary'))))
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await clusters.isVisible()).toBe(true);
  });

  test.each(['light', 'dark'] as const)('can be read when it is %s', async (colorScheme) => {
    const { page } = await browser.open(html, { colorScheme });
    const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
    expect(dark).toBe(colorScheme === 'dark');
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await page.evaluate(faintTexts)).toEqual([]);
  });
});
