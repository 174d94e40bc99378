import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseAllDocuments, parseDocument } from 'yaml';
import { packageName } from '../../src/cli/commands/init/package-files.ts';
import { engines } from '../../src/compiler/emit/engine.ts';
import { forges } from '../../src/cli/commands/init/workflow.ts';
import { ArgoCdApplicationSet, ArgoCdGenerator } from '../../constructs/index.ts';
import { version } from '../../src/workspace/version.ts';
import { objectsOf } from '../constructs/in-chart.ts';
import { linkDependencies, root, runProgram } from '../linked-repository.ts';
import { folderWith, runIn } from './terminal.ts';
import { UserError } from '../../src/workspace/user-error.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();

const readIn = async (folder: string, name: string): Promise<string> =>
  await readFile(path.join(folder, name), 'utf8');

/** The objects of a YAML file. */
const documentsIn = async (folder: string, name: string): Promise<readonly unknown[]> =>
  parseAllDocuments(await readIn(folder, name)).map((document): unknown => document.toJS());

const inEveryRepository = [
  '.gitattributes',
  '.gitignore',
  'README.md',
  'apps/hello/app.ts',
  'fleet.yaml',
  'fleetwright.yaml',
  'package.json',
  'tsconfig.json',
];

describe('init', () => {
  test('fills a new folder, without questions if there is no terminal', async () => {
    const folder = await folderWith({});
    expect(await runIn(folder, ['init', 'add-ons'])).toEqual({
      code: 0,
      out: `add-ons/README.md
add-ons/package.json
add-ons/tsconfig.json
add-ons/.gitignore
add-ons/.gitattributes
add-ons/fleetwright.yaml
add-ons/apps/hello/app.ts
add-ons/fleet.yaml
add-ons/gitops/apps.yaml
add-ons/.github/workflows/fleetwright.yaml

Next: add-ons/README.md
`,
      err: '',
    });
    expect(await filesBelow(path.join(folder, 'add-ons'))).toEqual(
      [...inEveryRepository, 'gitops/apps.yaml', '.github/workflows/fleetwright.yaml'].sort(),
    );
  });

  test.each(forges.flatMap((ci) => engines.map((gitops) => ({ ci, gitops }))))(
    'writes the workflow of $ci and the objects of $gitops',
    async ({ ci, gitops }) => {
      const folder = await folderWith({});
      expect(await runIn(folder, ['init', '--ci', ci, '--gitops', gitops])).toMatchObject({
        code: 0,
        err: '',
      });
      const workflows = {
        github: ['.github/workflows/fleetwright.yaml'],
        gitlab: ['.gitlab-ci.yml', '.gitlab/fleetwright.yaml'],
        azure: ['azure-pipelines.yml'],
        jenkins: ['Jenkinsfile'],
        tekton: ['.tekton/fleetwright.yaml'],
        none: [],
      }[ci];
      const objects = {
        argocd: ['gitops/apps.yaml'],
        flux: ['gitops/apps.yaml', 'gitops/flux-health.yaml', 'gitops/kustomization.yaml'],
        none: [],
      }[gitops];
      expect(await filesBelow(folder)).toEqual([...inEveryRepository, ...workflows, ...objects].sort());
      for (const workflow of workflows.slice(-1))
        expect(await readIn(folder, workflow)).toBe(
          await readIn(root, ci === 'jenkins' ? 'docs/ci/Jenkinsfile' : `docs/ci/${ci}.yaml`),
        );
    },
  );

  test('points Argo CD at the folders that synth writes', async () => {
    const folder = await folderWith({});
    const url = 'https://github.com/team/add-ons.git';
    await runIn(folder, ['init', 'add-ons', '--gitops', 'argocd', '--repo-url', url]);
    const [set, ...others] = await documentsIn(folder, 'add-ons/gitops/apps.yaml');
    expect(others).toEqual([]);
    expect(set).toMatchObject({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'add-ons', namespace: 'argocd' },
      spec: {
        generators: [{ git: { repoURL: url, revision: 'main', directories: [{ path: 'dist/*' }] } }],
        template: {
          metadata: { name: '{{.path.basename}}' },
          spec: {
            source: { repoURL: url, targetRevision: 'main', path: '{{.path.path}}' },
            destination: { server: 'https://kubernetes.default.svc' },
          },
        },
      },
    });
  });

  test('writes the ApplicationSet of the constructs', async () => {
    const folder = await folderWith({});
    await runIn(folder, [
      'init',
      'add-ons',
      '--gitops',
      'argocd',
      '--repo-url',
      'https://git.example.com/a.git',
    ]);
    const repoUrl = 'https://git.example.com/a.git';
    const [expected] = objectsOf((chart) => {
      new ArgoCdApplicationSet(chart, 'add-ons', {
        name: 'add-ons',
        generators: [ArgoCdGenerator.directories({ repoUrl, revision: 'main', paths: ['dist/*'] })],
        applicationName: '{{.path.basename}}',
        template: { repoUrl, targetRevision: 'main', path: '{{.path.path}}' },
      });
    });
    expect(await documentsIn(folder, 'add-ons/gitops/apps.yaml')).toEqual([expected]);
  });

  test('points Flux at the stages of all apps', async () => {
    const folder = await folderWith({});
    const url = 'ssh://git@git.example.com/team/add-ons.git';
    await runIn(folder, ['init', 'add-ons', '--gitops', 'flux', '--repo-url', url]);
    const [repository, ...kustomizations] = await documentsIn(folder, 'add-ons/gitops/apps.yaml');
    expect(repository).toMatchObject({
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'GitRepository',
      metadata: { name: 'add-ons', namespace: 'flux-system' },
      spec: { url, ref: { branch: 'main' } },
    });
    const stage = (name: string, before: readonly string[], wait = true): object => ({
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: { name: `add-ons-${name}`, namespace: 'flux-system' },
      spec: {
        interval: '10m',
        retryInterval: '1m',
        timeout: '1m',
        ...(before.length > 0 && { dependsOn: before.map((each) => ({ name: `add-ons-${each}` })) }),
        prune: true,
        sourceRef: { kind: 'GitRepository', name: 'add-ons' },
        path: `./dist/.stages/${name}`,
        wait,
      },
    });
    expect(kustomizations).toEqual([
      stage('foundation', []),
      stage('placements', ['foundation']),
      stage('configs', ['foundation']),
      stage('add-ons', ['placements', 'configs'], false),
      stage('clusters', ['add-ons'], false),
    ]);
  });

  test('has one fleet per hub, and applies each hub to its own cluster', async () => {
    const folder = await folderWith({});
    const hubs = ['--hub', 'prod-eu', '--hub', 'prod-us'];
    await runIn(folder, ['init', 'argo', '--ci', 'none', '--gitops', 'argocd', ...hubs]);
    await runIn(folder, ['init', 'flux', '--ci', 'none', '--gitops', 'flux', ...hubs]);
    const common = [
      ...inEveryRepository.filter((name) => name !== 'fleet.yaml'),
      'fleets/prod-eu.yaml',
      'fleets/prod-us.yaml',
    ];
    expect(await filesBelow(path.join(folder, 'argo'))).toEqual([...common, 'gitops/apps.yaml'].sort());
    const ofFlux = ['prod-eu', 'prod-us'].flatMap((hub) =>
      ['apps.yaml', 'flux-health.yaml', 'kustomization.yaml'].map((name) => `gitops/${hub}/${name}`),
    );
    expect(await filesBelow(path.join(folder, 'flux'))).toEqual([...common, ...ofFlux].sort());
    expect(await documentsIn(folder, 'argo/gitops/apps.yaml')).toMatchObject([
      {
        spec: {
          generators: [{ git: { directories: [{ path: 'dist/*/*' }] } }],
          template: {
            metadata: { name: '{{index .path.segments 1}}-{{.path.basename}}' },
            spec: { destination: { name: '{{index .path.segments 1}}' } },
          },
        },
      },
    ]);
    const [, first] = await documentsIn(folder, 'flux/gitops/prod-us/apps.yaml');
    expect(first).toMatchObject({ spec: { path: './dist/prod-us/.stages/foundation' } });
    linkDependencies(path.join(folder, 'argo'));
    expect(await runIn(path.join(folder, 'argo'), ['synth'])).toMatchObject({
      code: 0,
      out: `hello: 6 objects, 1 add-on, installed 4 times -> dist/prod-eu/hello
hello: 6 objects, 1 add-on, installed 4 times -> dist/prod-us/hello
`,
      err: '',
    });
  });

  test.each([
    [['--hub', 'EU'], 'fleetwright: --hub EU: not a valid name of a hub\n'],
    [['--hub', 'eu', '--hub', 'eu'], 'fleetwright: --hub eu: the hub is named twice\n'],
  ])('refuses %s', async (options, message) => {
    const folder = await folderWith({});
    const { code, err } = await runIn(folder, ['init', ...options]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
    expect(await readdir(folder)).toEqual([]);
  });

  test('writes nothing if files are in the way, and names all of them', async () => {
    const files = { 'README.md': 'ours\n', 'apps/hello/app.ts': 'ours\n', 'src/main.go': 'ours\n' };
    const folder = await folderWith(files);
    expect(await runIn(folder, ['init'])).toEqual({
      code: 2,
      out: '',
      err: `error FW9010: init does not overwrite files, but there are already README.md, apps/hello/app.ts
 --> README.md:1:1
  |
1 | ours
  | ^
  = hint: use --existing to adopt the repository, or use a new folder

1 error
nothing was written
`,
    });
    expect(await filesBelow(folder)).toEqual(Object.keys(files).sort());
    for (const name of Object.keys(files)) expect(await readIn(folder, name)).toBe('ours\n');
  });

  test('takes a file for in the way that has the name of a folder', async () => {
    const folder = await folderWith({ apps: 'a file\n' });
    const { code, err } = await runIn(folder, ['init']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('there is already apps\n') });
    expect(await filesBelow(folder)).toEqual(['apps']);
  });

  test('reports in one sentence that a folder cannot be created', async () => {
    const folder = await folderWith({ file: '' });
    const { code, err } = await runIn(folder, ['init', 'file/add-ons']);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/^fleetwright: file\/add-ons cannot/),
    });
  });
});

