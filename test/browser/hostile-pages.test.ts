import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planHtml } from '../../src/compiler/report/html/plan-html.ts';
import { readableReport } from '../../src/compiler/report/readable-report.ts';
import { rolloutHtml } from '../../src/compiler/report/html/rollout-html.ts';
import { terminalLine } from '../../src/compiler/report/text/terminal-line.ts';
import type { PredictedRollout } from '../../src/compiler/predict-rollout.ts';
import { hostileReport, hostileTexts } from '../compiler/report/hostile-texts.ts';
import { predictText } from '../compiler/rollout/predict-text.ts';
import { addOn, config, fleet, grouped, text, type Grouped } from '../compiler/rollout/scenes.ts';
import { ReportBrowser } from './browser.ts';

let browser: ReportBrowser;
/** The parts of pages in which no text is hostile. */
let harmlessPlan: unknown;
let harmlessRollout: unknown;

beforeAll(async () => {
  browser = await ReportBrowser.start();
  const plan = await browser.open(planHtml(readableReport(hostileReport('x'))));
  harmlessPlan = await actingParts(plan.page);
  const rollout = await browser.open(rolloutHtml([hostileRollout('x')]));
  harmlessRollout = await actingParts(rollout.page);
});

afterAll(async () => {
  await browser.stop();
});

/** More that acts in a page only: each sets `acted`, asks for something, or leaves the page. */
const texts = {
  ...hostileTexts,
  'end of a script': '</script><script>acted = 1</script><script>alert(1)</script>',
  'end of a comment': '--><script>acted = 1</script><!--',
  'end of a style': '</style><script>acted = 1</script><style>@import "https://evil.example/a.css";',
  'attribute breaks': `" autofocus onfocus="acted=1" x="' autofocus onfocus='acted=1' x='`,
  'elements that load':
    '<iframe srcdoc="<script>parent.acted=1</script>"></iframe><object data="data:text/html,a"></object>',
  'elements that redirect':
    '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
  'links that run':
    '<a href="javascript:acted=1" id="location">a</a><form action="https://evil.example/"><button>b</button></form>',
  'names of properties': '<img name="body"><form id="document"><input name="__proto__"></form>',
  'beginning of a script in a script': '<!--<script>',
  entities: '&lt;script&gt;acted=1&lt;/script&gt;&#x3c;script>',
  'a style': '<style>body{background:url(https://evil.example/x.png)}</style>',
};

const groups: Grouped = { canary: ['c1'], prod: ['c2', 'c3'] };
const strategy = { type: 'ProgressivePerGroup', progressivePerGroup: { minSuccessTime: '90s' } } as const;
const predicted = predictText(text(...fleet(groups), grouped(groups), addOn({ pl: strategy }), config()), {
  update: text(addOn({ pl: strategy }, 'settings-2'), config('settings-2', '2')),
  failing: ['c2'],
});

/** A rollout in which every name and message ends in this text. */
function hostileRollout(hostile: string): Pick<PredictedRollout, 'install' | 'update'> {
  return spoiled({ install: predicted.install, update: predicted.update }) as PredictedRollout;

  function spoiled(value: unknown, key = ''): unknown {
    if (typeof value === 'string') return key === 'cause' || key === 'reason' ? value : value + hostile;
    if (value instanceof Map)
      return new Map([...value].map(([name, field]) => [`${String(name)}${hostile}`, spoiled(field)]));
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => spoiled(item, key));
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, spoiled(field, name)]));
  }
}

/** The elements of a page by their names, with the attributes that run or load something. */
async function actingParts(page: Page): Promise<unknown> {
  return await page.evaluate(() => {
    const elements = [...document.querySelectorAll('*')];
    const attributes = elements.flatMap((element) =>
      element
        .getAttributeNames()
        .filter(
          (name) =>
            name.startsWith('on') || ['src', 'srcdoc', 'href', 'action', 'data', 'formaction'].includes(name),
        ),
    );
    const names = new Set(elements.map(({ localName }) => localName));
    return {
      attributes,
      foreign: ['iframe', 'object', 'embed', 'img', 'base', 'form', 'link', 'svg'].filter((name) =>
        names.has(name),
      ),
      scripts: document.scripts.length,
      styles: document.querySelectorAll('style').length,
    };
  });
}

async function openAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
}

async function acted(page: Page): Promise<boolean> {
  return await page.evaluate(() => 'acted' in globalThis);
}

/** Whether the policy of the page keeps a script from running that got into it. */
async function keepsScriptsOut(page: Page): Promise<boolean> {
  return await page.evaluate(async () => {
    const violation = new Promise<boolean>((resolve) => {
      document.addEventListener('securitypolicyviolation', () => resolve(true));
      setTimeout(() => resolve(false), 2000);
    });
    const script = document.createElement('script');
    script.textContent = 'globalThis.intruded = true';
    document.body.append(script);
    return (await violation) && !('intruded' in globalThis);
  });
}

describe.each(Object.entries(texts))('a text with %s', (_name, hostile) => {
  test('is only text in the page of a plan', async () => {
    const { page, complaints } = await browser.open(planHtml(readableReport(hostileReport(hostile))));
    expect(await actingParts(page)).toEqual(harmlessPlan);
    await page.getByRole('rowheader').first().click();
    expect(await page.getByRole('dialog').getByRole('heading', { level: 2 }).textContent()).toBe(
      terminalLine(`c4${hostile}`),
    );
    await page.keyboard.press('Escape');
    await openAll(page);
    expect(await actingParts(page)).toEqual(harmlessPlan);
    expect(await acted(page)).toBe(false);
    expect(complaints).toEqual([]);
    expect(await keepsScriptsOut(page)).toBe(true);
    await page.context().close();
  });

  test('is only text in the page of a rollout', async () => {
    const { page, complaints } = await browser.open(rolloutHtml([hostileRollout(hostile)]));
    expect(await page.locator('.rollout h2').allTextContents()).toEqual(
      ['installation', 'update'].map((stage) => terminalLine(`agent${hostile}: ${stage}`)),
    );
    await page.getByRole('rowheader').first().click();
    expect(await page.getByRole('dialog').getByRole('heading', { level: 2 }).textContent()).toBe(
      terminalLine(`c1${hostile}`),
    );
    await page.keyboard.press('Escape');
    await openAll(page);
    expect(await actingParts(page)).toEqual(harmlessRollout);
    expect(await acted(page)).toBe(false);
    expect(complaints).toEqual([]);
    expect(await keepsScriptsOut(page)).toBe(true);
    await page.context().close();
  });
});
