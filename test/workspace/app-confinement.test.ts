import { createServer } from 'node:net';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { AppRunner } from '../../src/workspace/app/app-runner.ts';
import { largestAnswer } from '../../src/workspace/app/message.ts';
import { readAnswer } from '../../src/workspace/app/read-answer.ts';
import { runProgram } from '../linked-repository.ts';
import { folderWith, runIn, type Ran } from '../cli/terminal.ts';

const root = path.resolve(import.meta.dirname, '../..');
const app = (lines: string): string => `import { App } from 'cdk8s';
const app = new App();
${lines}
export default app;
`;

async function workspace(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await folderWith({ 'package.json': '{ "type": "module" }', ...files }));
  const modules = path.join(folder, 'node_modules');
  await mkdir(modules);
  await symlink(root, path.join(modules, 'fleetwright'));
  for (const name of ['cdk8s', 'constructs'])
    await symlink(path.join(root, 'node_modules', name), path.join(modules, name));
  return folder;
}

/** The first line of each diagnostic, with its place. */
function findings({ err }: Ran): readonly string[] {
  return err
    .split('\n')
    .filter((line) => /^(?:error|warning) FW| --> /.test(line))
    .map((line) => line.trim());
}

describe('an app may', () => {
  test('read files of their repository, including other folders, and installed packages', async () => {
    const folder = await workspace({
      '.git/HEAD': '',
      'fleet/apps/reads/app.ts': app(`import { readFileSync } from 'node:fs';
import { level } from '../../../shared/level.ts';
import settings from '../../../shared/settings.json' with { type: 'json' };
const beside = readFileSync(new URL('value.txt', import.meta.url), 'utf8');
const below = readFileSync(import.meta.dirname + '/../../../shared/value.txt', 'utf8');
const inWorkingFolder = readFileSync('value.txt', 'utf8');
console.log(level, settings.name, beside, below, inWorkingFolder);`),
      'shared/settings.json': '{ "name": "settings" }',
      'fleet/apps/reads/value.txt': 'beside',
      'fleet/value.txt': 'here',
      'shared/level.ts': 'enum Level { Low = 7 }\nexport const level = Level.Low;\n',
      'shared/value.txt': 'below',
    });
    const { code, err } = await runIn(path.join(folder, 'fleet'), ['synth']);
    expect({ code, err }).toEqual({
      code: 0,
      err: 'apps/reads/app.ts | 7 settings beside below here\n',
    });
  });

  test('read the target of a link in their repository', async () => {
    const folder = await workspace({
      '.git/HEAD': '',
      'apps/linked/app.ts': app(`import { readFileSync } from 'node:fs';
console.log(readFileSync('apps/linked/link', 'utf8'));`),
      'shared/value.txt': 'shared',
    });
    await symlink('../../shared/value.txt', path.join(folder, 'apps/linked/link'));
    expect(await runIn(folder, ['synth'])).toMatchObject({ code: 0, err: 'apps/linked/app.ts | shared\n' });
  });

  test('be JavaScript, in ES modules and in CommonJS', async () => {
    const folder = await workspace({
      'apps/common/app.js': `const { App } = require('cdk8s');
const { level } = require('./level.js');
console.log(level, __dirname.endsWith('common'), __filename.endsWith('app.js'));
module.exports = new App();
`,
      'apps/common/level.js': 'exports.level = 1;\n',
      'apps/common/package.json': '{ "type": "commonjs" }',
      'apps/module/app.js': app('console.log(import.meta.filename.endsWith("app.js"));'),
    });
    expect(await runIn(folder, ['synth'])).toMatchObject({
      code: 0,
      err: 'apps/common/app.js | 1 true true\napps/module/app.js | true\n',
    });
  });
});