describe('in a Git repository', () => {
  const git = (folder: string, ...parameters: readonly string[]): void => {
    expect(runProgram(folder, 'git', parameters)).toMatchObject({ code: 0 });
  };

  test('takes the address, the branch and the forge from it, and leaves its files alone', async () => {
    const folder = await folderWith({ 'docs/notes.md': 'ours\n' });
    git(folder, 'init', '--quiet', '--initial-branch', 'trunk');
    git(folder, 'remote', 'add', 'origin', 'git@gitlab.com:team/add-ons.git');
    expect(await runIn(folder, ['init', '--quiet'])).toMatchObject({ code: 0, err: '' });
    expect(await readIn(folder, 'gitops/apps.yaml')).toContain(
      'repoURL: git@gitlab.com:team/add-ons.git\n        targetRevision: trunk\n',
    );
    expect(await readIn(folder, '.gitlab-ci.yml')).toBe('include:\n  - local: .gitlab/fleetwright.yaml\n');
    expect(await readIn(folder, 'docs/notes.md')).toBe('ours\n');
  });

  test('plans pushes to the branch that is applied', async () => {
    const folder = await folderWith({});
    git(folder, 'init', '--quiet', '--initial-branch', 'trunk');
    await runIn(folder, ['init', '--ci', 'github']);
    expect(await readIn(folder, '.github/workflows/fleetwright.yaml')).toContain('branches: [trunk]\n');
  });

  test('omits credentials of the address, and sets a URL for Flux', async () => {
    const address = async (remote: string, engine: string): Promise<string | undefined> => {
      const folder = await folderWith({});
      git(folder, 'init', '--quiet', '--initial-branch', 'main');
      git(folder, 'remote', 'add', 'origin', remote);
      await runIn(folder, ['init', '--gitops', engine]);
      return /^ +(?:repoURL|url): (.*)$/m.exec(await readIn(folder, 'gitops/apps.yaml'))?.[1];
    };
    expect(await address('https://me:secret@github.com/team/add-ons.git', 'argocd')).toBe(
      'https://github.com/team/add-ons.git',
    );
    expect(await address('git@github.com:team/add-ons.git', 'flux')).toBe(
      'ssh://git@github.com/team/add-ons.git',
    );
  });

  test('below its top writes no workflow, and names the way down', async () => {
    const folder = await folderWith({});
    git(folder, 'init', '--quiet', '--initial-branch', 'main');
    expect(await runIn(folder, ['init', 'hub/add-ons', '--ci', 'github'])).toEqual({
      code: 2,
      out: '',
      err: `fleetwright: --ci github: a workflow must be at the top of the Git repository, and hub/add-ons is below it
  run init at the top, or with --ci none
`,
    });
    expect(await runIn(folder, ['init', '--quiet', 'hub/add-ons'])).toMatchObject({ code: 0, err: '' });
    expect(await readdir(path.join(folder, 'hub/add-ons'))).not.toContain('.github');
    expect(await readIn(folder, 'hub/add-ons/gitops/apps.yaml')).toContain("path: 'hub/add-ons/dist/*'\n");
  });
});

