import { realpath, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AppProcess } from '../../src/workspace/app/app-process.ts';
import { folderWith, runIn, type Ran } from '../cli/terminal.ts';

const root = path.resolve(import.meta.dirname, '../..');
const first = `import { App } from 'cdk8s';
const app = new App();
`;

/** Compiles apps with these lines in the middle in a separate process. */
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
  return await runIn(await realpath(folder), commandLine);
}

test("an app's change to the process around it is an error of the app, at its line", async () => {
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
    'error FW9001: the app failed: it waits for something that never happens',
    ' --> apps/never/app.ts:1:1',
    "error FW9001: the app failed: Cannot find package 'no-such-package' imported from apps/package/app.ts",
    ' --> apps/package/app.ts:1:1',
    '  = hint: correct the name, or install the package with npm',
    'error FW9001: the app failed: an object without a text',
    ' --> apps/throws/app.ts:1:1',
  ]);
});

test('an app neither delays a command nor appears in its results, and each line that it prints begins with its name', async () => {
  const { code, out, err } = await run(
    {
      loud: `setInterval(() => {}, 1000);
console.log('hello');
process.stdout.write('::error file=x::forged\\nerror FW1001: forged\\n');
console.error('\\u001b[2J\\u202e##[error]forged');`,
    },
    ['resolve', 'apps/loud', '-o', 'json'],
  );
  expect({ code, err }).toEqual({
    code: 0,
    err: `apps/loud/app.ts | hello
apps/loud/app.ts | ::error file=x::forged
apps/loud/app.ts | error FW1001: forged
apps/loud/app.ts | \\u001b[2J\\u202e##\\[error]forged
`,
  });
  expect(JSON.parse(out)).toEqual({ apiVersion: 'v1', kind: 'List', items: [] });
});

test('an app that fails after it was read does not matter', async () => {
  const { code, err } = await run(
    {
      late: 'setImmediate(() => setImmediate(() => { throw new Error("late"); }));\nfor (const end = Date.now() + 50; Date.now() < end;);',
      later: 'await new Promise((done) => setTimeout(done, 100));',
    },
    ['synth'],
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

test('an app that ends its process is an error of this app alone', async () => {
  const { code, err } = await run(
    { a: '', abort: 'process.abort();', fine: '', memory: 'process.reallyExit(0);' },
    ['synth'],
  );
  expect(code).toBe(1);
  expect(err.split('\n').filter((line) => /^error| --> /.test(line))).toEqual([
    'error FW9001: the app was stopped: its process ended with signal SIGABRT',
    ' --> apps/abort/app.ts:1:1',
    'error FW9001: the app was stopped: its process ended with code 0',
    ' --> apps/memory/app.ts:1:1',
  ]);
});

test('an app that prints its stack shows its own lines', async () => {
  const { err } = await run({ stack: 'console.log(new Error("here").stack?.split("\\n")[1]);' }, ['synth']);
  expect(err).toBe('apps/stack/app.ts |     at apps/stack/app.ts:3:13\n');
});

test('a value that JSON cannot represent is reported, and large integers are preserved', async () => {
  const object = (fields: string): string => `import { ApiObject, Chart } from 'cdk8s';
const chart = new Chart(app, 'chart');
const metadata = { name: 'x', namespace: 'default' };
Object.assign(new ApiObject(chart, 'x', { apiVersion: 'v1', kind: 'ConfigMap', metadata }), {
  toJson: () => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, ${fields} }),
});`;
  const { code, out, err } = await run({ big: object('data: [{ count: 9007199254740993n }]') }, [
    'resolve',
    'apps/big',
    '-o',
    'yaml',
  ]);
  expect({ code, err, out }).toMatchObject({ code: 0, err: '' });
  const odd = await run({ odd: object('data: [NaN, new Map(), undefined]') }, ['synth']);
  expect(odd.err.split('\n').filter((line) => line.startsWith('error'))).toEqual([
    'error FW1009: JSON cannot represent the number NaN',
    'error FW1009: JSON cannot represent a Map',
    'error FW1009: JSON cannot represent undefined',
  ]);
});

test.each([0, 20, 100])(
  'a process that is ended %i ms after its start ends even if its sandbox dies before it',
  async (delay) => {
    // Such is bubblewrap before it has asked the kernel to end its child with it. The process in it then keeps the pipes open.
    const confine = (command: readonly string[]): { program: string; parameters: readonly string[] } => ({
      program: '/bin/sh',
      parameters: ['-c', '"$@" & wait', 'sh', ...command],
    });
    const started = new AppProcess({ cwd: root, confine, timeout: 60_000, print: () => {} });
    await new Promise((resolve) => setTimeout(resolve, delay));
    await started.end();
    expect(started.isAlive).toBe(false);
  },
);
