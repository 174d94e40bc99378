// Measures how fast the HTML page of a plan is, in Chromium from a file: its size, the time from opening it until it
// has loaded, and the times until a search, a filter and a key have changed the page. The median of five openings.
// Run with: node --import tsx bench/plan-page.ts
import { planHtml } from '../src/compiler/report/html/plan-html.ts';
import { ReportBrowser } from '../test/browser/browser.ts';
import { fleetReport } from '../test/compiler/report/eventful.ts';

const sizes = [
  [200, 20],
  [2000, 20],
  [10_000, 20],
] as const;
const openings = 5;

/** Runs in the page. Returns milliseconds until the page shows the result of an action, including its layout. */
const timed = (action: string): string =>
  `(() => { const start = performance.now(); ${action}; document.body.offsetHeight; return performance.now() - start; })()`;

const actions = {
  loaded: 'performance.timing.loadEventEnd - performance.timing.navigationStart',
  search: timed(
    "const field = document.querySelector('#search'); field.value = '99'; field.dispatchEvent(new Event('input'))",
  ),
  filter: timed("document.querySelector('[type=radio][value=moved]').click()"),
  key: timed(
    "document.querySelector('#matrix').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' }))",
  ),
} as const;

const browser = await ReportBrowser.start();
process.stdout.write(`clusters  add-ons  size (kB)  made  ${Object.keys(actions).join('  ')} (ms)\n`);
for (const [clusters, addOns] of sizes) {
  const report = fleetReport(clusters, addOns);
  const start = performance.now();
  const html = planHtml(report);
  const made = performance.now() - start;
  const times: number[][] = [];
  for (let opening = 0; opening < openings; opening++) {
    const { page } = await browser.open(html);
    const laps: number[] = [];
    for (const action of Object.values(actions)) laps.push(await page.evaluate<number>(action));
    times.push(laps);
    await page.close();
  }
  const medians = Object.keys(actions).map(
    (_name, index) => times.map((laps) => laps[index] ?? 0).sort((a, b) => a - b)[openings >> 1] ?? 0,
  );
  const figures = [made, ...medians].map((time) => time.toFixed(0));
  process.stdout.write(`${[clusters, addOns, (html.length / 1000).toFixed(0), ...figures].join('  ')}\n`);
}
await browser.stop();
