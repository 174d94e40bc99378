import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root, runProgram } from '../linked-repository.ts';
import { consoleSteps } from '../docs/console-steps.ts';
import { runSteps } from '../docs/run-steps.ts';
import { releases } from './releases.ts';

const steps = consoleSteps(readFileSync(path.join(root, 'README.md'), 'utf8'), 'Getting started');
const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' };

/** Where the programs are, once they are installed. */
const nodes = new Map<number, Promise<string>>();

let folder: string;
/** The repository that the steps of the README make. */
let addOns: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fleetwright-package-')));
  addOns = path.join(folder, 'add-ons');
  // They come while the steps run.
  for (const release of releases) nodes.set(release, installNode(release));
  // A clone, with what is not committed yet.
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const name of listed.split('\0')) {
    if (name !== '') cpSync(path.join(root, name), path.join(folder, 'fleetwright', name), { force: true });
  }
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('the steps of the README lead from a clone to a planned change', async () => {
  const results = await runSteps(steps, {
    cwd: path.join(folder, 'fleetwright'),
    scratch: folder,
    env: {
      ...quiet,
      GIT_AUTHOR_NAME: 'Team',
      GIT_AUTHOR_EMAIL: 'team@example.com',
      GIT_COMMITTER_NAME: 'Team',
      GIT_COMMITTER_EMAIL: 'team@example.com',
    },
  });
  const times = results.map(({ command, milliseconds }) => `${seconds(milliseconds)}  ${command}\n`);
  const total = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  process.stdout.write(`${times.join('')}${seconds(total)}  in all\n`);
  expect(results.filter(({ code, missing }) => code !== 0 || missing.length > 0)).toEqual([]);
  expect(results).toHaveLength(steps.length);
});

