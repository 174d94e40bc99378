import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { readInputs } from '../../src/workspace/inputs/inputs.ts';
import { quietHost } from '../../src/workspace/host.ts';
import { folderWith, runIn } from '../cli/terminal.ts';

const config = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\ndata: { a: '1' }\n`;

/** The lines of findings without their places. */
const findings = (err: string): string[] =>
  err.split('\n').filter((line) => /^(?:error|warning|info) FW/.test(line));

const kustomization = { 'apps/one/kustomization.yaml': 'resources: [a.yaml]\nnamespace: prod\n' };

const searchPath = process.env['PATH'] ?? '';
beforeAll(() => {
  process.env['PATH'] = `${inject('tools')}${path.delimiter}${searchPath}`;
});
afterAll(() => {
  process.env['PATH'] = searchPath;
});

describe('a kustomization', () => {
  test('is built, with locations in the source files', async () => {
    const cwd = await folderWith({
      'apps/one/kustomization.yaml': `resources: [../../base]
namePrefix: p-
configMapGenerator: [{ name: gen, literals: [a=b] }]
patches: [{ path: patch.yaml }]
`,
      'apps/one/patch.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: default }\ndata: { a: "2" }\n',
      'base/kustomization.yaml': 'resources: [a.yaml]\n',
      'base/a.yaml': `# first\n${config('a')}---\n${config('b')}`,
    });
    const { objects, diagnostics } = await readInputs(['apps/one'], [], quietHost(cwd));
    expect(diagnostics).toEqual([]);
    expect(
      objects.map(({ object, origin }) => [object.metadata?.name, object['data'], origin.location]),
    ).toEqual([
      ['p-a', { a: '2' }, { file: 'base/a.yaml', line: 2, column: 1 }],
      ['p-b', { a: '1' }, { file: 'base/a.yaml', line: 7, column: 1 }],
      [
        expect.stringMatching(/^p-gen-/),
        { a: 'b' },
        { file: 'apps/one/kustomization.yaml', line: 3, column: 22 },
      ],
    ]);
    expect(objects.map(({ object }) => object.metadata?.annotations)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(objects[0]?.origin.locate(['data', 'a'])).toEqual({
      file: 'apps/one/patch.yaml',
      line: 4,
      column: 9,
    });
  });

  test('replaces its files, and reports those that it does not list', async () => {
    const cwd = await folderWith({
      ...kustomization,
      'apps/one/a.yaml': config('a'),
      'apps/one/deep/b.yaml': config('b'),
    });
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(0);
    expect(findings(err)).toEqual([
      'warning FW9015: apps/one/kustomization.yaml does not list these files, so they were not read: apps/one/deep/b.yaml',
    ]);
    expect(await readFile(path.join(cwd, 'dist/one/configmap_prod_a.yaml'), 'utf8')).toContain(
      'namespace: prod',
    );
    expect(await readdir(path.join(cwd, 'dist/one'))).not.toContain('configmap_default_b.yaml');
  });

  test('keeps its build metadata', async () => {
    const cwd = await folderWith({
      'in/kustomization.yaml':
        'resources: [a.yaml]\nnamespace: prod\nbuildMetadata: [managedByLabel, originAnnotations]\n',
      'in/a.yaml': config('a'),
    });
    const { objects } = await readInputs(['in'], [], quietHost(cwd));
    expect(objects[0]?.object.metadata?.annotations).toEqual({
      'config.kubernetes.io/origin': 'path: a.yaml\n',
    });
    expect(Object.keys(objects[0]?.object.metadata?.labels ?? {})).toEqual(['app.kubernetes.io/managed-by']);
    expect(objects[0]?.origin.location).toEqual({ file: 'in/a.yaml', line: 1, column: 1 });
  });

  test('is built only if no other one uses it', async () => {
    const cwd = await folderWith({
      'in/base/kustomization.yaml': 'resources: [a.yaml]\nnamePrefix: x-\n',
      'in/base/a.yaml': config('a'),
      'in/parts/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -y\n',
      'in/top/kustomization.yaml': 'resources: [../base]\ncomponents: [../parts]\n',
    });
    const { objects, diagnostics } = await readInputs(['in'], [], quietHost(cwd));
    expect(diagnostics).toEqual([]);
    expect(objects.map(({ object }) => object.metadata?.name)).toEqual(['x-a-y']);
  });

  test('is imported', async () => {
    const cwd = await folderWith({ ...kustomization, 'apps/one/a.yaml': config('a') });
    expect((await runIn(cwd, ['import', 'apps/one', '--out', 'x'])).out).toContain('1 object in TypeScript');
    expect(await readFile(path.join(cwd, 'x/app.ts'), 'utf8')).toContain("namespace: 'prod'");
  });

  test('is validated if its folder is named, and otherwise reported (FW9021)', async () => {
    const cwd = await folderWith({ ...kustomization, 'apps/one/a.yaml': config('Upper') });
    const named = await runIn(cwd, ['validate', 'apps/one']);
    expect(named.err).toContain(' --> apps/one/a.yaml:3:');
    expect(named.err).not.toContain('FW9021');
    expect(findings((await runIn(cwd, ['validate', 'apps'])).err)).toContain(
      'warning FW9021: kustomizations below the named folders are not built, so objects were checked as they are written: apps/one',
    );
  });

  test('of two revisions is built in both', async () => {
    const cwd = await folderWith({ ...kustomization, 'apps/one/a.yaml': config('a') });
    const git = (...parameters: string[]): void => {
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...parameters], { cwd });
    };
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'one');
    await writeFile(
      path.join(cwd, 'apps/one/kustomization.yaml'),
      'resources: [a.yaml]\nnamespace: prod\nlabels: [{ pairs: { team: x } }]\n',
    );
    git('commit', '-qam', 'two');
    const { code, out, err } = await runIn(cwd, ['plan', 'HEAD~1..HEAD']);
    expect({ code, err: findings(err).filter((line) => !line.includes('FW9013')) }).toEqual({
      code: 0,
      err: [],
    });
    expect(out).toContain('ConfigMap prod/a');
    expect(out).toContain('metadata.labels.team');
  });

  test('that fails is an error with the message of kustomize (FW9014)', async () => {
    const cwd = await folderWith({ 'apps/one/kustomization.yaml': 'resources: [missing.yaml]\n' });
    const { code, out, err } = await runIn(cwd, ['synth']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(findings(err)).toEqual([
      expect.stringMatching(
        /^error FW9014: kustomize cannot build apps\/one\/kustomization\.yaml: .*missing\.yaml/,
      ),
    ]);
    expect(err).not.toContain(cwd);
    expect(err).not.toContain(tmpdir());
  });

  test.each([
    ['resources: [https://example.com/a.yaml]\n', 'https://example.com/a.yaml'],
    ['resources: [github.com/team/base?ref=v1]\n', 'github.com/team/base?ref=v1'],
    ['patches: [{ path: http://127.0.0.1/p.yaml }]\n', 'http://127.0.0.1/p.yaml'],
    ['configMapGenerator: [{ name: a, files: [x=http://127.0.0.1/p] }]\n', 'http://127.0.0.1/p'],
  ])('reads nothing from the network (FW9091): %s', async (text, url) => {
    const cwd = await folderWith({ 'in/kustomization.yaml': text });
    const { code, out, err } = await runIn(cwd, ['resolve', 'in']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(findings(err)).toEqual([
      `error FW9091: in/kustomization.yaml uses ${url}, and Fleetwright does not read files from the network`,
    ]);
  });

  test('reads nothing outside of the repository (FW9091)', async () => {
    const outer = await folderWith({
      'secret/kustomization.yaml': 'resources: [a.yaml]\n',
      'secret/a.yaml': config('secret'),
      'repo/apps/one/kustomization.yaml': 'resources: [../../../secret]\n',
      'repo/apps/two/kustomization.yaml': 'resources: [link]\n',
    });
    const cwd = path.join(outer, 'repo');
    await mkdir(path.join(cwd, '.git'));
    await symlink(path.join(outer, 'secret'), path.join(cwd, 'apps/two/link'));
    for (const app of ['one', 'two']) {
      const { code, out, err } = await runIn(cwd, ['resolve', `apps/${app}`]);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toContain('which is outside of the repository');
      expect(err).not.toContain('secret}');
    }
  });

  test('runs no plugins, no Helm and no functions (FW9171)', async () => {
    const cwd = await folderWith({
      'in/kustomization.yaml': 'generators: [g.yaml]\n',
      'in/g.yaml': `apiVersion: v1
kind: Gen
metadata: { name: g, annotations: { config.kubernetes.io/function: "exec: { path: ./run.sh }" } }
`,
      'in/run.sh': '#!/bin/sh\ntouch ran\n',
    });
    chmodSync(path.join(cwd, 'in/run.sh'), 0o755);
    const { code, err } = await runIn(cwd, ['resolve', 'in']);
    expect(code).toBe(1);
    expect(err).toContain('error FW9171: in/kustomization.yaml uses the generator Gen "g" of in/g.yaml');
    expect(await readdir(path.join(cwd, 'in'))).not.toContain('ran');
  });

  test('runs the plugins of the user if the workspace allows them', async () => {
    const cwd = await folderWith({
      'fleetwright.yaml': 'kustomize: { plugins: true }\n',
      'apps/one/kustomization.yaml': 'generators: [g.yaml]\n',
      'apps/one/g.yaml': 'apiVersion: example.com/v1\nkind: Gen\nmetadata: { name: g }\ninput: a.yaml\n',
      'apps/one/a.yaml': config('a'),
      'plugins/example.com/v1/gen/Gen': '#!/bin/sh\nexec cat a.yaml\n',
    });
    chmodSync(path.join(cwd, 'plugins/example.com/v1/gen/Gen'), 0o755);
    vi.stubEnv('KUSTOMIZE_PLUGIN_HOME', path.join(cwd, 'plugins'));
    const { code, err } = await runIn(cwd, ['synth']);
    vi.unstubAllEnvs();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(await readdir(path.join(cwd, 'dist/one'))).toContain('configmap_default_a.yaml');
  });

  test('prints the whole reason of kustomize, also at the end of a long error (FW9014)', async () => {
    const long = `${'a'.repeat(200)}/`.repeat(4);
    const cwd = await folderWith({ 'in/kustomization.yaml': `resources: [${long}missing.yaml]\n` });
    const { err } = await runIn(cwd, ['resolve', 'in']);
    expect(err).toMatch(/no such file or directory/);
    expect(err).toContain('hint: correct it until this command succeeds: kustomize build in\n');
  });
});
