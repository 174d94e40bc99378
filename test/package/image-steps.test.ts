import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { containerFilter } from '../workspace/container-filter.ts';
import { describeImage, type ImageDescription } from './dockerfile.ts';

// The steps of the Dockerfiles, run on the packed package without a registry of images: the base is a folder with the
// programs of this machine that the steps use, and the installers that node:24-slim has.
const root = path.resolve(import.meta.dirname, '../..');
const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
const installers = [
  '/usr/local/bin/npm',
  '/usr/local/bin/npx',
  '/usr/local/bin/corepack',
  '/usr/local/bin/yarn',
  '/usr/local/bin/yarnpkg',
  '/usr/local/lib/node_modules/npm/package.json',
  '/opt/yarn-v1.22.22/package.json',
];

let folder: string;
let context: string;
let version: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-image-')));
  chmodSync(folder, 0o755);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root });
  ({ version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string });
  execFileSync('tar', ['-xzf', `fleetwright-${version}.tgz`], { cwd: folder });
  context = path.join(folder, 'package');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Copies a program and the libraries that it loads. */
function copyProgram(image: string, program: string, target: string): void {
  const libraries = spawnSync('ldd', [program], { encoding: 'utf8' }).stdout.matchAll(
    /(?:=> )?(\/\S+) \(0x/g,
  );
  for (const [from, to] of [[program, target], ...[...libraries].map(([, file = '']) => [file, file])]) {
    if (from === undefined || to === undefined) continue;
    mkdirSync(path.dirname(path.join(image, to)), { recursive: true });
    copyFileSync(realpathSync(from), path.join(image, to));
  }
}

function newBase(image: string): void {
  for (const program of ['sh', 'rm', 'ln', 'env', 'test']) {
    const found = execFileSync('which', [program], { encoding: 'utf8' }).trim();
    copyProgram(image, found, `/bin/${program}`);
  }
  copyProgram(image, process.execPath, '/usr/local/bin/node');
  mkdirSync(path.join(image, 'usr/bin'), { recursive: true });
  copyProgram(image, execFileSync('which', ['env'], { encoding: 'utf8' }).trim(), '/usr/bin/env');
  for (const file of installers) {
    mkdirSync(path.dirname(path.join(image, file)), { recursive: true });
    writeFileSync(path.join(image, file), '');
  }
}

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Runs a program in the folder of an image, as a user. */
function runAs(image: string, user: string, ...command: readonly string[]) {
  const [program = '', ...parameters] = [...asRoot, 'chroot', `--userspec=${user}`, image, ...command];
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    // Container runtimes set both, HOME to / for a user without an entry in /etc/passwd.
    env: { PATH: searchPath, HOME: '/' },
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

/** Runs the steps of a Dockerfile of the package. Files that .dockerignore excludes do not exist for it. */
function buildImage(name: string, dockerfile: string): { image: string; description: ImageDescription } {
  const image = path.join(folder, name);
  const description = describeImage(readFileSync(path.join(context, dockerfile), 'utf8'));
  newBase(image);
  for (const step of description.runs) {
    expect(runAs(image, '0:0', '/bin/sh', '-c', step)).toEqual({ code: 0, out: '', err: '' });
  }
  const sent = readFileSync(path.join(context, '.dockerignore'), 'utf8').split('\n');
  for (const { source, target, mode } of description.files) {
    expect(sent).toContain(`!${source}`);
    const file = path.join(image, target);
    mkdirSync(path.dirname(file), { recursive: true });
    copyFileSync(path.join(context, source), file);
    chmodSync(file, mode);
  }
  return { image, description };
}

describe.each([
  { name: 'companion', dockerfile: 'packaging/Dockerfile' },
  { name: 'plugin', dockerfile: 'packaging/gitops/argocd-plugin/Dockerfile' },
])('the image of the $name', ({ name, dockerfile }) => {
  let image: string;
  let description: ImageDescription;
  let user: string;
  beforeAll(() => {
    ({ image, description } = buildImage(name, dockerfile));
    user = description.user.includes(':') ? description.user : `${description.user}:0`;
  });

  test('has no installer of packages', () => {
    const left = installers.filter((file) => runAs(image, user, '/bin/test', '-e', file).code === 0);
    expect(left).toEqual([]);
  });

  test('has files that its user can read and not write', () => {
    const may = (access: string, file: string): boolean =>
      runAs(image, user, '/bin/test', access, file).code === 0;
    expect(description.files.length).toBeGreaterThan(0);
    expect(description.files.filter(({ target }) => !may('-r', target))).toEqual([]);
    expect(description.files.filter(({ target }) => may('-w', target))).toEqual([]);
  });

  test('runs its command', () => {
    const command = name === 'companion' ? description.entrypoint : pluginCommand(image);
    expect(runAs(image, user, ...command, '--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });
});

test.each([
  ['', []],
  [' or a home folder', ['/usr/bin/env', '-u', 'HOME']],
])('the companion without a pod%s reports that it has no kubeconfig', (_, prefix) => {
  const description = describeImage(readFileSync(path.join(context, 'packaging/Dockerfile'), 'utf8'));
  const image = path.join(folder, 'companion');
  expect(
    runAs(image, description.user, ...prefix, ...description.entrypoint, ...description.command),
  ).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('FW9004') as string,
  });
});

describe('an app in the image of the plugin', () => {
  const app = `import { App, Chart, AddOnDeploymentConfig } from 'fleetwright';
const app = new App();
const chart = new Chart(app, 'hello', { namespace: 'default' });
new AddOnDeploymentConfig(chart, 'config', { customizedVariables: { LEVEL: 'info' } });
export default app;
`;
  /** The programs of a sandbox that node:24-slim has, as Debian does. */
  const ofSandbox = ['unshare', 'setpriv', 'setsid', 'prlimit', 'mount', 'mkdir', 'dirname', 'perl', 'cat'];
  let image: string;

  beforeAll(() => {
    ({ image } = buildImage('plugin-of-apps', 'packaging/gitops/argocd-plugin/Dockerfile'));
    for (const program of ofSandbox)
      copyProgram(
        image,
        execFileSync('which', [program], { encoding: 'utf8' }).trim(),
        `/usr/bin/${program}`,
      );
    // The one of the base image: the file runs apps on Node 22.18 and later.
    const installed = path.join(folder, 'node-24');
    mkdirSync(installed);
    writeFileSync(path.join(installed, 'package.json'), '{ "private": true }\n');
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', 'node@24'], { cwd: installed });
    copyProgram(image, path.join(installed, 'node_modules/node/bin/node'), '/usr/local/bin/node');
    mkdirSync(path.join(image, 'dev'));
    const [program, ...parameters] = [...asRoot, 'mknod', '-m', '666', `${image}/dev/null`, 'c', '1', '3'];
    execFileSync(program, parameters);
    mkdirSync(path.join(image, 'tmp/repository/hello'), { recursive: true });
    writeFileSync(path.join(image, 'tmp/repository/hello/app.js'), app);
    writeFileSync(path.join(image, 'tmp/repository/package.json'), '{ "type": "module" }');
    chmodSync(path.join(image, 'tmp'), 0o1777);
  });

  /** As argocd-repo-server runs the plugin: its user, no capability, the default filter of the runtime, and no new privileges. */
  function generate(): ReturnType<typeof runAs> {
    const user = '--reuid=999 --regid=999 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs';
    const load = containerFilter(path.join(image, 'tmp/filter'), 3);
    const script = 'exec 3< /tmp/filter && cd /tmp/repository/hello && exec "$@"';
    const shell = ['/bin/sh', '-c', script, 'sh', ...load];
    const command = ['/usr/local/bin/node', '/usr/local/lib/fleetwright.mjs', 'machine', 'generate'];
    return runAs(image, '0:0', '/usr/bin/setpriv', ...user.split(' '), ...shell, ...command);
  }

  const reason = 'bubblewrap is not installed, and the system lets unshare create no user namespace';

  test('runs with a line that says that nothing but the permission model confines it', () => {
    const { code, out, err } = generate();
    expect(err.split('\n').filter((line) => line.includes('rights of the user'))).toEqual([
      `apps run with the rights of the user, behind Node's permission model alone: ${reason}`,
    ]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('kind: AddOnDeploymentConfig') });
  });

  test('does not run where apps.confinement is required', () => {
    writeFileSync(path.join(image, 'tmp/repository/fleetwright.yaml'), 'apps: { confinement: required }\n');
    const { code, out, err } = generate();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(
      `error FW9040: apps.confinement requires that the operating system confines apps, and ${reason}`,
    );
  });
});

/** The program that Argo CD starts, without the arguments of `generate`. */
function pluginCommand(image: string): readonly string[] {
  const file = path.join(image, 'home/argocd/cmp-server/config/plugin.yaml');
  const { spec } = parse(readFileSync(file, 'utf8')) as {
    readonly spec: { readonly generate: { readonly command: readonly string[] } };
  };
  return spec.generate.command.slice(0, 2);
}
