import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppRunner } from '../../src/workspace/app/app-runner.ts';
import { readablePaths } from '../../src/workspace/app/readable-paths.ts';
import { closeInherited, findSandbox, inSandbox, sandboxPath } from '../../src/workspace/app/sandbox.ts';
import { sandboxView } from '../../src/workspace/app/sandbox-view.ts';
import { escapes } from './escapes.ts';
import { callProgram, mostThreads, sessionKey, sharedMemory, systemCalls } from './system-calls.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const kinds = ['bubblewrap', 'unshare'] as const;
let folder: string;
let root: string;
/** A folder at the top of the machine that has no other readable folder in it. */
let elsewhere: string;
let victim: ChildProcess;
const reached = new Set<string>();
const servers: (net.Server | dgram.Socket)[] = [];
let at: Record<string, unknown>;

const outside = (name: string): string => path.join(folder, 'outside', name);

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-escapes-')));
  root = path.join(folder, 'repository');
  const files: Readonly<Record<string, string>> = {
    'outside/secret': 'SECRET',
    'outside/secret.json': '{ "secret": "SECRET" }',
    'outside/secret.mjs': "export default 'SECRET';",
    'repository/package.json': '{ "type": "module" }',
    'repository/.git/config': 'TOKEN',
    'repository/.env': 'TOKEN',
    'repository/node_modules/real/package.json': '{ "name": "real" }',
    'repository/node_modules/real/index.js': '',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  for (const name of ['apps/evil/node_modules', 'node_modules/@s'])
    mkdirSync(path.join(root, name), { recursive: true });
  for (const name of [
    'apps/evil/node_modules/o',
    'node_modules/o',
    'node_modules/@s/o',
    'node_modules/real/o',
  ])
    symlinkSync(path.join(folder, 'outside'), path.join(root, name));
  symlinkSync(outside('secret'), path.join(root, 'apps/evil/link'));
  const here = path.resolve(import.meta.dirname, '../..');
  symlinkSync(here, path.join(root, 'node_modules/fleetwright'));
  for (const name of ['cdk8s', 'constructs'])
    symlinkSync(path.join(here, 'node_modules', name), path.join(root, 'node_modules', name));
  // A package that is developed elsewhere: then the common beginning of all readable paths is the root folder of the machine.
  elsewhere = mkdtempSync('/var/tmp/fleetwright-escapes-');
  writeFileSync(path.join(elsewhere, 'package.json'), '{ "name": "elsewhere" }');
  symlinkSync(elsewhere, path.join(root, 'node_modules/elsewhere'));
  // As native code that a request commits.
  copyFileSync('/usr/bin/perl', path.join(root, 'apps/evil/native'));
  chmodSync(path.join(root, 'apps/evil/native'), 0o755);
  spawnSync('mkfifo', [path.join(root, 'apps/evil/pipe')]);
  const listen = async (name: string, address: string | number): Promise<number> => {
    const server = net.createServer((socket) => {
      reached.add(name);
      socket.destroy();
    });
    servers.push(server);
    if (typeof address === 'number') server.listen(address, '127.0.0.1');
    else server.listen(address);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const udp = dgram.createSocket('udp4').on('message', () => reached.add('udp'));
  servers.push(udp);
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  const abstract = `fleetwright-${process.pid}`;
  await listen('socket', path.join(folder, 'outer.sock'));
  await listen('inner', path.join(root, 'apps/evil/inner.sock'));
  await listen('abstract', `\0${abstract}`);
  victim = spawn('sleep', ['600']);
  at = {
    root,
    outside: path.join(folder, 'outside'),
    secret: outside('secret'),
    home: homedir(),
    module: path.join(tmpdir(), 'written'),
    parent: process.pid,
    victim: victim.pid,
    tcp: await listen('tcp', 0),
    udp: udp.address().port,
    free: await listen('free', 0),
    socket: path.join(folder, 'outer.sock'),
    abstract,
    otherUser: 65_534,
  };
  vi.stubEnv('CI_SECRET', 'SECRET');
});

afterAll(() => {
  vi.unstubAllEnvs();
  victim.kill('SIGKILL');
  for (const server of servers) server.close();
  for (const each of [folder, elsewhere]) rmSync(each, { recursive: true });
});

beforeEach(() => {
  reached.clear();
});

/** The code that tries everything, and prints the names of what succeeded. */
function attacks(isSandboxed: boolean, tried = Object.entries(escapes)): string {
  const names = [
    'fs',
    'childProcess:child_process',
    'net',
    'dgram',
    'os',
    'v8',
    'module',
    'workerThreads:worker_threads',
    'traceEvents:trace_events',
  ];
  const imports = names.map((name) => `import ${name.split(':')[0]} from 'node:${name.split(':').at(-1)}';`);
  const bodies = tried.map(([name, body]) => `[${JSON.stringify(name)}, async () => { ${body} }],`);
  return `${imports.join('\n')}
const require = module.createRequire('${root}/apps/evil/app.js');
const at = ${JSON.stringify({ ...at, isSandboxed })};
const connected = (s) => new Promise((r, j) => { s.on('connect', () => r(true)); s.on('error', j); });
process.on('uncaughtException', () => {});
const succeeded = [];
let tried = 0;
for (const [name, attempt] of [${bodies.join('\n')}]) {
  const late = new Promise((r) => setTimeout(r, 2000, false));
  try { if (await Promise.race([attempt(), late]) === true) succeeded.push(name); } catch {}
  tried += 1;
}
console.log(JSON.stringify({ tried, succeeded }));
`;
}

