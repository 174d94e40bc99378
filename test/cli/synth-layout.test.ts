import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { addOn, config, fleet, grouped, text } from '../compiler/rollout/scenes.ts';
import { folderWith, runIn } from './terminal.ts';

const groups = { canary: ['c1', 'c2'] };
const app = text(grouped(groups), addOn({ pl: { type: 'All' } }), config());
const agent = { 'apps/agent/app.yaml': app, 'apps/agent/fleet.yaml': text(...fleet(groups)) };
const configMap = (name: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
  namespace: default
`;
const two = { 'apps/one/a.yaml': configMap('one'), 'apps/two/b.yaml': configMap('two') };
const root = 'dist/kustomization.yaml';

const read = (folder: string, name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');

describe('the kustomization above all apps', () => {
  test('lists the folders of all apps, also of those that this run leaves alone', async () => {
    const folder = await folderWith(two);
    await runIn(folder, ['synth', 'two']);
    await runIn(folder, ['synth', 'one']);
    expect(await read(folder, root)).toBe(`apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- one
- two
`);
    expect(await runIn(folder, ['synth', '--check'])).toMatchObject({ code: 0 });
    await rm(path.join(folder, 'apps/two'), { recursive: true });
    await runIn(folder, ['synth']);
    expect(await read(folder, root)).toContain('resources:\n- one\n');
    expect(await read(folder, root)).not.toContain('two');
  });

  test('is missed by --check', async () => {
    const folder = await folderWith(two);
    await runIn(folder, ['synth']);
    await rm(path.join(folder, root));
    expect(await runIn(folder, ['synth', '--check'])).toEqual({
      code: 1,
      out: `one: 1 object, 0 add-ons, installed 0 times, as in dist/one
two: 1 object, 0 add-ons, installed 0 times, as in dist/two
dist/kustomization.yaml does not match these apps
`,
      err: 'run synth and commit its output\n',
    });
  });

  test('is not changed if another tool wrote it', async () => {
    const folder = await folderWith({ ...two, [root]: 'mine\n' });
    await runIn(folder, ['synth']);
    expect(await read(folder, root)).toBe('mine\n');
    expect((await readdir(path.join(folder, 'dist'))).sort()).toEqual(['kustomization.yaml', 'one', 'two']);
    expect((await runIn(folder, ['synth', '--check'])).code).toBe(0);
  });
});

describe('the stages of all apps', () => {
  const stage = (name: string): string => `dist/.stages/${name}/kustomization.yaml`;

  test('list every app for Flux, also those that this run leaves alone', async () => {
    const folder = await folderWith({ ...two, 'fleetwright.yaml': 'engine: flux\n' });
    await runIn(folder, ['synth', 'two']);
    await runIn(folder, ['synth', 'one']);
    for (const name of ['foundation', 'placements', 'configs', 'add-ons', 'clusters'])
      expect(await read(folder, stage(name))).toBe(`apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- "../../one/${name}"
- "../../two/${name}"
`);
    expect(await runIn(folder, ['synth', '--check'])).toMatchObject({ code: 0 });
  });

  test('omit an app whose output is for another engine', async () => {
    const folder = await folderWith(two);
    await runIn(folder, ['synth']);
    await runIn(folder, ['synth', 'two', '--engine', 'flux']);
    expect(await read(folder, stage('configs'))).toContain('resources:\n- "../../two/configs"\n');
  });

  test('are missed by --check', async () => {
    const folder = await folderWith({ ...two, 'fleetwright.yaml': 'engine: flux\n' });
    await runIn(folder, ['synth']);
    await rm(path.join(folder, stage('configs')));
    const { code, out } = await runIn(folder, ['synth', '--check']);
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringContaining('dist/.stages does not match these apps\n'),
    });
  });

  test('are removed if the engine no longer needs them', async () => {
    const folder = await folderWith({ ...two, 'fleetwright.yaml': 'engine: flux\n' });
    await runIn(folder, ['synth']);
    expect((await runIn(folder, ['synth', '--engine', 'argocd', '--check'])).code).toBe(1);
    await runIn(folder, ['synth', '--engine', 'argocd']);
    expect((await readdir(path.join(folder, 'dist'))).sort()).toEqual([
      '.fleetwright.json',
      'kustomization.yaml',
      'one',
      'two',
    ]);
  });

  test('are written per hub, and removed with the hub', async () => {
    const hubs = (...names: readonly string[]): string =>
      `engine: flux\nhubs: {${names.map((name) => ` ${name}: {}`).join(',')} }\n`;
    const folder = await folderWith({ ...two, 'fleetwright.yaml': hubs('dev', 'prod', 'old') });
    await runIn(folder, ['synth']);
    expect(await read(folder, 'dist/prod/.stages/configs/kustomization.yaml')).toContain(
      '- "../../two/configs"\n',
    );
    await writeFile(path.join(folder, 'fleetwright.yaml'), hubs('dev', 'prod'));
    await runIn(folder, ['synth']);
    expect((await readdir(path.join(folder, 'dist'))).sort()).toEqual(['dev', 'prod']);
  });

  test('are not written through a link', async () => {
    const folder = await folderWith({ ...two, 'precious/foundation/kustomization.yaml': 'mine\n' });
    await mkdir(path.join(folder, 'dist'));
    await symlink(path.join(folder, 'precious'), path.join(folder, 'dist/.stages'));
    const { code, err } = await runIn(folder, ['synth', '--engine', 'flux']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('error FW9033: dist/.stages is') });
    expect(await read(folder, 'precious/foundation/kustomization.yaml')).toBe('mine\n');
  });
});

describe('an app that is removed', () => {
  const both = { ...agent, ...two, 'fleetwright.yaml': 'engine: flux\n' };

  test('leaves with its folder, and the stages of Flux no longer list it', async () => {
    const folder = await folderWith(both);
    await runIn(folder, ['synth']);
    const listed = async (): Promise<boolean> =>
      (await read(folder, 'dist/.stages/configs/kustomization.yaml')).includes('../../agent/');
    expect(await listed()).toBe(true);
    await rm(path.join(folder, 'apps/agent'), { recursive: true });
    expect((await runIn(folder, ['synth'])).out).toContain(
      'agent: the app no longer exists, removed dist/agent\n',
    );
    expect(await listed()).toBe(false);
    expect((await readdir(path.join(folder, 'dist'))).includes('agent')).toBe(false);
    expect((await runIn(folder, ['synth', '--check'])).code).toBe(0);
  });

  test('leaves if it has no add-on, and for other engines', async () => {
    const folder = await folderWith(both);
    await runIn(folder, ['synth']);
    await rm(path.join(folder, 'apps/two'), { recursive: true });
    expect((await runIn(folder, ['synth'])).out).toContain(
      'two: the app no longer exists, removed dist/two\n',
    );
    const other = await folderWith({ ...both, 'fleetwright.yaml': 'engine: argocd\n' });
    await runIn(other, ['synth']);
    await rm(path.join(other, 'apps/agent'), { recursive: true });
    expect((await runIn(other, ['synth'])).out).toContain(
      'agent: the app no longer exists, removed dist/agent\n',
    );
  });
});

describe('an object that two apps have', () => {
  const error = `error FW8008: app one has this object, too: both would apply it, and the removal of either app would delete it
 --> apps/two/c.yaml:1:1
  |
1 | apiVersion: v1
  | ^
  = object: ConfigMap default/one
  = hint: keep it in one app, or move shared objects to a separate app
`;

  test('is an error, and nothing is written', async () => {
    const folder = await folderWith({ ...two, 'apps/two/c.yaml': configMap('one') });
    const { code, err } = await runIn(folder, ['synth']);
    expect(code).toBe(1);
    expect(err).toBe(`${error}  = see: in app one, apps/one/a.yaml:1:1\n\n1 error in 2 apps\n`);
    expect(await readdir(folder)).toEqual(['apps']);
  });

  test('is an error if the other app is not compiled now', async () => {
    const folder = await folderWith({ ...two, 'apps/two/c.yaml': configMap('one') });
    await runIn(folder, ['synth', 'one', '--engine', 'flux']);
    const { code, err } = await runIn(folder, ['synth', 'two']);
    expect(code).toBe(1);
    expect(err).toBe(`${error}\n1 error\n`);
  });
});

describe('the engine', () => {
  const stages = ['add-ons', 'clusters', 'configs', 'foundation', 'placements'];
  const foldersOf = async (folder: string): Promise<string[]> =>
    (await readdir(path.join(folder, 'dist/agent'), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();

  test('is Argo CD unless fleetwright.yaml or --engine set another', async () => {
    const folder = await folderWith(agent);
    await runIn(folder, ['synth']);
    expect(await foldersOf(folder)).toEqual([]);
    expect(await read(folder, 'dist/agent/placement_default_pl.yaml')).toContain('sync-wave: "-3"');
    await writeFile(path.join(folder, 'fleetwright.yaml'), 'engine: flux\n');
    await runIn(folder, ['synth']);
    expect(await foldersOf(folder)).toEqual(stages);
    expect((await runIn(folder, ['synth', '--check'])).code).toBe(0);
    await runIn(folder, ['synth', '--engine', 'none']);
    expect(await foldersOf(folder)).toEqual([]);
    expect(await read(folder, 'dist/agent/placement_default_pl.yaml')).not.toContain('argocd');
  });

  test('must be an existing one', async () => {
    const folder = await folderWith({ ...agent, 'fleetwright.yaml': 'engine: fluxcd\n' });
    expect(await runIn(folder, ['synth'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: fleetwright.yaml:1: engine must be one of argocd, flux, none\n',
    });
  });
});

describe('an object or a link that leads out of the output folder', () => {
  const escaping = `apiVersion: v1
kind: ../../.github/workflows/x
metadata: { name: a }
on: push
`;

  test('is refused before anything is written', async () => {
    const folder = await folderWith({ 'apps/evil/a.yaml': escaping });
    const { code, out, err } = await runIn(folder, ['synth']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('error FW2002: kind "../../.github/workflows/x" must consist of letters, digits');
    expect((await readdir(folder)).sort()).toEqual(['apps']);
  });

  test.each(['dist', 'dist/one', 'dist/gone'])('as the link %s', async (name) => {
    const folder = await folderWith({
      ...two,
      'outside/.fleetwright.json': '{"files":["precious"]}',
      'outside/precious': 'precious',
    });
    const link = path.join(folder, name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(folder, 'outside'), link);
    const { code, err } = await runIn(folder, ['synth']);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/^error FW9033: \S+ is a symbolic link, and synth neither writes/) as string,
    });
    expect((await readdir(path.join(folder, 'outside'))).sort()).toEqual(['.fleetwright.json', 'precious']);
  });

  test('is the user’s choice above the folder and in --out', async () => {
    const folder = await folderWith({ 'here/apps/one/a.yaml': configMap('one'), 'there/keep': '' });
    const here = path.join(folder, 'linked');
    await symlink(path.join(folder, 'here'), here);
    expect(await runIn(here, ['synth', '--out', '../there/dist'])).toMatchObject({ code: 0, err: '' });
    expect(await read(folder, 'there/dist/one/kustomization.yaml')).toContain('configmap_default_one.yaml');
  });
});
