import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, runIn } from '../cli/terminal.ts';
import { app, clusters } from '../compiler/plan/states.ts';
import { fleetOf } from '../resolve-text.ts';

const fleet = fleetOf(clusters);
/** The same fleet without its first cluster. */
const smaller = fleetOf(Object.fromEntries(Object.entries(clusters).filter(([name]) => name !== 'c1')));

const answers: readonly (readonly string[])[] = [
  ['synth', '--check'],
  ['validate'],
  ['validate', 'hello'],
  ['resolve', 'apps/hello'],
  ['rollout', 'hello'],
  ['explain', 'c1'],
  ['who-uses', 'default/base'],
  ['render', 'c1', 'hello'],
  ['machine', 'generate', 'apps/hello'],
];

/** What each command prints, without the file names of the fleet. */
async function printed(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const cwd = await folderWith(files);
  expect(await runIn(cwd, ['synth'])).toMatchObject({ code: 0 });
  const texts: string[] = [];
  for (const command of answers) {
    const { code, out, err } = await runIn(cwd, command);
    texts.push(`${code} ${out}${err}`.replaceAll(/(?:apps\/hello\/)?fleet\.yaml/g, 'FLEET'));
  }
  return texts;
}

describe('a fleet at the top of the workspace', () => {
  test('serves an app as a fleet beside the app does, in every command', async () => {
    const beside = await printed({ 'apps/hello/hub.yaml': app, 'apps/hello/fleet.yaml': fleet });
    expect(await printed({ 'apps/hello/hub.yaml': app, 'fleet.yaml': fleet })).toEqual(beside);
  });

  test('serves every app except one with its own fleet', async () => {
    const cwd = await folderWith({
      'apps/hello/hub.yaml': app,
      'apps/own/hub.yaml': app,
      'apps/own/fleet.yaml': smaller,
      'fleet.yaml': fleet,
    });
    const { out } = await runIn(cwd, ['validate', '-o', 'json']);
    expect(out).not.toContain('FW9013');
    expect((await runIn(cwd, ['explain', 'c1', '--app', 'hello'])).code).toBe(0);
    expect(await runIn(cwd, ['explain', 'c1', '--app', 'own'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('the fleet has no cluster c1') as string,
    });
  });

  test('is the one that fleetwright.yaml names, and --fleet overrides it', async () => {
    const files = {
      'apps/hello/hub.yaml': app,
      'snapshots/hub.yaml': fleet,
      'other.yaml': smaller,
      'fleetwright.yaml': 'fleet: { path: snapshots/hub.yaml, maxAge: 3d }\n',
    };
    const cwd = await folderWith(files);
    for (const folder of [cwd, path.join(cwd, 'apps/hello')])
      expect((await runIn(folder, ['explain', 'c1'])).code).toBe(0);
    expect((await runIn(cwd, ['explain', 'c1', '--fleet', 'other.yaml'])).code).toBe(2);
  });

  test('does not serve files outside the apps of the workspace', async () => {
    const cwd = await folderWith({ 'apps/hello/hub.yaml': app, 'fleet.yaml': fleet, 'other/hub.yaml': app });
    expect((await runIn(cwd, ['resolve', 'other'])).err).toContain('FW9013');
    expect((await runIn(cwd, ['resolve', 'apps/hello'])).err).not.toContain('FW9013');
  });

  test('counts in a plan as part of each state', async () => {
    const cwd = await folderWith({
      'old/apps/hello/hub.yaml': app,
      'old/fleet.yaml': smaller,
      'new/apps/hello/hub.yaml': app,
      'new/fleet.yaml': fleet,
    });
    const { out } = await runIn(cwd, ['plan', 'old', 'new']);
    expect(out).toContain('c1');
    expect((await runIn(cwd, ['plan', 'new', 'new'])).out).toContain('nothing changes');
  });

  test('is an error if fleetwright.yaml names one that does not exist', async () => {
    const cwd = await folderWith({
      'apps/hello/hub.yaml': app,
      'fleetwright.yaml': 'engine: flux\nfleet: [hub.json]\n',
    });
    for (const command of [['synth'], ['explain', 'c1'], ['validate']])
      expect(await runIn(cwd, command)).toEqual({
        code: 2,
        out: '',
        err: 'fleetwright: fleetwright.yaml:2: fleet hub.json does not exist\n  fleetwright fleet pull --out hub.json\n',
      });
  });
});

describe('fleetwright.yaml', () => {
  const files = { 'addons/hello/hub.yaml': app, 'fleet.yaml': fleet };

  test('names the folders of apps and output, for every command from every folder', async () => {
    const cwd = await folderWith({
      ...files,
      'fleetwright.yaml': 'apps: addons/\nout: build/manifests\nengine: flux\n',
    });
    for (const folder of [cwd, path.join(cwd, 'addons'), path.join(cwd, 'addons/hello')]) {
      const { code, out } = await runIn(folder, ['synth']);
      expect(code).toBe(0);
      expect(out).toContain('-> build/manifests/hello');
      expect((await runIn(folder, ['synth', '--check'])).code).toBe(0);
      expect((await runIn(folder, ['explain', 'c1'])).code).toBe(0);
      expect((await runIn(folder, ['validate'])).code).toBe(0);
    }
    expect((await runIn(cwd, ['resolve', 'hello'])).err).not.toMatch(/^(?:error|warning) /m);
    expect(await runIn(cwd, ['machine', 'generate', '.', '--app', 'hello'])).toEqual(
      await runIn(cwd, ['machine', 'generate', 'addons/hello']),
    );
    expect((await runIn(cwd, ['machine', 'oci', '--to', 'artifact', '--tag', 'v1'])).out).toContain(
      'of build/manifests',
    );
  });

  test('lets each state of a plan have its folder of apps', async () => {
    const cwd = await folderWith({
      'old/apps/hello/hub.yaml': app,
      'old/fleet.yaml': fleet,
      'new/addons/hello/hub.yaml': app,
      'new/fleet.yaml': fleet,
      'new/fleetwright.yaml': 'apps: { folder: addons }\n',
    });
    expect((await runIn(cwd, ['plan', 'old', 'new'])).out).toContain('nothing changes');
  });

  test.each(["'1.2'", '1.2'])('sets the release of the hub: %s', async (release) => {
    const cwd = await folderWith({
      ...files,
      'fleetwright.yaml': `apps: addons\nhubVersion: ${release}\nplan: { by: env }\n`,
    });
    const planned = await runIn(cwd, ['plan', '.', '.', '-o', 'json']);
    expect(JSON.parse(planned.out)).toMatchObject({ release: '1.2' });
    const flag = await runIn(cwd, ['plan', '.', '.', '-o', 'json', '--hub-version', '1.3']);
    expect(JSON.parse(flag.out)).toMatchObject({ release: '1.3' });
  });

  test.each([
    ['hubVersion: 1.9', 'fleetwright.yaml:1: hubVersion must be one of 1.1, 1.2, 1.3'],
    ['engin: flux', 'fleetwright.yaml:1: engin is unknown: use one of '],
    ['plan: { by: { env: prod } }', 'fleetwright.yaml:1: plan.by is neither a string nor a list of strings'],
    ['apps: ../other', 'fleetwright.yaml:1: apps leads outside of the workspace'],
    ['out: /srv/dist', 'fleetwright.yaml:1: out leads outside of the workspace'],
    ['fleet: a/../../fleet.yaml', 'fleetwright.yaml:1: fleet leads outside of the workspace'],
    ['- engine', 'fleetwright.yaml:1: the file is not a mapping'],
  ])('is not read with %s', async (text, message) => {
    const cwd = await folderWith({ ...files, 'fleetwright.yaml': `${text}\n` });
    for (const command of [
      ['synth'],
      ['validate', 'addons/hello'],
      ['plan', '.', '.'],
      ['resolve', 'addons'],
    ]) {
      const { code, out, err } = await runIn(cwd, command);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(`fleetwright: ${message}`);
    }
  });

  test('has no settings of the workspace if --policy names another file', async () => {
    const cwd = await folderWith({
      'apps/hello/hub.yaml': app,
      'fleet.yaml': fleet,
      'limits.yaml': 'engine: flux\n',
    });
    expect(await runIn(cwd, ['synth', '--policy', 'limits.yaml'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: limits.yaml:1: engine is not read from this file\n  write it in fleetwright.yaml\n',
    });
  });
});