/** What an app may not do, as lines that catch what Node throws, and the finding. */
const attempts: readonly (readonly [string, string, string])[] = [
  ['write a file', `writeFileSync('written', '')`, 'it writes written'],
  ['write a file later', `await fs.promises.writeFile('written', '')`, 'it writes written'],
  ['delete a file', `rmSync('package.json')`, 'it writes package.json'],
  ['make a link', `fs.symlinkSync('/etc/hostname', 'link')`, 'it uses something else: '],
  ['read a file elsewhere', `readFileSync('/etc/hostname')`, 'it reads /etc/hostname'],
  ['read the environment of the command', 'readFileSync(`/proc/${process.ppid}/environ`)', 'it reads /proc/'],
  ['read credentials', `readFileSync('.npmrc')`, 'it reads .npmrc'],
  ['read the credentials of Git', `readFileSync('.git/config')`, 'it reads .git/config'],
  ['read through a link that leads out', `readFileSync('apps/evil/link')`, 'it reads apps/evil/link'],
  ['start a process', `execFileSync('id')`, 'it starts the process id'],
  ['start a shell', `childProcess.execSync('id')`, 'it starts the process'],
  ['start a worker thread', `new Worker('0', { eval: true })`, 'it starts a worker thread'],
  ['end the command', `process.kill(process.ppid, 'SIGKILL')`, 'it sends a signal to process'],
  [
    'open the debugger of the command',
    `process.kill(process.ppid, 'SIGUSR1')`,
    'it sends a signal to process',
  ],
  ['open a connection', `net.connect(PORT, '127.0.0.1')`, 'it uses the network: 127.0.0.1:PORT'],
  ['fetch', `await fetch('http://127.0.0.1:PORT')`, 'it uses the network: 127.0.0.1:PORT'],
  ['ask a name server', `await dns.promises.resolve('example.com')`, 'it uses the network: example.com'],
  ['listen', `net.createServer().listen(0)`, 'it uses the network: 0'],
];