describe('at a terminal', () => {
  /** Answers in turn; an empty answer takes the default, as readline does. */
  const answering = (answers: readonly string[]) => {
    const asked: string[] = [];
    const rest = [...answers];
    const ask = (question: string, defaultAnswer: string): Promise<string> => {
      asked.push(`${question} [${defaultAnswer}]`);
      const answer = rest.shift();
      if (answer === undefined) return Promise.reject(new UserError('no answer was given'));
      return Promise.resolve(answer === '' ? defaultAnswer : answer);
    };
    return { asked, ask };
  };

  test('prompts for values without a flag', async () => {
    const folder = await folderWith({});
    const { asked, ask } = answering(['', 'flux', 'https://git.example.com/a.git']);
    expect(await runIn(folder, ['init', '--quiet'], '', { ask })).toMatchObject({ code: 0, err: '' });
    expect(asked).toEqual([
      'Which forge plans each change? (github, gitlab, azure, jenkins, tekton, none) [github]',
      'What applies dist/ to the hub? (argocd, flux, none) [argocd]',
      'Which address does it clone this repository from? [https://git.example.com/team/add-ons.git]',
    ]);
    expect(await readIn(folder, 'gitops/apps.yaml')).toContain('url: https://git.example.com/a.git\n');
  });

  test('does not prompt for values with a flag, nor for an address that is not needed', async () => {
    const folder = await folderWith({});
    const { asked, ask } = answering(['']);
    await runIn(folder, ['init', '--gitops', 'none'], '', { ask });
    expect(asked).toEqual([
      'Which forge plans each change? (github, gitlab, azure, jenkins, tekton, none) [github]',
    ]);
  });

  test('prompts again after an invalid answer', async () => {
    const folder = await folderWith({});
    const { asked, ask } = answering(['bitbucket', 'none']);
    const { code, err } = await runIn(folder, ['init', '--gitops', 'none'], '', { ask });
    expect({ code, err, times: asked.length }).toEqual({
      code: 0,
      err: 'bitbucket is not one of github, gitlab, azure, jenkins, tekton, none\n',
      times: 2,
    });
  });

  test('writes nothing if the user cancels', async () => {
    const folder = await folderWith({});
    const { ask } = answering(['github']);
    expect(await runIn(folder, ['init', 'new'], '', { ask })).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: no answer was given\n',
    });
    expect(await readdir(folder)).toEqual([]);
  });
});

