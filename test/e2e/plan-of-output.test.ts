import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { GitRepository } from './repository.ts';

const fleet = fleetOf({ c1: { env: 'prod' }, c2: { env: 'prod' }, c3: { env: 'dev' } });

/** An app that prints when it runs. */
const source = (level: string, { name = 'typed', extra = '' } = {}): string => `import {
  AddOnDeploymentConfig,
  AddOnParameters,
  App,
  Chart,
  ClusterManagementAddOn,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
} from 'fleetwright';

console.log('the code of ${level} ran');
const app = new App();
const chart = new Chart(app, '${name}', { namespace: 'default' });
new ManagedClusterSetBinding(chart, 'global', { clusterSet: ManagedClusterSet.global });
const placement = new Placement(chart, 'all', { predicates: [{ labels: { env: 'prod' } }] });
const config = new AddOnDeploymentConfig(chart, 'config', { customizedVariables: { LEVEL: '${level}' } });
new ClusterManagementAddOn(chart, '${name}', {
  defaultConfigs: [config],
  placements: [{ placement }],
});
${extra}
void AddOnParameters;
export default app;
`;

/** An app that a promotion holds back: its configuration is named by its content. */
const promotedSource = (level: string, delivery: string): string =>
  source(level)
    .replace('{ customizedVariables', "{ immutable: true, agentInstallNamespace: '', customizedVariables")
    .replace(
      '  defaultConfigs: [config],\n  placements: [{ placement }],',
      `  delivery: '${delivery}',\n  defaultConfigs: [template, base],\n  placements: [{ placement, configs: [config] }],`,
    )
    .replace(
      /new ClusterManagementAddOn/,
      `const template = new AddOnTemplate(chart, 'template', { name: 'typed-1', addonName: 'typed', workload });\nconst base = new AddOnDeploymentConfig(chart, 'base', { agentInstallNamespace: '' });\nnew ClusterManagementAddOn`,
    )
    .replace(
      '  AddOnDeploymentConfig,\n  AddOnParameters,',
      '  AddOnDeploymentConfig,\n  AddOnTemplate,\n  ApiObject,',
    )
    .replace(
      'const app = new App();',
      `const app = new App();\nconst workload = (parts: Chart): void => {\n  new ApiObject(parts, 'c', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'default' }, data: { level: '{{LEVEL}}' } });\n};`,
    )
    .replace('void AddOnParameters;\n', '');

const promotion = `apiVersion: fleetwright.dev/v1alpha1
kind: Promotion
metadata: { name: typed }
spec: {}
`;

/** Locations of constructs have columns only where the code ran, and the hash covers the texts of both. */
const withoutHash = (text: string): string => text.replace(/^hash: .*$/m, '');

const app = 'apps/typed/app.ts';

let repository: GitRepository;
let start: string;

beforeEach(async () => {
  repository = new GitRepository();
  vi.stubEnv('TMPDIR', repository.temporary);
  repository.write({ 'package.json': '{ "type": "module" }\n', [app]: source('info'), 'fleet.yaml': fleet });
  await synth();
  start = repository.commit('start', {});
  repository.branch('change', start);
});

afterEach(() => {
  vi.unstubAllEnvs();
  repository.remove();
});

async function synth(): Promise<void> {
  const { code, err } = await repository.fleetwright(['synth']);
  if (code !== 0) throw new Error(err);
}

async function planned(...options: string[]): Promise<{ code: number; out: string; err: string }> {
  return await repository.fleetwright(['plan', `${start}..change`, ...options]);
}

function output(name: string): string {
  return readFileSync(path.join(repository.root, 'dist/typed', name), 'utf8');
}

/** The findings, with the revisions by their role. */
function findings(err: string): string[] {
  return err
    .split('\n')
    .filter((line) => /^(?:error|warning|info) FW/.test(line))
    .map((line) => line.replaceAll(start, 'START'));
}