describe('an app may not', () => {
  test.each(attempts)('%s, and the report mentions it', async (_what, attempt, finding) => {
    const server = createServer();
    let connections = 0;
    server.on('connection', (socket) => {
      connections += 1;
      socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const folder = await workspace({
      '.git/config': 'token',
      '.npmrc': 'token',
      'apps/evil/app.ts': app(`import fs, { readFileSync, rmSync, writeFileSync } from 'node:fs';
import childProcess, { execFileSync } from 'node:child_process';
import dns from 'node:dns';
import net from 'node:net';
import { Worker } from 'node:worker_threads';
try { ${attempt.replaceAll('PORT', port)}; console.log('done'); } catch {}
void [fs, readFileSync, rmSync, writeFileSync, childProcess, execFileSync, dns, net, Worker];`),
    });
    await symlink('/etc/hostname', path.join(folder, 'apps/evil/link'));
    const ran = await runIn(folder, ['synth']);
    server.close();
    expect(findings(ran)).toEqual([
      expect.stringContaining(
        `warning FW9030: the app tried something that apps may not do: ${finding.replaceAll('PORT', port)}`,
      ),
      // What fails much later is not known to be of a line.
      expect.stringMatching(/^--> apps\/evil\/app\.ts:(?:8|1):/),
    ]);
    expect(ran).toMatchObject({ code: 0, err: expect.not.stringContaining('| done') as string });
    expect({ connections, written: existsSync(path.join(folder, 'written')) }).toEqual({
      connections: 0,
      written: false,
    });
    expect(existsSync(path.join(folder, 'package.json'))).toBe(true);
  });

  test('do so without a catch: then they fail there, with the remedy', async () => {
    const folder = await workspace({
      'apps/evil/app.ts': app(`import { writeFileSync } from 'node:fs';\nwriteFileSync('written', '');`),
    });
    expect(await runIn(folder, ['synth'])).toEqual({
      code: 1,
      out: '',
      err: `error FW9001: the app failed: it writes written
 --> apps/evil/app.ts:4:1
  |
4 | writeFileSync('written', '');
  | ^
  = hint: leave it out, or name the app under apps.unconfined in fleetwright.yaml

1 error
`,
    });
  });

  test('change the exit code, the reports or the policy', async () => {
    const folder = await workspace({
      'fleetwright.yaml': 'policies:\n  none: { expression: "false", message: nothing passes }\n',
      'apps/evil/app.ts': `import { ApiObject, App, Chart } from 'fleetwright';
const app = new App();
const chart = new Chart(app, 'chart');
new ApiObject(chart, 'hello', {
  apiVersion: 'addon.open-cluster-management.io/v1alpha1',
  kind: 'ManagedClusterAddOn',
  metadata: { name: 'hello', namespace: 'c1' },
  spec: {},
});
process.exitCode = 0;
process.on('exit', () => { process.exitCode = 0; });
Array.prototype.some = () => false;
Object.defineProperty(Object.prototype, 'severity', { get: () => 'info', configurable: true });
process.stdout.write = process.stderr.write = () => true;
export default app;
`,
      'apps/evil/fleet.yaml': `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: c1 }
spec: { hubAcceptsClient: true }
`,
      'apps/evil/hub.yaml': `apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello }
spec: {}
`,
    });
    const { code, err } = await runIn(folder, ['synth']);
    expect(code).toBe(1);
    expect(err).toContain('error FW7301: nothing passes');
  });

  test('reach the other revision of a plan', async () => {
    const one = app(`Reflect.set(globalThis, 'seen', (Reflect.get(globalThis, 'seen') ?? 0) + 1);
console.log(Reflect.get(globalThis, 'seen'), performance.timeOrigin, process.cwd());`);
    const folder = await workspace({});
    for (const state of ['old', 'new']) {
      await mkdir(path.join(folder, state, 'apps/one'), { recursive: true });
      await writeFile(path.join(folder, state, 'apps/one/app.ts'), one);
    }
    const { err } = await runIn(folder, ['plan', 'old', 'new']);
    const printed = [...err.matchAll(/\| (\d+) ([\d.]+) (\S+)/g)].map(([, seen, start, cwd]) => ({
      seen,
      start,
      cwd,
    }));
    expect(printed.map(({ seen, cwd }) => [seen, path.relative(folder, cwd ?? '')])).toEqual([
      ['1', 'old'],
      ['1', 'new'],
    ]);
    expect(new Set(printed.map(({ start }) => start)).size).toBe(2);
  });

  test('import a file from outside', async () => {
    const folder = await workspace({ 'apps/evil/app.ts': app('import "/etc/passwd";') });
    await writeFile(path.join(path.dirname(folder), 'secret.json'), '{"secret":"secret"}');
    await writeFile(
      path.join(folder, 'apps/evil/app.ts'),
      app('import secret from "../../../secret.json";\nconsole.log(secret);'),
    );
    const { code, err } = await runIn(folder, ['synth']);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^error FW9001: the app cannot be read: it imports \S+secret\.json, which is outside/,
    );
    expect(err).not.toContain('"secret":"secret"');
  });

  test('have lines of other files shown as the place of its objects', async () => {
    const folder = await workspace({
      'apps/evil/app.ts': app(`import { Chart } from 'cdk8s';
const chart = new Chart(app, 'chart');
chart.node.addValidation({ validate: () => ['wrong'] });
Object.defineProperty(chart, Symbol.for('fleetwright.constructs.trace'), {
  value: { holder: { stack: 'Error\\n    at new X (file:///etc/hostname:1:1)' }, own: 0 },
});`),
    });
    const { code, err } = await runIn(folder, ['synth']);
    expect(code).toBe(1);
    expect(err).toContain('error FW9003: wrong\n --> chart\n');
    expect(err).not.toContain((await readFile('/etc/hostname', 'utf8')).trim());
  });

  test('read the environment, and a missing variable that the command has is reported', async () => {
    const folder = await workspace({
      'apps/env/app.ts': app(`console.log(JSON.stringify(process.env), process.execArgv.length > 0);
const token = process.env.DEPLOY_TOKEN ?? process.env.NOT_SET;
console.log(token, new Date(0).getTimezoneOffset());`),
    });
    const { code, err } = runProgram(
      folder,
      process.execPath,
      [path.join(root, 'build/cli/main.js'), 'synth'],
      {
        DEPLOY_TOKEN: 'secret',
        NODE_OPTIONS: '--no-warnings',
        TZ: 'Asia/Tokyo',
      },
    );
    expect({ code, err }).toEqual({
      code: 0,
      err: `apps/env/app.ts | {"TZ":"UTC"} true
apps/env/app.ts | undefined 0
warning FW9031: the app reads the environment variable DEPLOY_TOKEN, which apps cannot read
 --> apps/env/app.ts:4:27
  |
4 | const token = process.env.DEPLOY_TOKEN ?? process.env.NOT_SET;
  |                           ^
  = hint: write the value into the app or into a file of the repository

1 warning
`,
    });
  });
});

describe('an app that fleetwright.yaml names under apps.unconfined', () => {
  const files = {
    'apps/free/app.ts': app(`import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
writeFileSync('written', execFileSync('echo', [process.env.HOME ?? '']));`),
    'fleetwright.yaml': 'apps: { unconfined: [free] }\n',
  };

  test('have the permissions of the user, and no other app has', async () => {
    const folder = await workspace({
      ...files,
      'apps/other/app.ts': app(`import { existsSync, writeFileSync } from 'node:fs';
try { writeFileSync('apps/other/made', ''); } catch {}
console.log(existsSync('apps/other/made'));`),
    });
    const ran = await runIn(folder, ['synth']);
    expect(ran.code).toBe(0);
    expect(await readFile(path.join(folder, 'written'), 'utf8')).toBe(`${process.env['HOME'] ?? ''}\n`);
    expect(ran.err).toContain('apps/other/app.ts | false\n');
    expect(findings(ran)[0]).toContain('FW9030');
  });

  test('is confined in the plan of the change that names it', async () => {
    const below = (folder: string, names: readonly (keyof typeof files)[]): Record<string, string> =>
      Object.fromEntries(names.map((name) => [`${folder}/${name}`, files[name]]));
    const folder = await workspace({
      ...below('old', ['apps/free/app.ts']),
      ...below('new', ['apps/free/app.ts', 'fleetwright.yaml']),
      'old/apps/free/app.ts': app(''),
    });
    const { code, err } = await runIn(folder, ['plan', 'old', 'new']);
    expect(code).toBe(1);
    expect(err).toContain('FW9001: the app failed: it starts the process echo');
    expect(existsSync(path.join(folder, 'new/written'))).toBe(false);
    await runIn(folder, ['plan', 'new', 'new']);
    expect(existsSync(path.join(folder, 'new/written'))).toBe(true);
  });
});

describe('the limits of an app', () => {
  test('are a time', async () => {
    const folder = await workspace({ 'apps/slow/app.ts': app('for (;;);') });
    const runner = new AppRunner({ cwd: folder, timeout: 3_000 });
    const { answer } = await runner.run(path.join(folder, 'apps/slow/app.ts'));
    await runner.end();
    expect(answer).toMatchObject({ limit: 'time', message: 'it runs for more than 3 s' });
  });

  test('have a limit, also for their output', async () => {
    const folder = await workspace({
      'apps/large/app.ts': app(`import { writeSync } from 'node:fs';
const length = Buffer.alloc(4);
length.writeUInt32LE(${largestAnswer + 1});
for (let count = 0; count < 50; count++) writeSync(1, 'x'.repeat(100_000));
writeSync(3, length);`),
      'apps/loud/app.ts': app('for (let line = 0; line < 1000; line++) console.log(line);'),
    });
    const large = await runIn(folder, ['synth', 'large']);
    expect(findings(large)).toEqual([
      'error FW9032: the app was stopped: its objects have more than 256 MiB as JSON',
      '--> apps/large/app.ts:1:1',
    ]);
    const loud = await runIn(folder, ['synth', 'loud']);
    expect(loud.err).toContain('apps/loud/app.ts | 199\napps/loud/app.ts | (800 more lines)\n');
  });

  test('have no limit in the pace at which their output is read', async () => {
    const folder = await workspace({
      'apps/loud/app.ts': app('for (let line = 0; line < 2000; line++) console.log(line);'),
    });
    const runner = new AppRunner({ cwd: folder });
    const busy = setInterval(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300), 1);
    const { printed } = await runner.run(path.join(folder, 'apps/loud/app.ts'));
    clearInterval(busy);
    await runner.end();
    expect(printed.split('\n')).toEqual([...Array.from({ length: 2_000 }, (_, line) => String(line)), '']);
  });

  test.each([
    'nothing',
    'null',
    '[]',
    '{}',
    '{"objects":{},"errors":[],"denied":[],"variables":[]}',
    '{"objects":[null],"errors":[],"denied":[],"variables":[]}',
    '{"objects":[{"object":{},"construct":1}],"errors":[],"denied":[],"variables":[]}',
    '{"objects":[{"object":{},"construct":"a","integers":[["__proto__","x"]]}],"errors":[],"denied":[],"variables":[]}',
    '{"objects":[{"object":{"a":"x"},"construct":"a","integers":[["a"]]}],"errors":[],"denied":[],"variables":[]}',
    '{"objects":[{"object":{},"construct":"a","source":{"file":"a","line":-1,"column":0}}],"errors":[],"denied":[],"variables":[]}',
    '{"objects":[],"errors":[],"failure":{"message":{}},"denied":[],"variables":[]}',
  ])('are the form of its answer: %s', (text) => {
    expect(() => readAnswer(text)).toThrow(/another form|JSON|BigInt/);
  });
});
