import { readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, runIn } from '../cli/terminal.ts';
import { exampleFiles } from './workspace.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Returns a copy of the example workspace, with some files replaced. */
async function workspaceWith(replaced: Readonly<Record<string, string>> = {}): Promise<string> {
  const cwd = await folderWith({ ...(await exampleFiles(replaced)), 'node_modules/.keep': '' });
  await symlink(root, path.join(cwd, 'node_modules/fleetwright'));
  return cwd;
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

const oneHub = 'hubs: { dev: { facts: { environment: dev, region: eu, logLevel: 2 } } }\n';

describe('synth of a workspace with several hubs', () => {
  test('writes one folder per hub and app, and the same in each folder of the workspace', async () => {
    const cwd = await workspaceWith();
    const { code, out, err } = await runIn(path.join(cwd, 'apps/agent'), ['synth']);
    expect(err.match(/^(?:error|warning|info) FW\d+/gm)).toEqual(['info FW8313', 'info FW8313']);
    expect(code).toBe(0);
    expect(out).toBe(`agent: 5 objects, 1 add-on, installed 2 times -> dist/dev/agent
metrics: 4 objects, 1 add-on, installed 2 times -> dist/dev/metrics
agent: 7 objects, 1 add-on, installed 4 times -> dist/prod-eu/agent
metrics: 4 objects, 1 add-on, installed 4 times -> dist/prod-eu/metrics
agent: 5 objects, 1 add-on, installed 4 times -> dist/prod-us/agent
metrics: 4 objects, 1 add-on, installed 4 times -> dist/prod-us/metrics
`);
    expect((await runIn(cwd, ['synth', '--check'])).code).toBe(0);
  });

  test('with --hub writes the folder of that hub only, and suggests the name of an unknown one', async () => {
    const cwd = await workspaceWith();
    expect((await runIn(cwd, ['synth', '--hub', 'prod-us'])).code).toBe(0);
    expect(await foldersIn(path.join(cwd, 'dist'))).toEqual(['prod-us']);
    expect(await runIn(cwd, ['synth', '--hub', 'prod-uss'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: unknown hub prod-uss\n  did you mean "prod-us"?\n',
    });
  });

  test('stays in dist/APP with one hub, and moves the output when hubs are added or removed', async () => {
    const cwd = await workspaceWith({ 'fleetwright.yaml': oneHub });
    expect((await runIn(cwd, ['synth'])).code).toBe(0);
    expect(await foldersIn(path.join(cwd, 'dist'))).toEqual(['agent', 'metrics']);
    const { 'fleetwright.yaml': several = '' } = await exampleFiles();
    await writeFile(path.join(cwd, 'fleetwright.yaml'), several);
    expect((await runIn(cwd, ['synth', '--check'])).code).toBe(1);
    expect((await runIn(cwd, ['synth'])).code).toBe(0);
    expect(await readdir(path.join(cwd, 'dist'))).toEqual(['dev', 'prod-eu', 'prod-us']);
    expect((await runIn(cwd, ['synth', '--check'])).code).toBe(0);
    await writeFile(path.join(cwd, 'fleetwright.yaml'), oneHub);
    const { out } = await runIn(cwd, ['synth']);
    expect(out).toContain('prod-us: the hub no longer exists, removed dist/prod-us\n');
    expect(await foldersIn(path.join(cwd, 'dist'))).toEqual(['agent', 'metrics']);
  });

  test('writes nothing if an app fails for one hub, and names the fact that the hub lacks', async () => {
    const cwd = await workspaceWith({
      'fleetwright.yaml':
        'hubs:\n  dev: { facts: { environment: dev, region: eu, logLevel: 2 } }\n  prod-eu: { facts: { environment: production, region: eu, logLevel: 2 } }\n',
    });
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(1);
    expect(err).toContain(
      'error FW9072: hub prod-eu has the fact environment: "production", and the app needs one of dev, prod\n',
    );
    expect(await readdir(cwd)).not.toContain('dist');
  });

  test('reports an app with a function if there are no hubs, and a hub without a fleet', async () => {
    const none = await workspaceWith({ 'fleetwright.yaml': '' });
    expect((await runIn(none, ['synth', 'agent'])).err).toContain(
      'error FW9070: the app exports a function of a hub, but the workspace names no hubs\n',
    );
    const cwd = await workspaceWith({
      'fleetwright.yaml':
        'hubs:\n  dev:\n    facts: { environment: dev, region: eu, logLevel: 2 }\n  test:\n    facts: { environment: dev, region: eu, logLevel: 2 }\n',
    });
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(0);
    expect(err).toContain(
      'warning FW9013: hub test: apps "agent" and "metrics" have no fleet snapshot, so no cluster is predicted',
    );
    expect(err).toContain('= hint: fleetwright fleet pull --hub test\n');
  });

  test('reads the overlay of each hub instead of the other files of the app', async () => {
    const { 'apps/metrics/metrics.yaml': text = '' } = await exampleFiles();
    const cwd = await workspaceWith({
      'apps/metrics/overlays/prod-us/kustomization.yaml': 'resources: [metrics.yaml]\n',
      'apps/metrics/overlays/prod-us/metrics.yaml': text.replace('30s', '10s'),
      'apps/metrics/overlays/prod-ue/kustomization.yaml': 'resources: []\n',
    });
    const intervalOn = async (hub: string): Promise<string> =>
      (
        await runIn(cwd, [
          'explain',
          'local-cluster',
          'metrics',
          'INTERVAL',
          '--app',
          'metrics',
          '--hub',
          hub,
        ])
      ).out;
    expect(await intervalOn('prod-us')).toContain('"10s"');
    expect(await intervalOn('prod-us')).toContain('apps/metrics/overlays/prod-us/metrics.yaml');
    expect(await intervalOn('prod-eu')).toContain('"30s"');
    const { err } = await runIn(cwd, ['validate']);
    expect(err).toContain(
      'warning FW9075: apps/metrics/overlays/prod-ue is read for no hub, because the workspace has no hub "prod-ue"\n',
    );
    expect(err).toContain('= hint: did you mean prod-eu?\n');
  });

  test('does not read the fleet of one app for several hubs', async () => {
    const { 'fleets/dev.yaml': fleet = '' } = await exampleFiles();
    const cwd = await workspaceWith({ 'apps/metrics/fleet.yaml': fleet });
    const { err } = await runIn(cwd, ['validate']);
    expect(err).toContain('FW9071: hub dev: apps/metrics/fleet.yaml is not read');
    expect((await runIn(cwd, ['explain', 'us-1', 'metrics', '--app', 'metrics'])).code).toBe(0);
  });
});

describe('hubs in fleetwright.yaml', () => {
  const wrong: readonly (readonly [what: string, text: string, message: string])[] = [
    ['an unknown key', 'hubs: { dev: { fleets: x } }', 'hubs.dev.fleets is unknown'],
    ['an invalid name', 'hubs: { Dev: {} }', 'hubs.Dev is not a valid name of a hub'],
    ['a path outside', 'hubs: { dev: { out: ../x } }', 'hubs.dev.out leads outside of the workspace'],
    [
      'a common output',
      'hubs: { a: { out: x }, b: { out: x/y } }',
      'hubs.b.out writes to x/y, and hub a to x',
    ],
    ['an unknown hub in equal', 'hubs: { a: {}, b: {} }\nequal: [a, c]', 'equal[1] is not a hub'],
  ];
  test.each(wrong)('has no %s', async (_what, text, message) => {
    const cwd = await folderWith({ 'fleetwright.yaml': text, 'apps/a/a.yaml': '' });
    const { code, err } = await runIn(cwd, ['synth']);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('may have a name alone, and a release without quotes', async () => {
    const cwd = await workspaceWith({
      'fleetwright.yaml': 'hubs:\n  dev:\n  prod-eu: { hubVersion: 1.2 }\n',
      'apps/agent/app.ts': `import { App } from 'fleetwright';
import { Chart, ManagedClusterSet } from 'fleetwright';
export default ({ name, hubVersion, clusters }) => {
  const app = new App();
  new ManagedClusterSet(new Chart(app, 'sets'), \`\${name}-\${hubVersion}-\${clusters.length}\`, {});
  return app;
};
`,
    });
    await runIn(cwd, ['synth', 'agent']);
    expect(await readdir(path.join(cwd, 'dist/dev/agent'))).toContain('managedclusterset_dev-1.3-2.yaml');
    expect(await readdir(path.join(cwd, 'dist/prod-eu/agent'))).toContain(
      'managedclusterset_prod-eu-1.2-4.yaml',
    );
  });
});
