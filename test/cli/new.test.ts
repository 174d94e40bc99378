import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { templates } from '../../src/cli/commands/new/app-templates.ts';
import { linkDependencies, root, runProgram } from '../linked-repository.ts';
import { folderWith, runIn } from './terminal.ts';

/** The repository of `init` for an engine, which can compile apps. */
async function initialized(...options: readonly string[]): Promise<string> {
  const folder = await folderWith({});
  expect(await runIn(folder, ['init', '--ci', 'none', ...options])).toMatchObject({ code: 0 });
  linkDependencies(folder);
  return folder;
}

describe('new adds an app', () => {
  test('to a workspace with one fleet, and synth compiles it', async () => {
    const folder = await initialized('--gitops', 'argocd');
    expect(await runIn(folder, ['new', 'metrics'])).toEqual({
      code: 0,
      out: 'apps/metrics/app.ts\n\nNext: fleetwright synth\n',
      err: '',
    });
    expect(await runIn(folder, ['synth'])).toEqual({
      code: 0,
      out: `hello: 6 objects, 1 add-on, installed 4 times -> dist/hello
metrics: 6 objects, 1 add-on, installed 4 times -> dist/metrics
`,
      err: '',
    });
    expect(await runIn(folder, ['doctor'])).toMatchObject({ code: 0 });
  });

  test('as init has it, apart from the name', async () => {
    const folder = await initialized('--gitops', 'none');
    await runIn(folder, ['new', 'greetings']);
    const [first, second] = await Promise.all(
      ['hello', 'greetings'].map((app) => readFile(path.join(folder, `apps/${app}/app.ts`), 'utf8')),
    );
    expect(second?.replaceAll('greetings', 'hello').replaceAll('Greetings', 'Hello')).toBe(first);
  });

  test('in YAML, which has the same effect as TypeScript', async () => {
    const folder = await initialized('--gitops', 'flux');
    await runIn(folder, ['new', 'typed', '--typescript']);
    expect(await runIn(folder, ['new', 'plain', '--yaml'])).toMatchObject({
      code: 0,
      out: 'apps/plain/app.yaml\n\nNext: fleetwright synth\n',
    });
    expect(await runIn(folder, ['synth'])).toMatchObject({ code: 0, err: '' });
    const rolloutOf = async (app: string): Promise<string> =>
      (await runIn(folder, ['rollout', app, '-o', 'json'])).out.replaceAll(app, 'app');
    expect(await rolloutOf('plain')).toBe(await rolloutOf('typed'));
    const workOf = async (addOn: string): Promise<string> =>
      (await runIn(folder, ['render', 'prod-1', addOn])).out.replaceAll(addOn, 'app');
    expect(await workOf('plain')).toBe(await workOf('typed'));
  });

  test.each(['12', '1e3', 'y', 'null', '2026-01', 'a'.repeat(57)])('with the name %s', async (name) => {
    const folder = await initialized('--gitops', 'argocd');
    await runIn(folder, ['new', name, '--yaml']);
    expect(await runIn(folder, ['synth', name])).toEqual({
      code: 0,
      out: `${name}: 6 objects, 1 add-on, installed 4 times -> dist/${name}\n`,
      err: '',
    });
  });

  test('from a folder below the top, into the folder of the apps', async () => {
    const folder = await initialized('--gitops', 'none');
    await writeFile(path.join(folder, 'fleetwright.yaml'), 'engine: none\napps: add-ons\n');
    await mkdir(path.join(folder, 'docs/notes'), { recursive: true });
    const { code, out } = await runIn(path.join(folder, 'docs/notes'), ['new', 'metrics']);
    expect({ code, out }).toEqual({ code: 0, out: 'add-ons/metrics/app.ts\n\nNext: fleetwright synth\n' });
    expect(await readdir(path.join(folder, 'add-ons'))).toEqual(['metrics']);
  });

  test('with a fleet if the workspace has none', async () => {
    const folder = await folderWith({ 'fleetwright.yaml': 'engine: none\n' });
    linkDependencies(folder);
    expect(await runIn(folder, ['new', 'metrics'])).toMatchObject({
      code: 0,
      out: 'apps/metrics/app.ts\napps/metrics/fleet.yaml\n\nNext: fleetwright synth\n',
    });
    expect(await readFile(path.join(folder, 'apps/metrics/fleet.yaml'), 'utf8')).toContain(
      '#   npx fleetwright fleet pull --out apps/metrics/fleet.yaml\n',
    );
    expect(await runIn(folder, ['synth'])).toMatchObject({ code: 0, err: '' });
  });

  test('for each hub', async () => {
    const folder = await initialized('--gitops', 'flux', '--hub', 'eu', '--hub', 'us');
    expect(await runIn(folder, ['new', 'metrics'])).toEqual({
      code: 0,
      out: 'apps/metrics/app.ts\n\nNext: fleetwright synth\n',
      err: '',
    });
    expect(await runIn(folder, ['synth'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('metrics: 6 objects, 1 add-on, installed 4 times -> dist/us/metrics\n'),
      err: '',
    });
    expect(await runIn(folder, ['doctor'])).toMatchObject({ code: 0 });
  });

  test('and reports that the objects of the engine do not apply it', async () => {
    const folder = await initialized('--gitops', 'argocd');
    const file = path.join(folder, 'gitops/apps.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace("path: 'dist/*'", 'path: dist/hello'));
    const { code, err } = await runIn(folder, ['new', 'metrics']);
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining('warning FW9093: no Application applies dist/metrics\n'),
    });
  });
});

describe('the example', () => {
  const names = Object.keys(templates);

  test.each(names)('%s is an app of another name, with and without a fleet', async (template) => {
    const folder = await initialized('--gitops', 'argocd');
    const { code, err } = await runIn(folder, ['new', 'copied', '--template', template]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect((await runIn(folder, ['synth'])).code).toBe(0);
    const alone = await folderWith({ 'fleetwright.yaml': 'engine: argocd\n' });
    linkDependencies(alone);
    const { out } = await runIn(alone, ['new', 'copied', '--template', template]);
    expect(out).toContain('apps/copied/fleet.yaml\n');
    expect((await runIn(alone, ['synth'])).code).toBe(0);
  });

  test('has every file, and passes the checks of types', async () => {
    const folder = await initialized('--gitops', 'none');
    for (const name of names) {
      const { out } = await runIn(folder, ['new', name, '--template', name]);
      const files = await readdir(path.join(root, 'apps', name));
      expect(out.split('\n').filter((line) => line.startsWith('apps/'))).toEqual(
        files.map((file) => `apps/${name}/${file}`),
      );
    }
    expect(runProgram(folder, 'node_modules/.bin/tsc', [])).toMatchObject({ code: 0, out: '' });
  });

  test.each(names)('%s names no cluster of the examples', async (name) => {
    const fleet = await readFile(path.join(root, 'fleet.yaml'), 'utf8');
    const clusters = [...fleet.matchAll(/^kind: ManagedCluster\nmetadata:\n {2}name: (\S+)$/gm)].map(
      ([, cluster = '']) => cluster,
    );
    expect(clusters.length).toBeGreaterThan(0);
    const text = await readFile(path.join(root, 'apps', name, 'app.ts'), 'utf8');
    expect(clusters.filter((cluster) => text.includes(`'${cluster}'`))).toEqual([]);
  });
});

describe('new refuses', () => {
  test.each([
    ['Metrics', 'is not a valid name of an app, because objects of Kubernetes have the same name'],
    ['a/b', 'is not a valid name of an app'],
    ['..', 'is not a valid name of an app'],
    ['a'.repeat(64), 'is not a valid name of an app'],
    ['con', 'is not a valid name of an app, because Windows reserves it'],
    ['kube-system', 'is not a valid name of an app, because the hub has a namespace of this name'],
    ['hello', 'there is already apps/hello\n  = hint: choose another name, or delete the folder\n'],
  ])('the name %s', async (name, message) => {
    const folder = await folderWith({ 'fleetwright.yaml': '', 'apps/hello/note.txt': '' });
    const { code, out, err } = await runIn(folder, ['new', name]);
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
    expect(err).toMatch(/^error FW9092: /);
    expect(await readdir(path.join(folder, 'apps'))).toEqual(['hello']);
  });

  test('a folder outside of a workspace', async () => {
    const folder = await folderWith({ 'docs/a.md': '' });
    expect(await runIn(folder, ['new', 'metrics'])).toEqual({
      code: 2,
      out: '',
      err: `error FW9092: there is no fleetwright.yaml in this folder or in a folder around it, so no workspace for the app
  = hint: run the command in a workspace; fleetwright init creates one

1 error
`,
    });
  });

  test.each([
    [['x', '--yaml', '--typescript'], 'fleetwright: --yaml and --typescript exclude each other\n'],
    [
      ['x', '--yaml', '--template', 'argocd-pull'],
      'fleetwright: --yaml: the example argocd-pull is in TypeScript\n',
    ],
    [['x', '--template', 'none'], 'fleetwright: template cannot be none\n'],
    [[], 'fleetwright: missing name\n  fleetwright new NAME\n'],
  ])('new %s', async (words, message) => {
    const folder = await folderWith({ 'fleetwright.yaml': '' });
    const { code, err } = await runIn(folder, ['new', ...words]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
  });
});
