// Takes the pictures in docs/: the page of a plan, light and dark, from a repository with real history.
// Run with: npm run screenshots
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { GitRepository } from '../e2e/repository.ts';
import { addOn, config, installed, placement, template } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';
import { ReportBrowser } from './browser.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/images');

const clusters = Object.fromEntries(
  ['eu', 'us', 'ap'].flatMap((region) =>
    ['prod', 'stage', 'dev'].flatMap((env) =>
      Array.from({ length: 4 }, (_, index) => [`${env}-${region}-${index + 1}`, { env, region }]),
    ),
  ),
);

const paced = '{ type: Progressive, progressive: { maxConcurrency: 4, minSuccessTime: 10m } }';
const app =
  addOn(installed('stage', undefined, paced) + installed('prod', 'prod', paced)) +
  placement('stage', '{ matchExpressions: [{ key: env, operator: In, values: [prod, stage] }] }') +
  placement('prod', '{ matchLabels: { env: prod } }') +
  config('base', 'info') +
  config('prod', 'warn') +
  template('t1', '{ level: "{{LEVEL}}" }');

const apps = ['certificates', 'logging', 'metrics', 'policies'];
const named = (name: string, text: string): [string, string] => [
  `apps/${name}/hub.yaml`,
  text.replaceAll('name: hello', `name: ${name}`).replaceAll('addonName: hello', `addonName: ${name}`),
];
const fleets = (labels: typeof clusters): [string, string][] =>
  apps.map((name) => [`apps/${name}/fleet.yaml`, fleetOf(labels)]);

const repository = new GitRepository();
const browser = await ReportBrowser.start();
try {
  const start = repository.commit(
    'start',
    Object.fromEntries([...fleets(clusters), ...apps.map((name) => named(name, app))]),
  );
  repository.branch('feature', start);
  repository.commit(
    'feature',
    Object.fromEntries([
      ...fleets({
        ...clusters,
        'stage-us-2': { env: 'dev', region: 'us' },
        'prod-eu-5': { env: 'prod', region: 'eu' },
      }),
      named('logging', app.replace('"warn"', '"debug"')),
      named(
        'metrics',
        app.replace('defaultConfig: { name: t1 }', 'defaultConfig: { name: t2 }') +
          template('t2', '{ level: "{{LEVEL}}", format: json }'),
      ),
    ]),
  );
  const { out } = await repository.fleetwright(['plan', 'main..feature', '--by', 'env', '-o', 'html']);
  mkdirSync(folder, { recursive: true });
  const viewport = { width: 1180, height: 760 };
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await browser.open(out, { colorScheme, viewport });
    await page.screenshot({ path: path.join(folder, `plan-${colorScheme}.png`) });
    if (colorScheme === 'light') continue;
    await page.getByRole('gridcell', { name: 'changed' }).first().click();
    await page.screenshot({ path: path.join(folder, 'plan-cell.png') });
    await page.keyboard.press('Escape');
    await page.getByRole('group', { name: 'Waves' }).scrollIntoViewIfNeeded();
    await page.screenshot({ path: path.join(folder, 'plan-waves.png') });
  }
} finally {
  await browser.stop();
  repository.remove();
}