async function installNode(release: number): Promise<string> {
  const home = path.join(folder, `node-${release}`);
  mkdirSync(home);
  writeFileSync(path.join(home, 'package.json'), '{ "private": true }\n');
  const env = { ...process.env, ...quiet };
  await promisify(execFile)('npm', ['install', '--silent', `node@${release}`], { cwd: home, env });
  return path.join(home, 'node_modules/node/bin/node');
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`.padStart(8);
}

describe('the installed package', () => {
  const program = `import { App, Chart, Placement } from 'fleetwright';
import { hasErrors, load, type Diagnostic } from 'fleetwright/compiler';
import { cluster, loadFleet } from 'fleetwright/testing';

const chart = new Chart(new App(), 'hub', { namespace: 'default' });
new Placement(chart, 'everywhere', { numberOfClusters: 2 });
// @ts-expect-error: a number
new Placement(chart, 'nowhere', { numberOfClusters: 'two' });
export const found: readonly Diagnostic[] = load([]).diagnostics;
export const all = [hasErrors(found), cluster, loadFleet];
`;

  test.each([
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
    ['preserve', 'bundler'],
  ])('has types for --module %s --moduleResolution %s, checked with its libraries', (module, resolution) => {
    writeFileSync(path.join(addOns, 'program.ts'), program);
    const options = ['--noEmit', '--strict', '--ignoreConfig', '--target', 'es2023', '--types', ''];
    const tsc = path.join(addOns, 'node_modules/.bin/tsc');
    expect(
      runProgram(addOns, tsc, [
        ...options,
        '--module',
        module,
        '--moduleResolution',
        resolution,
        'program.ts',
      ]),
    ).toEqual({ code: 0, out: '', err: '' });
  });

  test('was installed without the packages that only its tests need', () => {
    const installed = spawnSync('npm', ['ls', '--all', '--parseable'], {
      cwd: addOns,
      encoding: 'utf8',
    }).stdout;
    expect(installed).toContain('cdk8s-plus-27');
    expect(installed).not.toMatch(/node_modules\/(?:vitest|oxlint|@types\/yargs)\n/);
    // The override of package.json puts a small package in its place.
    const backport = readFileSync(path.join(addOns, 'node_modules/backport/package.json'), 'utf8');
    expect(JSON.parse(backport)).toMatchObject({ name: 'picocolors' });
  });
});

test('with the newest cdk8s-plus, imports compile, and nothing has to be overridden', () => {
  const repository = path.join(folder, 'newest-plus');
  cpSync(addOns, repository, {
    recursive: true,
    filter: (source) => !/[\\/](?:node_modules|package-lock\.json|apps)$/.test(source),
  });
  const command = path.join(addOns, 'node_modules/.bin/fleetwright');
  const chosen = path.join(folder, 'chosen-plus');
  const tarball = [
    '--package',
    path.join(addOns, 'vendor', readdirSync(path.join(addOns, 'vendor'))[0] ?? ''),
  ];
  expect(
    runProgram(folder, command, ['init', 'chosen-plus', '--cdk8s-plus', '34', ...tarball]),
  ).toMatchObject({
    code: 0,
  });
  cpSync(path.join(chosen, 'package.json'), path.join(repository, 'package.json'));
  const install = ['install', '--ignore-scripts', '--silent'];
  expect(runProgram(repository, 'npm', install, quiet)).toMatchObject({ code: 0 });
  expect(existsSync(path.join(repository, 'node_modules/backport'))).toBe(false);
  const objects = path.join(root, 'dist/metrics-agent');
  const own = path.join(repository, 'node_modules/.bin/fleetwright');
  expect(runProgram(repository, own, ['import', objects, '--out', 'apps/imported'])).toMatchObject({
    code: 0,
  });
  const imported = readFileSync(path.join(repository, 'apps/imported/app.ts'), 'utf8');
  expect(imported).toContain("import * as kplus from 'cdk8s-plus-34';");
  expect(runProgram(repository, path.join(repository, 'node_modules/.bin/tsc'), [])).toEqual({
    code: 0,
    out: '',
    err: '',
  });
}, 300_000);

describe('the package installed with --ignore-scripts', () => {
  test('runs TypeScript apps: no package has to run its own script', () => {
    const copy = path.join(folder, 'without-scripts');
    cpSync(addOns, copy, { recursive: true, filter: (name) => !name.includes('node_modules') });
    const installation = spawnSync('npm', ['ci', '--ignore-scripts'], {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, ...quiet },
    });
    expect(installation).toMatchObject({ status: 0 });
    const command = path.join(copy, 'node_modules/.bin/fleetwright');
    expect(runProgram(copy, command, ['synth', '--check'])).toEqual({
      code: 0,
      out: 'hello: 6 objects and 1 earlier revision, 1 add-on, installed 4 times, as in dist/hello\n',
      err: '',
    });
  });
});

describe.each([
  ['pnpm', ['pnpm@10.34.8', 'install', '--silent']],
  ['yarn', ['yarn@1.22.22', 'install', '--silent', '--no-progress']],
])('with %s instead of npm', (manager, [program = '', ...parameters]) => {
  test('the new repository installs, compiles and plans', () => {
    const repository = path.join(folder, `with-${manager}`);
    cpSync(addOns, repository, {
      recursive: true,
      filter: (source) => !/[\\/](?:node_modules|package-lock\.json)$/.test(source),
    });
    // yarn takes a package of the same name and version from its cache, also if the tarball is another one.
    const own = { ...quiet, YARN_CACHE_FOLDER: path.join(folder, 'yarn-cache') };
    const installed = runProgram(repository, 'npx', ['--yes', program, ...parameters], own);
    expect(installed).toMatchObject({ code: 0 });
    const scripts = ['check', 'plan'].map((script) =>
      runProgram(repository, 'npm', ['run', '--silent', script]),
    );
    expect(scripts).toMatchObject([
      { code: 0, out: expect.stringContaining('as in dist/hello\n') as string },
      { code: 0, out: expect.stringContaining('changed on 4 clusters') as string },
    ]);
  });
});

describe.each(releases)('on Node %i', (release) => {
  let node: string;

  beforeAll(async () => {
    node = (await nodes.get(release)) ?? '';
  });

  const fleetwright = (...parameters: readonly string[]): ReturnType<typeof runProgram> =>
    runProgram(addOns, node, ['node_modules/fleetwright/build/cli/main.js', ...parameters]);

  test('the commands print the same as before', () => {
    expect(runProgram(addOns, node, ['--version']).out).toMatch(new RegExp(`^v${release}\\.`));
    expect(fleetwright('synth', '--check')).toEqual({
      code: 0,
      out: 'hello: 6 objects and 1 earlier revision, 1 add-on, installed 4 times, as in dist/hello\n',
      err: '',
    });
    const plan = fleetwright('plan', 'HEAD');
    expect({ code: plan.code, err: plan.err }).toEqual({ code: 0, err: '' });
    expect(plan.out).toContain('changed on 4 clusters: dev-1, prod-1, prod-2, staging-1\n');
    expect(fleetwright('init', '--quiet', `on-${release}`)).toMatchObject({ code: 0, err: '' });
    expect(fleetwright('validate', 'dist/hello')).toMatchObject({ code: 0 });
  });

  test('the command keeps compiled code in the cache folder of the user', () => {
    const cache = path.join(folder, `cache-${release}`);
    const main = path.join(addOns, 'node_modules/fleetwright/build/cli/main.js');
    const run = (env: Readonly<Record<string, string>>): unknown =>
      runProgram(addOns, node, [main, 'validate', 'dist/hello'], env);
    const result = run({ XDG_CACHE_HOME: cache, NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(existsSync(path.join(cache, 'fleetwright'))).toBe(false);

    expect(run({ XDG_CACHE_HOME: cache })).toEqual(result);
    expect(existsSync(path.join(cache, 'fleetwright'))).toBe(true);
    expect(run({ XDG_CACHE_HOME: cache })).toEqual(result);

    // A file is in the place of the folder, which not even root can write.
    expect(run({ XDG_CACHE_HOME: main })).toEqual(result);
  });

  test('every export can be imported', () => {
    const names = ['fleetwright', 'fleetwright/compiler', 'fleetwright/testing'];
    const script = `for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(await import(name)).length > 3);`;
    expect(runProgram(addOns, node, ['--input-type=module', '--eval', script])).toEqual({
      code: 0,
      out: names.map((name) => `${name} true\n`).join(''),
      err: '',
    });
  });

  test('the single file runs without the package, TypeScript apps if Node supports the language', () => {
    const alone = path.join(folder, `alone-${release}`);
    cpSync(path.join(addOns, 'apps/hello'), path.join(alone, 'apps/hello'), { recursive: true });
    cpSync(path.join(addOns, 'fleet.yaml'), path.join(alone, 'fleet.yaml'));
    cpSync(path.join(addOns, 'dist'), path.join(alone, 'dist'), { recursive: true });
    cpSync(path.join(addOns, 'node_modules/fleetwright/build/fleetwright.mjs'), path.join(alone, 'fw.mjs'));
    expect(runProgram(alone, node, ['fw.mjs', 'validate', 'dist/hello'])).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^warning FW9013: [^]*\n1 warning\n$/) as string,
    });
    const none = path.join(alone, 'kubeconfig');
    expect(runProgram(alone, node, ['fw.mjs', 'controller', 'hub', '--kubeconfig', none])).toEqual({
      code: 2,
      out: '',
      err: `error FW9004: ${none} cannot be read: ENOENT: no such file or directory, open '${none}'
  = hint: name another file with --kubeconfig, or a context with --context

