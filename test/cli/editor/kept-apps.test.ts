import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { KeptApps } from '../../../src/cli/editor/kept-apps.ts';
import { type AppResult, runApp } from '../../../src/workspace/app/run-app.ts';
import { folderWith } from '../terminal.ts';

const file = 'apps/hello/app.ts';
/** Never ends while there is a file beside it. */
const app = `import { existsSync } from 'node:fs';
import { App } from 'cdk8s';
while (existsSync(new URL('busy', import.meta.url)));
export default new App();
`;
const stopped = (message: string, code: string): object => ({
  code,
  severity: 'error',
  message: `the app was stopped: ${message}`,
  location: { file, line: 1, column: 1 },
  hint: 'the app runs again with the first edit after 60 s',
});

let time = 0;
let apps = new KeptApps(() => time);
afterEach(async () => {
  await apps.end();
  apps = new KeptApps(() => time);
});

function addTo(runners: KeptApps, folder: string): void {
  runners.add({ cwd: folder, unconfined: ['hello'], timeout: 4_000 });
}

/** Returns a workspace with an app, and what runs it. */
async function keptApp(code: string): Promise<{ folder: string; run: () => Promise<AppResult> }> {
  const folder = realpathSync(await folderWith({ 'package.json': '{ "type": "module" }', [file]: code }));
  mkdirSync(path.join(folder, '.git'));
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  addTo(apps, folder);
  return { folder, run: async () => await runApp(file, folder, await apps.in(folder), {}) };
}

test('an app that ran for too long runs again after a pause, and its finding says so', async () => {
  const { folder, run } = await keptApp(app);
  const busy = path.join(folder, 'apps/hello/busy');
  writeFileSync(busy, '');
  expect((await run()).diagnostics).toEqual([stopped('it runs for more than 4 s', 'FW9032')]);
  rmSync(busy);
  time += 59_999;
  expect((await run()).diagnostics).toEqual([stopped('it runs for more than 4 s', 'FW9032')]);
  time += 1;
  expect((await run()).diagnostics).toEqual([]);
  expect(await apps.nextRun()).toBe(undefined);
});

test('an app whose process was ended runs again after a pause', async () => {
  const { folder, run } = await keptApp(app.replace('while (', 'if (').replace(');', ') process.abort();'));
  const busy = path.join(folder, 'apps/hello/busy');
  writeFileSync(busy, '');
  expect((await run()).diagnostics).toEqual([stopped('its process ended with signal SIGABRT', 'FW9001')]);
  expect(await apps.nextRun()).toBe(time + 60_000);
  rmSync(busy);
  time += 60_000;
  expect((await run()).diagnostics).toEqual([]);
});

test('an app that fails on its own runs again when its files change', async () => {
  const { folder, run } = await keptApp("throw new Error('wrong');\n");
  const wrong = [{ code: 'FW9001', message: 'the app failed: wrong' }];
  expect((await run()).diagnostics).toMatchObject(wrong);
  writeFileSync(path.join(folder, file), app);
  time += 3_600_000;
  expect((await run()).diagnostics).toMatchObject(wrong);
  await apps.forget();
  addTo(apps, folder);
  expect((await run()).diagnostics).toEqual([]);
});
