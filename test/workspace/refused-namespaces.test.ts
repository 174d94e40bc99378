import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { linkDependencies, root } from '../linked-repository.ts';
import { containerFilter } from './container-filter.ts';

// The built command where the system refuses what a sandbox is made of, and as a user without any right.

vi.setConfig({ testTimeout: 120_000 });

const outside = 'outside-of-the-repository';
/** Tries what the sandbox alone does not let through, and prints what succeeded. */
const app = `import { App } from 'fleetwright';
import fs from 'node:fs';
import os from 'node:os';
const succeeded = [];
const attempt = (name, action) => { try { if (action()) succeeded.push(name); } catch {} };
attempt('read a file', () => fs.readFileSync('../secret', 'utf8'));
attempt('write a file', () => fs.writeFileSync('../written', 'x') === undefined);
attempt('see a process', () => os.getPriority(${process.pid}) >= -20);
console.log('succeeded:', succeeded.join(', '));
export default new App();
`;

let folder: string;
let repository: string;

beforeAll(() => {
  // The temporary folder of the tests is open to their own user only.
  folder = realpathSync(mkdtempSync('/var/tmp/fleetwright-refused-'));
  repository = path.join(folder, 'repository');
  mkdirSync(path.join(repository, 'apps/evil'), { recursive: true });
  writeFileSync(path.join(folder, 'secret'), outside);
  writeFileSync(path.join(repository, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(path.join(repository, 'apps/evil/app.js'), app);
  linkDependencies(repository);
  // Everybody may read it, and write the output.
  for (const place of [folder, repository]) chmodSync(place, 0o777);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  rmSync(path.join(repository, 'dist'), { recursive: true, force: true });
  rmSync(path.join(repository, 'fleetwright.yaml'), { force: true });
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const synth = [process.execPath, path.join(root, 'build/cli/main.js'), 'synth', '--allow-empty'];

function run(command: readonly string[]): Ran {
  const [program = '', ...parameters] = command;
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    cwd: repository,
    encoding: 'utf8',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent' },
  });
  return { code: status, out: stdout, err: stderr };
}

const isRoot = process.getuid?.() === 0;
/** A user without rights, in no group of another one, with no capability. */
const ordinary = isRoot
  ? [
      '/usr/bin/setpriv',
      '--reuid=65534',
      '--regid=65534',
      '--clear-groups',
      '--bounding-set=-all',
      '--inh-caps=-all',
    ]
  : [];

/** The command behind the filter of a container. */
function filtered(command: readonly string[]): readonly string[] {
  const file = path.join(folder, 'filter');
  const load = containerFilter(file, 3);
  return ['/bin/sh', '-c', 'exec 3< "$0" && exec "$@"', file, ...load, ...command];
}

/** Environments in which no user namespace can be created, and how to run a command in them. */
const refusing: readonly (readonly [string, (command: readonly string[]) => Ran])[] = [
  [
    'a system that allows no user namespaces',
    (command) => {
      const limited = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
      return run([
        '/usr/bin/unshare',
        '--user',
        '--map-root-user',
        '/bin/sh',
        '-c',
        limited,
        'sh',
        ...command,
      ]);
    },
  ],
  [
    'a container with the default filter of its runtime',
    (command) => run([...ordinary, ...filtered(command)]),
  ],
  [
    'a container whose user is root, with the default filter of its runtime',
    (command) => run(filtered(command)),
  ],
];

const reason =
  'the system lets bubblewrap create no user namespace, and the system lets unshare create no user namespace';

describe.each(refusing)('in %s', (_what, inside) => {
  test('no program can create a user namespace', () => {
    expect(inside(['/usr/bin/unshare', '--user', 'true']).code).not.toBe(0);
    expect(inside(['/usr/bin/bwrap', '--unshare-user', '--ro-bind', '/', '/', 'true']).code).not.toBe(0);
  });

  test('one line says that apps have the rights of the user, and the permission model is left', () => {
    const { code, err } = inside(synth);
    const lines = err.split('\n');
    expect(lines.filter((line) => line.includes('rights of the user'))).toEqual([
      `apps run with the rights of the user, behind Node's permission model alone: ${reason}`,
    ]);
    expect(lines.find((line) => line.includes('succeeded:'))).toBe(
      'apps/evil/app.js | succeeded: see a process',
    );
    // What was denied is a finding.
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('warning FW9030') });
    expect(existsSync(path.join(folder, 'written'))).toBe(false);
  });

  test('apps do not run where apps.confinement is required', () => {
    writeFileSync(path.join(repository, 'fleetwright.yaml'), 'apps: { confinement: required }\n');
    const { code, out, err } = inside(synth);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(
      `error FW9040: apps.confinement requires that the operating system confines apps, and ${reason}\n --> apps/evil/app.js:1:1\n`,
    );
    expect(err).not.toContain('succeeded:');
    expect(existsSync(path.join(repository, 'dist'))).toBe(false);
  });
});

describe('for an ordinary user', () => {
  test('the operating system confines apps', () => {
    writeFileSync(path.join(repository, 'fleetwright.yaml'), 'apps: { confinement: required }\n');
    const { err } = run([...ordinary, ...synth]);
    expect(err).not.toContain('rights of the user');
    expect(err).toContain('apps/evil/app.js | succeeded: \n');
    expect(existsSync(path.join(folder, 'written'))).toBe(false);
  });

  test.each(['bubblewrap', 'unshare'])('%s alone is enough', (sandbox) => {
    const runApp = `import { AppRunner } from '${root}/src/workspace/app/app-runner.ts';
const runner = new AppRunner({ cwd: '${repository}', sandbox: '${sandbox}', requiresSandbox: true });
const { printed } = await runner.run('${repository}/apps/evil/app.js');
await runner.end();
process.stdout.write(printed);`;
    const tsx = path.join(root, 'node_modules/tsx/dist/loader.mjs');
    const node = [process.execPath, '--import', tsx, '--input-type=module', '--eval', runApp];
    expect(run([...ordinary, ...node])).toEqual({ code: 0, out: 'succeeded: \n', err: '' });
    expect(existsSync(path.join(folder, 'written'))).toBe(false);
  });
});
