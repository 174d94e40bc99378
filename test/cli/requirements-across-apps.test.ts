import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { addOn, fleet, textOf } from '../compiler/requirements/required-states.ts';
import { runIn } from './run-in.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Apps = Readonly<Record<string, readonly object[]>>;

/** Writes a workspace, whose add-ons of other apps are expected on the hub. */
function workspace(apps: Apps, folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-requires-'))): string {
  folders.push(folder);
  const external = `[{ kind: ClusterManagementAddOn, name: cert-manager }]`;
  const files = Object.entries(apps).map(([app, objects]) => [`apps/${app}/app.yaml`, textOf(objects)]);
  for (const [name, text] of [
    ['fleetwright.yaml', `external: ${external}\n`],
    ['fleet.yaml', fleet],
    ...files,
  ]) {
    const file = path.join(folder, name ?? '');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text ?? '');
  }
  return folder;
}

/** The findings about requirements of a command, sorted. */
async function reported(cwd: string, ...commandLine: string[]): Promise<string[]> {
  const { code, out, err } = await runIn(cwd, commandLine);
  if (code === 2) throw new Error(out + err);
  const lines = (out + err).split('\n').filter((line) => /^\w+ FW(?:401\d|402[12]|8064):/.test(line));
  return lines.toSorted();
}

const agent = addOn('agent', { requires: 'cert-manager X=1' });
const complete = addOn('cert-manager', { variables: { X: '1' } });
const broken = addOn('cert-manager', { variables: { X: '2' }, placement: 'prod' });
const order = expect.stringMatching(/^warning FW4021: /) as string;
const unchecked = (count: number): string =>
  `info FW4018: add-on "agent" requires "cert-manager", which is not defined here: the fleet snapshot has it on ${count} of 4 clusters with "agent"`;
const findings = [
  'error FW4015: 1 cluster gets add-on "agent" without "cert-manager", which it requires ("c4"): its placements select 3 of 4 clusters with "agent"',
  'error FW4017: add-on "agent" requires "cert-manager" with X=1, but on 3 clusters, such as "c1", AddOnDeploymentConfig "default/cert-manager" sets "2"',
];

describe.each([
  ['synth', ['synth']],
  ['validate', ['validate']],
  ['validate of one app', ['validate', 'agent']],
  ['validate of the folder of one app', ['validate', 'apps/agent']],
])('%s', (_, commandLine) => {
  test('compares an app with the app whose add-on it requires', async () => {
    const cwd = workspace({ agent, base: broken, other: addOn('other') });
    expect(await reported(cwd, ...commandLine)).toEqual([...findings, order]);
  });

  test('does not report a requirement as not checked if another app meets it', async () => {
    expect(await reported(workspace({ agent, base: complete }), ...commandLine)).toEqual([order]);
  });

  test('FW4018: no app has the add-on', async () => {
    const cwd = workspace({ agent, base: addOn('base') });
    expect(await reported(cwd, ...commandLine)).toEqual([unchecked(0), order]);
  });
});

describe('validate of one app', () => {
  test('does not report the findings of the other apps', async () => {
    const cwd = workspace({ agent, base: [...complete, ...addOn('c', { requires: 'missing' })] });
    expect(await reported(cwd, 'validate', 'agent')).toEqual([order]);
    expect(await reported(cwd, 'validate', 'base')).toEqual([
      expect.stringMatching(/^error FW4015: add-on "c" requires "missing"/),
      order,
    ]);
  });

  test('says that a requirement is not checked if the other app does not resolve', async () => {
    const cwd = workspace({
      agent,
      base: [...complete, { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }],
    });
    expect(await reported(cwd, 'validate', 'agent')).toEqual([unchecked(0), order]);
  });

  test('compares no files outside of apps', async () => {
    const cwd = workspace({ agent, base: broken });
    writeFileSync(path.join(cwd, 'agent.yaml'), textOf(agent));
    expect(await reported(cwd, 'validate', 'agent.yaml', 'fleet.yaml')).toEqual([unchecked(0), order]);
  });
});

describe('plan', () => {
  const plan = async (before: Apps, after: Apps, ...options: string[]): Promise<string[]> => {
    const cwd = mkdtempSync(path.join(tmpdir(), 'fleetwright-requires-'));
    folders.push(cwd);
    workspace(before, path.join(cwd, 'old'));
    workspace(after, path.join(cwd, 'new'));
    return await reported(cwd, 'plan', 'old', 'new', ...options);
  };

  test('reports conditions that a change of another app breaks', async () => {
    const uninstall = expect.stringMatching(/^warning FW8064: /) as string;
    const [before, after] = [
      { agent, base: complete },
      { agent, base: broken },
    ];
    expect(await plan(before, after)).toEqual([...findings, uninstall]);
    expect(await plan(before, after, '--app', 'agent')).toEqual(findings);
  });

  test('reports neither what the change does not break nor what it checks', async () => {
    expect(await plan({ agent, base: complete }, { agent, base: complete })).toEqual([]);
    expect(await plan({ base: complete }, { agent, base: complete })).toEqual([order]);
    expect(await plan({ base: complete }, { agent, base: complete }, '--app', 'agent')).toEqual([order]);
    expect(await plan({ base: addOn('base') }, { agent, base: addOn('base') })).toEqual([
      unchecked(0),
      order,
    ]);
  });

  test('FW8064: a change of an app uninstalls what an add-on of another app requires', async () => {
    const base = addOn('cert-manager', { variables: { X: '1' }, placement: 'prod' });
    expect(await plan({ agent, base: complete }, { agent, base })).toContain(
      'warning FW8064: uninstalling "cert-manager" leaves 1 add-on without it ("agent") on 1 cluster',
    );
    expect(await plan({ agent, base: complete }, { agent, other: addOn('other') })).toContain(
      'warning FW8064: uninstalling "cert-manager" leaves 1 add-on without it ("agent") on 4 clusters',
    );
    expect(await plan({ agent, base: complete }, { other: addOn('other') })).toEqual([
      'warning FW8064: uninstalling "cert-manager" takes 1 other along ("agent") on 4 clusters',
    ]);
  });
});