1 error
`,
    });
    const synthesized = runProgram(alone, node, ['fw.mjs', 'synth', '--check']);
    const { out: version } = runProgram(alone, node, ['--version']);
    const tooOld = {
      code: 2,
      out: '',
      err: `fleetwright: TypeScript apps cannot run here: this is Node ${version.trim().slice(1)}\n  the single file runs them on Node 22.18 or later; the npm package on any Node that it supports\n`,
    };
    expect(synthesized).toEqual(release === 20 ? tooOld : fleetwright('synth', '--check'));
  });

  test('the plugin of Argo CD reads, runs an app in a process with a temporary folder, and needs nothing else', () => {
    const alone = path.join(folder, `plugin-${release}`);
    cpSync(path.join(addOns, release === 20 ? 'dist/hello' : 'apps/hello'), alone, { recursive: true });
    cpSync(path.join(addOns, 'fleet.yaml'), path.join(alone, 'fleet.yaml'));
    const program = path.join(addOns, 'node_modules/fleetwright/build/fleetwright.mjs');
    // Where it reads YAML, it neither writes files nor starts processes.
    const only =
      release === 20
        ? ['--experimental-permission', '--allow-fs-read=*']
        : ['--permission', '--allow-fs-read=*', '--allow-child-process', `--allow-fs-write=${tmpdir()}/`];
    const { code, out } = runProgram(alone, node, [...only, program, 'machine', 'generate']);
    expect(code).toBe(0);
    expect(out.match(/^kind: .*$/gm)).toContain('kind: ClusterManagementAddOn');
    expect(out).not.toContain('kind: Kustomization');
  });
});

test('a repository without TypeScript needs only this package, and its workflow passes', () => {
  const command = path.join(addOns, 'node_modules/.bin/fleetwright');
  const vendored = path.join(addOns, 'vendor', readdirSync(path.join(addOns, 'vendor'))[0] ?? '');
  const init = ['init', 'in-yaml', '--yaml', '--ci', 'github', '--package', vendored];
  expect(runProgram(folder, command, init)).toMatchObject({ code: 0 });
  const repository = path.join(folder, 'in-yaml');
  const run = (program: string, ...parameters: readonly string[]): ReturnType<typeof runProgram> =>
    runProgram(repository, program, parameters, { ...quiet, EVENT: 'push', BASE: 'HEAD~1' });
  const passes = (program: string, ...parameters: readonly string[]): string => {
    const { code, out, err } = run(program, ...parameters);
    expect({ command: [program, ...parameters], code, err: code === 0 ? '' : err + out }).toMatchObject({
      code: 0,
    });
    return out;
  };
  passes('npm', 'install', '--ignore-scripts', '--silent');
  expect(existsSync(path.join(repository, 'node_modules/cdk8s-plus-27'))).toBe(false);
  passes('npx', 'fleetwright', 'validate');
  passes('npm', 'run', 'synth');
  passes('git', 'init', '--quiet');
  for (const text of ['first', 'second']) {
    writeFileSync(path.join(repository, 'note.txt'), text);
    passes('git', 'add', '--all');
    passes('git', 'commit', '--quiet', '--message', text);
  }
  const workflow = parse(
    readFileSync(path.join(repository, '.github/workflows/fleetwright.yaml'), 'utf8'),
  ) as {
    readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
  };
  const steps = Object.values(workflow.jobs).flatMap((job) =>
    job.steps.flatMap(({ run: script }) => script ?? []),
  );
  const checks = steps.slice(0, steps.findIndex((script) => script.includes('synth --check')) + 1);
  expect(checks).toHaveLength(3);
  for (const script of checks) passes('bash', '-e', '-c', script);
  expect(passes('npm', 'run', 'check')).toContain('as in dist/hello');
  passes('npx', 'fleetwright', 'plan', 'HEAD~1..HEAD', '--no-run-apps');
});