test('a repository without TypeScript depends only on Fleetwright', async () => {
  const folder = await folderWith({});
  expect(await runIn(folder, ['init', '--yaml'])).toMatchObject({ code: 0 });
  expect(JSON.parse(await readIn(folder, 'package.json'))).toEqual({
    name: expect.any(String),
    private: true,
    type: 'module',
    scripts: {
      synth: 'fleetwright synth',
      check: 'fleetwright synth --check',
      plan: 'fleetwright plan HEAD --by env',
    },
    dependencies: { fleetwright: version },
  });
});

describe('the dependency', () => {
  const dependencyIn = async (folder: string): Promise<unknown> =>
    (JSON.parse(await readIn(folder, 'package.json')) as { dependencies: Record<string, string> })
      .dependencies['fleetwright'];

  test('is this version, pinned', async () => {
    const folder = await folderWith({});
    await runIn(folder, ['init']);
    expect(await dependencyIn(folder)).toBe(version);
  });

  test('is the built package itself, packed, unless a registry has it', async () => {
    const folder = await folderWith({});
    linkDependencies(folder);
    const command = path.join(folder, 'node_modules/.bin/fleetwright');
    // On a busy machine npm may take long enough for the line that names the reason.
    expect(runProgram(folder, command, ['init', 'new'])).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^(?:pack Fleetwright …\n)?$/),
    });
    expect(await dependencyIn(path.join(folder, 'new'))).toBe(`file:vendor/fleetwright-${version}.tgz`);
    const listed = runProgram(folder, 'tar', ['-tzf', `new/vendor/fleetwright-${version}.tgz`]).out;
    expect(listed.split('\n')).toContain('package/build/cli/main.js');
  });

  test('is announced in one line if npm takes a while', async () => {
    const folder = await folderWith({
      'bin/npm': '#!/bin/sh\nsleep 3\nfor folder; do :; done\necho packed > "$folder/packed.tgz"\n',
    });
    await chmod(path.join(folder, 'bin/npm'), 0o755);
    linkDependencies(folder);
    const command = path.join(folder, 'node_modules/.bin/fleetwright');
    const PATH = `${path.join(folder, 'bin')}:${process.env['PATH'] ?? ''}`;
    const init = (...options: readonly string[]): ReturnType<typeof runProgram> =>
      runProgram(folder, command, ['init', ...options], { PATH });
    expect(init('new')).toMatchObject({ code: 0, err: 'pack Fleetwright …\n' });
    expect(init('quiet', '--quiet')).toMatchObject({ code: 0, err: '' });
  });

  test('is announced in the progress of a terminal, which is cleared', async () => {
    const shown: string[] = [];
    const progress = (text: string): void => void shown.push(text);
    expect(await runIn(await folderWith({}), ['init'], '', { progress })).toMatchObject({ code: 0, err: '' });
    expect(shown).toEqual(['pack Fleetwright …', '']);
  });

  test('is a packed file that comes along', async () => {
    const folder = await folderWith({ 'fleetwright-0.1.0.tgz': 'packed' });
    await runIn(folder, ['init', 'new', '--package', 'fleetwright-0.1.0.tgz']);
    expect(await dependencyIn(path.join(folder, 'new'))).toBe('file:vendor/fleetwright-0.1.0.tgz');
    expect(await readIn(folder, 'new/vendor/fleetwright-0.1.0.tgz')).toBe('packed');
    expect(await runIn(folder, ['init', 'other', '--package', 'missing.tgz'])).toMatchObject({
      code: 2,
      err: 'fleetwright: --package missing.tgz: no such file\n  npm pack creates one\n',
    });
  });

  test('is compiled with the TypeScript, and spared the package, of Fleetwright itself', async () => {
    const folder = await folderWith({});
    await runIn(folder, ['init']);
    const [ours, theirs] = await Promise.all(
      [root, folder].map(
        async (each) =>
          JSON.parse(await readIn(each, 'package.json')) as Record<string, Record<string, string>>,
      ),
    );
    expect(theirs?.['devDependencies']?.['typescript']).toBe(ours?.['devDependencies']?.['typescript']);
    expect(theirs?.['overrides']).toEqual(ours?.['overrides']);
    expect(theirs?.['resolutions']).toEqual(ours?.['overrides']);
    const { fleetwright: _, ...constructs } = theirs?.['dependencies'] ?? {};
    expect(Object.keys(constructs).sort()).toEqual(['cdk8s', 'cdk8s-plus-27', 'constructs']);
    expect({ ...ours?.['devDependencies'], ...ours?.['dependencies'] }).toMatchObject(constructs);
    // A Node that does not run TypeScript itself compiles apps with it.
    const compiler = Reflect.get(process.features, 'typescript')
      ? undefined
      : ours?.['devDependencies']?.['esbuild'];
    expect(theirs?.['devDependencies']?.['esbuild']).toBe(compiler);
  });

  test('needs no override with the newest cdk8s-plus', async () => {
    const folder = await folderWith({});
    await runIn(folder, ['init', '--cdk8s-plus', '34']);
    const manifest = JSON.parse(await readIn(folder, 'package.json')) as Record<string, object>;
    expect(Object.keys(manifest['dependencies'] ?? {})).toContain('cdk8s-plus-34');
    expect(Object.keys(manifest)).not.toContain('overrides');
    expect(Object.keys(manifest)).not.toContain('resolutions');
  });
});