interface Outcome {
  readonly tried: number;
  readonly succeeded: readonly string[];
}

/** Runs the attacks in an app, behind Node's permission model and a sandbox. */
async function inApp(sandbox: (typeof kinds)[number] | 'none'): Promise<Outcome> {
  const app = path.join(root, 'apps/evil/app.js');
  writeFileSync(
    app,
    `${attacks(sandbox !== 'none')}\nimport { App } from 'cdk8s';\nexport default new App();\n`,
  );
  const runner = new AppRunner({ cwd: root, sandbox, timeout: 100_000 });
  const { printed, answer } = await runner.run(app);
  await runner.end();
  const line = printed.split('\n').find((each) => each.startsWith('{"tried"'));
  if (line === undefined) throw new Error(`${printed} ${String(answer)}`);
  return JSON.parse(line) as Outcome;
}

/** Runs Node without its permission model in a sandbox, as an app that has defeated the model. */
async function runBare(kind: (typeof kinds)[number], code: string): Promise<ReturnType<typeof spawnSync>> {
  const file = path.join(root, 'apps/evil/bare.mjs');
  writeFileSync(file, code);
  return await runInside(kind, [process.execPath, file]);
}

/** Runs native code in a sandbox. */
async function runNative(kind: (typeof kinds)[number], body: string): Promise<ReturnType<typeof spawnSync>> {
  const code = callProgram(body, root, victim.pid ?? 0);
  return await runInside(kind, [path.join(root, 'apps/evil/native'), '-e', code]);
}

/** Adds a key to a new session keyring, and runs a program in it. The numbers are those of `keyctl` and `add_key`. */
const withSessionKey = `my ($keyctl, $add) = splice @ARGV, 0, 2;
my ($type, $name, $value) = ('user', '${sessionKey}', 'SECRET');
syscall($keyctl + 0, 1, 0) >= 0 && syscall($add + 0, $type, $name, $value, 6, -3) >= 0 or die "no key: $!";
exec { $ARGV[0] } @ARGV;`;

async function runInside(
  kind: (typeof kinds)[number],
  inner: readonly string[],
): Promise<ReturnType<typeof spawnSync>> {
  const found = await findSandbox(kind);
  if (!('sandbox' in found)) throw new Error(found.missing);
  const { paths, ...place } = await readablePaths({ cwd: root, root, isSandboxed: true });
  const view = sandboxView({ ...place, readable: paths });
  const temporary = mkdtempSync(path.join(folder, 'sandbox-'));
  const command = inSandbox(found.sandbox, view, temporary, inner, { TZ: 'UTC' });
  const keys = process.arch === 'arm64' ? ['219', '217'] : ['250', '248'];
  const words = ['-e', withSessionKey, ...keys, command.program, ...command.parameters];
  const ran = spawnSync('/usr/bin/perl', words, {
    cwd: '/',
    encoding: 'utf8',
    env: { PATH: sandboxPath },
    stdio: ['ignore', 'pipe', 'pipe', 'ignore', ...(command.filter === undefined ? [] : [command.filter])],
    timeout: 100_000,
  });
  closeInherited(command);
  return ran;
}

/** What the attacks changed or reached, whatever they reported. */
async function traces(): Promise<readonly string[]> {
  // Connections are accepted by the event loop of this process.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const written = [outside('written'), path.join(root, 'written'), String(at['module'])].filter(existsSync);
  for (const file of written) rmSync(file, { recursive: true, force: true });
  const isAlive = victim.exitCode === null && victim.signalCode === null;
  const changed = readFileSync(path.join(root, 'node_modules/real/index.js'), 'utf8');
  return [...reached, ...written, ...(isAlive ? [] : ['victim']), ...(changed === '' ? [] : ['package'])];
}

const count = Object.keys(escapes).length;

describe('no escape succeeds', () => {
  test('there are at least 60', () => {
    expect(count).toBeGreaterThanOrEqual(60);
  });

  test.each(kinds)('from an app in %s', async (kind) => {
    expect(await inApp(kind)).toEqual({ tried: count, succeeded: [] });
    expect(await traces()).toEqual([]);
  });

  test.each(kinds)("from %s without Node's permission model", async (kind) => {
    const succeeded: string[] = [];
    // One process each: internals of Node that are used in a wrong way end the process.
    for (const escape of Object.entries(escapes)) {
      const { stdout, stderr } = await runBare(kind, `${attacks(true, [escape])}process.exit(0);\n`);
      // Without an answer the process ended itself, and nothing else: `traces` and this test are there.
      const isRefused = ['', '{"tried":1,"succeeded":[]}\n'].includes(String(stdout));
      if (!isRefused) succeeded.push(`${escape[0]}: ${String(stdout)}${String(stderr)}`);
    }
    expect(succeeded).toEqual([]);
    expect(await traces()).toEqual([]);
  });
});

