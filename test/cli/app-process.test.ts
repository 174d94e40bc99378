import { realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, spawnIn, type Ran } from './terminal.ts';

const root = path.resolve(import.meta.dirname, '../..');
const first = `import { App } from 'cdk8s';
const app = new App();
`;

/** Compiles apps with these lines in the middle in a process of its own. */
async function run(apps: Readonly<Record<string, string>>, commandLine: readonly string[]): Promise<Ran> {
  const folder = await folderWith({
    'package.json': '{ "type": "module" }',
    ...Object.fromEntries(
      Object.entries(apps).map(([name, lines]) => [
        `apps/${name}/app.ts`,
        `${first}${lines}\nexport default app;\n`,
      ]),
    ),
  });
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return await spawnIn(await realpath(folder), commandLine);
}

test('what an app does to the process around it is an error of the app, at its line', async () => {
  const { code, out, err } = await run(
    {
      ends: 'process.exit(0);',
      endsInTry: 'try { process.exit(); } catch {}',
      fails: 'void Promise.reject(new Error("gone"));\nawait new Promise((done) => setTimeout(done, 1000));',
      never: 'await new Promise(() => {});',
      package: 'await import("no-such-package");',
      throws: 'throw Object.create(null);',
    },
    ['synth'],
  );
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err.split('\n').filter((line) => /^error| --> |hint/.test(line))).toEqual([
    'error FW9001: the app failed: it calls process.exit(0)',
    ' --> apps/ends/app.ts:3:9',
    'error FW9001: the app failed: it calls process.exit()',
    ' --> apps/endsInTry/app.ts:3:15',
    'error FW9001: the app failed: gone',
    ' --> apps/fails/app.ts:3:21',
    'error FW9001: the app failed: it waits for something that never comes',
    ' --> apps/never/app.ts:1:1',
    "error FW9001: the app failed: Cannot find package 'no-such-package' imported from apps/package/app.ts",
    ' --> apps/package/app.ts:1:1',
    '  = hint: correct the name, or install the package with npm',
    'error FW9001: the app failed: an object without a text',
    ' --> apps/throws/app.ts:1:1',
  ]);
});

test('an app neither holds up a command nor stands in its results', async () => {
  const { code, out, err } = await run(
    { loud: 'setInterval(() => {}, 1000);\nconsole.log("hello");\nprocess.stdout.write("there\\n");' },
    ['resolve', 'apps/loud', '-o', 'json'],
  );
  expect({ code, err }).toEqual({ code: 0, err: 'hello\nthere\n' });
  expect(JSON.parse(out)).toEqual({ apiVersion: 'v1', kind: 'List', items: [] });
});

test('an app that fails after it was read ends the command, in a sentence', async () => {
  const { code, out, err } = await run(
    {
      late: 'setImmediate(() => setImmediate(() => { throw new Error("late"); }));\nfor (const end = Date.now() + 50; Date.now() < end;);',
    },
    ['synth'],
  );
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(
    /^fleetwright: something failed that nobody expected: late\n {2}at .*app\.ts:3:\d+\)?\n$/,
  );
});