test.each([
  ['My Fleet', 'my-fleet'],
  ['.hidden', 'hidden'],
  ['fleetwright', 'add-ons'],
  ['Über', 'ber'],
  ['…', 'add-ons'],
])('the package in the folder %s is named %s', (folder, name) => {
  expect(packageName(folder)).toBe(name);
});

describe('the README of a new repository', () => {
  test.each([
    [
      'argocd',
      [
        '-n argocd patch configmap argocd-cm --patch-file node_modules/fleetwright/packaging/gitops/argocd-cm.yaml',
        'apply -f gitops/apps.yaml',
      ],
    ],
    ['flux', ['apply -k gitops']],
    ['none', ['apply -k dist']],
  ])('explains how %s applies dist, and has health checks for OCM', async (engine, commands) => {
    const folder = await folderWith({});
    await runIn(folder, ['init', '--gitops', engine]);
    linkDependencies(folder);
    const kubectl = path.join(folder, 'node_modules/.bin/kubectl');
    await writeFile(kubectl, '#!/bin/sh\nprintf "%s\\n" "$*"\n', { mode: 0o755 });
    const [, last = ''] = (await readIn(folder, 'README.md')).split(/^3\. /m);
    const steps = [...last.matchAll(/```sh\n(.*?)```/gs)].map(([, step = '']) =>
      step.replaceAll(/^ {3}/gm, ''),
    );
    const PATH = `${path.dirname(kubectl)}:${process.env['PATH'] ?? ''}`;
    expect(runProgram(folder, 'sh', ['-ec', steps.join('')], { PATH })).toEqual({
      code: 0,
      out: commands.map((command) => `${command}\n`).join(''),
      err: '',
    });
    if (engine === 'none') return;
    const file =
      engine === 'argocd'
        ? 'node_modules/fleetwright/packaging/gitops/argocd-cm.yaml'
        : 'gitops/flux-health.yaml';
    expect(await readIn(folder, file)).toContain('Placement');
    if (engine !== 'flux') return;
    expect(parseDocument(await readIn(folder, 'gitops/kustomization.yaml')).toJS()).toEqual({
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: ['apps.yaml'],
      patches: [
        {
          path: 'flux-health.yaml',
          target: { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' },
        },
      ],
    });
  });
});

describe('the new repository', () => {
  let folder: string;
  const npm = (...parameters: readonly string[]): ReturnType<typeof runProgram> =>
    runProgram(folder, 'npm', parameters);

  beforeAll(async () => {
    // Not one of `folderWith`: those go after each test.
    folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-init-'));
    await runIn(folder, ['init', '--ci', 'gitlab', '--gitops', 'flux']);
    linkDependencies(folder);
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  test('passes the lint and the format of Fleetwright itself', () => {
    const bin = path.join(root, 'node_modules/.bin');
    const PATH = `${bin}:${process.env['PATH'] ?? ''}`;
    const lint = ['--type-aware', '--deny-warnings', '--config', path.join(root, '.oxlintrc.json'), 'apps'];
    expect(runProgram(folder, path.join(bin, 'oxlint'), lint, { PATH })).toMatchObject({
      code: 0,
      out: expect.stringContaining('Found 0 warnings and 0 errors.'),
    });
    const style = ['--check', '--config', path.join(root, '.prettierrc.json'), '.'];
    expect(runProgram(folder, path.join(bin, 'prettier'), style)).toMatchObject({ code: 0 });
  });

  test('synthesizes, checks and plans with its own scripts, without a finding', async () => {
    expect(npm('run', '--silent', 'synth')).toEqual({
      code: 0,
      out: 'hello: 6 objects, 1 add-on, installed 4 times -> dist/hello\n',
      err: '',
    });
    expect(npm('run', '--silent', 'check')).toEqual({
      code: 0,
      out: 'hello: 6 objects, 1 add-on, installed 4 times, as in dist/hello\n',
      err: '',
    });
    const paths = parseAllDocuments(await readIn(folder, 'gitops/apps.yaml')).flatMap((document) => {
      const { spec } = document.toJS() as { spec: { path?: string } };
      return spec.path ?? [];
    });
    const stages = (await filesBelow(path.join(folder, 'dist/.stages'))).filter((name) =>
      name.endsWith('/kustomization.yaml'),
    );
    expect(stages.map((name) => `./dist/.stages/${path.dirname(name)}`).sort()).toEqual(paths.sort());
    for (const parameters of [
      ['init', '--quiet'],
      ['add', '.'],
      ['commit', '--quiet', '-m', 'Start'],
    ])
      expect(runProgram(folder, 'git', parameters)).toMatchObject({ code: 0 });
    const app = path.join(folder, 'apps/hello/app.ts');
    const before = await readFile(app, 'utf8');
    await writeFile(app, before.replace("GREETING: 'Hello'", "GREETING: 'Good morning'"));
    const { code, out, err } = npm('run', '--silent', 'plan');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`  4 waves
    1 (env=dev): dev-1
    2 (env=staging): staging-1
    3 (env=prod): prod-1
    4 (env=prod): prod-2
`);
    expect(npm('run', '--silent', 'check').code).toBe(1);
    expect(npm('run', '--silent', 'synth').out).toBe(
      'hello: 6 objects and 1 earlier revision, 1 add-on, installed 4 times -> dist/hello\n',
    );
  });

  test('fails the plan of a request that uninstalls everything', async () => {
    const app = path.join(folder, 'apps/hello');
    await rm(app, { recursive: true });
    const { code, out, err } = npm('run', '--silent', 'plan');
    expect(code).toBe(1);
    expect(out).toContain('plan: 4 uninstalled');
    expect(err).toMatch(
      /^error FW8004: the change uninstalls an add-on from a cluster 4 times, but the guardrails allow at most 0$/m,
    );
    expect(runProgram(folder, 'git', ['checkout', '--quiet', 'apps'])).toMatchObject({ code: 0 });
    expect(npm('run', '--silent', 'plan').code).toBe(0);
  });

  test('commits nothing that is installed or made on the way', async () => {
    await mkdir(path.join(folder, 'node_modules/some'), { recursive: true });
    await writeFile(path.join(folder, 'plan.html'), '');
    expect(runProgram(folder, 'git', ['ls-files', '--others', '--exclude-standard']).out).not.toMatch(
      /node_modules|plan\.html/,
    );
  });
});