describe('no system call of native code gets out', () => {
  const count = Object.keys(systemCalls).length;
  let segment: string;
  beforeAll(() => {
    const create = `print shmget(${sharedMemory}, 64, 01666) // die $!`;
    segment = spawnSync('/usr/bin/perl', ['-e', create], { encoding: 'utf8' }).stdout;
  });
  afterAll(() => {
    spawnSync('/usr/bin/perl', ['-e', `shmctl(${segment}, 0, 0)`]);
  });

  test('without a sandbox, some of them do', () => {
    const inside = systemCalls['find shared memory'] ?? '';
    const { stdout } = spawnSync('/usr/bin/perl', ['-e', callProgram(inside, root, victim.pid ?? 0)], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('succeeded');
  });

  test.each(kinds)(`in %s, of ${count}`, async (kind) => {
    const answers = new Map<string, string>();
    for (const [name, body] of Object.entries(systemCalls)) {
      const { stdout, stderr } = await runNative(kind, body);
      if (String(stdout) !== 'refused') answers.set(name, `${String(stdout)}${String(stderr)}`);
    }
    expect(answers).toEqual(new Map());
    expect(await traces()).toEqual([]);
  });

  test.each(kinds)('in %s, the number of threads is limited', async (kind) => {
    const { stdout } = await runNative(
      kind,
      `my $b = "\\0" x 16; syscall($number{prlimit64}, 0, 6, 0, $b); print join(' ', unpack('Q2', $b)), ' '; return 0;`,
    );
    expect(String(stdout)).toBe(`${mostThreads} ${mostThreads} refused`);
  });
});

test("the table of docs/security.md has what succeeds behind Node's permission model alone", async () => {
  const { tried, succeeded } = await inApp('none');
  expect(tried).toBe(count);
  const text = readFileSync(path.resolve(import.meta.dirname, '../../docs/security.md'), 'utf8');
  expect(succeeded.filter((name) => !text.includes(`| ${name} `))).toEqual([]);
  expect(succeeded).toContain('change the priority of a process');
  expect(await traces()).toEqual([]);
  // The permission model of Node 20 allows a path with which several readable paths begin.
  expect(succeeded.includes('list the root folder of the machine')).toBe(process.version.startsWith('v20.'));
});

describe('limits of what an app uses', () => {
  test.each(kinds)('memory outside of the heap in %s', async (kind) => {
    const { status, stdout } = await runBare(
      kind,
      `const kept = []; for (let i = 0; i < 40; i++) kept.push(new Uint8Array(2 ** 29)); console.log('unbounded');`,
    );
    expect({ status: status === 0, stdout: String(stdout) }).toEqual({ status: false, stdout: '' });
  });

  test.each(kinds)('processes: with the filter of %s there are none', async (kind) => {
    const { stdout } = await runBare(
      kind,
      `import { spawnSync } from 'node:child_process'; console.log(spawnSync(process.execPath, ['-v']).error?.code);`,
    );
    expect(String(stdout)).toBe('EPERM\n');
  });

  test.each(kinds)('the processes of an app end with its runner in %s', async (kind) => {
    writeFileSync(
      path.join(root, 'apps/evil/app.js'),
      `import { App } from 'cdk8s';\nfor (;;);\nexport default new App();\n`,
    );
    const runner = new AppRunner({ cwd: root, sandbox: kind, timeout: 2_000 });
    const { answer } = await runner.run(path.join(root, 'apps/evil/app.js'));
    expect(answer).toMatchObject({ limit: 'time' });
    await runner.end();
    const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(stdout.split('\n').filter((line) => line.includes(root))).toEqual([]);
  });
});

describe('a machine without a sandbox', () => {
  const app = (): string => {
    const file = path.join(root, 'apps/evil/app.js');
    writeFileSync(file, `import { App } from 'cdk8s';\nexport default new App();\n`);
    return file;
  };

  test('says in one line that apps have the rights of the user', async () => {
    const runner = new AppRunner({ cwd: root, sandbox: 'none' });
    const { notice } = await runner.run(app());
    await runner.end();
    expect(notice).toBe(
      "apps run with the rights of the user, behind Node's permission model alone: the sandbox is off",
    );
  });

  test('runs no app with committed packages either (FW9041)', async () => {
    const file = app();
    const links = ['node_modules'].map((name) => path.join(root, name));
    const runner = new AppRunner({ cwd: root, root, links });
    await expect(runner.run(file)).rejects.toThrow('apps/evil/node_modules is committed');
    await runner.end();
  });

  test('runs no app if one is required (FW9040)', async () => {
    const runner = new AppRunner({ cwd: root, sandbox: 'none', requiresSandbox: true });
    await expect(runner.run(app())).rejects.toThrow(
      'apps.confinement requires that the operating system confines apps',
    );
    await runner.end();
  });
});