const compared =
  'info FW8140: the plan compares the committed output of 1 app, and runs no code of change; it does not verify that the output belongs to the sources';
const config = 'addondeploymentconfig_default_config.yaml';

describe('a plan of a revision with committed output', () => {
  test('runs no code, and has the clusters, values and causes of the plan that runs it', async () => {
    repository.write({ [app]: source('debug') });
    await synth();
    repository.commit('edit', {});
    const { code, out, err } = await planned();
    expect({ code, findings: findings(err) }).toEqual({
      code: 0,
      findings: [
        compared,
        'info FW8144: dist/typed has the compiled configurations of AddOnParameters: causes name these instead of the layers',
      ],
    });
    expect(err).not.toContain(' ran');
    const ran = await planned('--run-apps');
    expect(ran.err).toContain('apps/typed/app.ts | the code of debug ran');
    expect(out).toContain('(apps/typed/app.ts:17)');
    // The constructs know the column of the call, and the hash covers no location.
    expect(out).toBe(ran.out);
  });

  test.each(['hub', 'compiled'])(
    'shows what a promotion of %s delivery holds back, as the plan that runs the code',
    async (delivery) => {
      const promoted = (level: string): string => promotedSource(level, delivery);
      repository.write({ [app]: promoted('info') });
      await synth();
      repository.commit('immutable', {});
      repository.write({ 'promotions/typed.yaml': promotion });
      await repository.fleetwright(['promote']);
      start = repository.commit('promoted', {});
      repository.write({ [app]: promoted('debug') });
      await synth();
      repository.commit('edit', {});
      const { out, err } = await planned();
      expect(out).toContain('not with the merge, but when the promotion releases it');
      expect(out).toContain('with the merge: no add-on changes; when the promotion releases it: 2 changed');
      expect(findings(err)).toEqual([compared]);
      const ran = await planned('--run-apps');
      expect(withoutHash(out)).toBe(withoutHash(ran.out));
    },
  );

  test('says nothing of other dependencies unless it runs the code', async () => {
    repository.write({ [app]: source('debug'), 'package-lock.json': '{}\n' });
    await synth();
    repository.commit('dependencies', {});
    expect((await planned()).err).not.toContain('FW8003');
    expect((await planned('--run-apps')).err).toContain('warning FW8003: package-lock.json differs between');
  });

  test('has no lines of the output as causes, where no line of the sources names the object', async () => {
    repository.write({ [app]: source('info', { extra: "new Placement(chart, ['c', 'e3'].join('lust'));" }) });
    await synth();
    repository.commit('add', {});
    repository.branch('empty', start);
    const { out } = await repository.fleetwright(['plan', `${start}..change`, '-o', 'json']);
    const places = [...out.matchAll(/"construct": "([^"]+)"/g)].map(([, place]) => place);
    expect(new Set(places)).toEqual(new Set(['dist/typed/placement_default_cluste3.yaml']));
    expect(out).not.toMatch(/"file": "dist/);
  });

  test('is the default for folders too, but not for the working tree', async () => {
    repository.write({ [app]: source('debug') });
    await synth();
    const { err } = await repository.fleetwright(['plan', start]);
    expect(err).toContain('the code of debug ran');
    const without = await repository.fleetwright(['plan', start, '--no-run-apps']);
    expect(without.err).not.toContain(' ran');
    expect(without.out).toContain('"info" -> "debug"');
  });

  test('runs the apps of a repository that commits no output', async () => {
    repository.write({ '.gitignore': 'node_modules\ndist\n' });
    repository.commit('without', Object.fromEntries([['.gitignore', 'node_modules\ndist\n']]));
    const base = repository.commit('untracked', removed());
    const head = repository.commit('edit', { [app]: source('debug') });
    const { err } = await repository.fleetwright(['plan', `${base}..${head}`]);
    expect(err).toContain('the code of debug ran');
    const refused = await repository.fleetwright(['plan', `${base}..${head}`, '--no-run-apps']);
    expect(refused.code).toBe(1);
    expect(refused.err).not.toContain(' ran');
    expect(findings(refused.err)).toEqual([
      `error FW8143: ${head} has no output of apps/typed in dist/typed, and plan runs no code of a revision`,
    ]);
  });

  test('compares with nothing if the base has no output yet', async () => {
    const base = repository.commit('untracked', removed());
    repository.write({ [app]: source('debug') });
    await synth();
    const head = repository.commit('edit', {});
    const { code, err, out } = await repository.fleetwright(['plan', `${base}..${head}`]);
    expect(code).toBe(0);
    expect(out).toContain('installed on 2 clusters');
    expect(err).not.toContain(' ran');
    expect(err).toContain(
      `warning FW8142: ${base} has no output of apps/typed in dist/typed, so everything in the output of the change counts as added`,
    );
  });
});

/** Removes the whole output. */
function removed(): Record<string, undefined> {
  const { files } = JSON.parse(output('.fleetwright.json')) as { files: readonly string[] };
  return Object.fromEntries(
    [...files, '.fleetwright.json'].map((name) => [`dist/typed/${name}`, undefined] as const),
  );
}

describe('output that the sources do not explain is named as unverified', () => {
  test('after an edit by hand, whose effect the plan shows', async () => {
    const edited = output(config).replace('value: info', 'value: evil');
    repository.commit('edit', { [`dist/typed/${config}`]: edited });
    const { out, err } = await planned();
    expect(out).toContain('"info" -> "evil"');
    expect(findings(err)).toContain(
      'warning FW8141: dist/typed is unverified: dist/typed/resolution.yaml does not describe the objects beside it, so the output is stale or was edited by hand',
    );
  });

  test('after a change of the sources alone', async () => {
    repository.commit('edit', { [app]: source('evil') });
    const { out, err } = await planned();
    expect(out).toContain('nothing changes');
    expect(findings(err)).toContain(
      'warning FW8141: dist/typed is unverified: apps/typed changes and the output does not, so the output may be stale',
    );
  });

  test('in a folder of no app', async () => {
    repository.commit('add', {
      'dist/other/.fleetwright.json': '{ "files": ["namespace_evil.yaml"] }\n',
      'dist/other/namespace_evil.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: evil }\n',
    });
    const { out, err } = await planned();
    expect(out).toContain('Namespace evil');
    expect(findings(err)).toContain(
      'warning FW8141: dist/other is unverified: it has objects, and no app has that name',
    );
  });

  test('and a list of removed objects hides no object that the base does not have', async () => {
    const ownership = JSON.parse(output('.fleetwright.json')) as { files: string[] };
    const files = [...ownership.files, 'namespace_evil.yaml'];
    const removed = { Namespace: ['namespace_evil.yaml'] };
    repository.commit('hide', {
      'dist/typed/.fleetwright.json': JSON.stringify({ ...ownership, files, removed }),
      // The engine applies only what is listed.
      'dist/typed/kustomization.yaml': `${output('kustomization.yaml')}- namespace_evil.yaml\n`,
      'dist/typed/namespace_evil.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: evil }\n',
    });
    const { out } = await planned();
    expect(out).toContain('Namespace evil');
  });

  test('and an object that leaves counts as removed', async () => {
    repository.write({ [app]: source('info', { extra: "new Placement(chart, 'later');" }) });
    await synth();
    const before = repository.commit('add', {});
    repository.write({ [app]: source('info') });
    await synth();
    const after = repository.commit('remove', {});
    expect(output('placement_default_later.yaml')).toContain('later');
    const planOf = async (...options: string[]): Promise<string> =>
      (await repository.fleetwright(['plan', `${before}..${after}`, ...options])).out;
    const read = await planOf();
    expect(read).toContain('Placement default/later');
    expect(read).toBe(await planOf('--run-apps'));
  });
});
