import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Plan } from '../../src/compiler/plan/plan.ts';
import type { PlanPage } from '../../src/compiler/report/html/plan-page-data.ts';
import { markdownFaults, planJsonFaults, sarifFaults } from '../compiler/report/report-formats.ts';
import { fleetOf } from '../resolve-text.ts';
import { app, clusters, installed, template } from '../compiler/plan/states.ts';
import { GitRepository } from './repository.ts';

const typescriptApp = (
  level: string,
): string => `import { AddOnDeploymentConfig, App, Chart, ClusterManagementAddOn, ManagedClusterSet, ManagedClusterSetBinding, Placement } from 'fleetwright';

const app = new App();
const chart = new Chart(app, 'typed', { namespace: 'default' });
new ManagedClusterSetBinding(chart, 'global', { clusterSet: ManagedClusterSet.global });
const placement = new Placement(chart, 'all', { predicates: [{ labels: { env: 'prod' } }] });
new ClusterManagementAddOn(chart, 'typed', {
  defaultConfigs: [new AddOnDeploymentConfig(chart, 'config', { customizedVariables: { LEVEL: '${level}' } })],
  placements: [{ placement }],
});
export default app;
`;

const yaml = 'apps/hello/hub.yaml';
const fleet = 'apps/hello/fleet.yaml';

let repository: GitRepository;
const commits: Record<string, string> = {};

/** Text without the hash, which the tests of the plan hold. */
async function planned(
  range: string,
  ...options: string[]
): Promise<{ code: number; text: string; err: string }> {
  const { code, out, err } = await repository.fleetwright(['plan', range, ...options]);
  return { code, text: out.replace(/hash: [0-9a-f]{64}\n$/, ''), err };
}

beforeAll(() => {
  repository = new GitRepository();
  vi.stubEnv('TMPDIR', repository.temporary);
  const start = repository.commit('start', {
    [yaml]: app,
    [fleet]: fleetOf(clusters),
    'package.json': '{ "type": "module" }\n',
    'package-lock.json': '{}\n',
  });
  const change = (name: string, files: Readonly<Record<string, string | undefined>>): void => {
    repository.branch(name, start);
    commits[name] = repository.commit(name, files);
  };
  commits['start'] = start;
  change('typo', { [yaml]: app.replace('values: [prod, stage]', 'values: [prod, stagee]') });
  change('label', { [fleet]: fleetOf({ ...clusters, c3: { env: 'dev', region: 'us' } }) });
  change('precedence', {
    [yaml]: app.replace(
      installed('stage') + installed('prod', 'prod'),
      installed('prod', 'prod') + installed('stage'),
    ),
  });
  change('bump', {
    [yaml]:
      app.replace('defaultConfig: { name: t1 }', 'defaultConfig: { name: t2 }') +
      template('t2', '{ level: "{{LEVEL}}!" }'),
  });
  change('cluster', { [fleet]: fleetOf({ ...clusters, c7: { env: 'prod', region: 'eu' } }) });
  change('removed', {
    [yaml]: app.replace(/---\napiVersion: cluster[^]*?metadata: \{ name: stage,[^]*?(?=---)/, ''),
  });
  change('widened', { [yaml]: app.replace('value: "info"', 'value: "debug"') });
  change('broken', {
    [yaml]: app
      .replace('kind: Placement\n', 'kind: Placement\nspecs: {}\n')
      .replace('tolerations:', 'tolerationz:'),
  });
  change('dependencies', { 'package-lock.json': '{ "lockfileVersion": 3 }\n' });
  change('typed', { 'apps/typed/app.ts': typescriptApp('info'), 'apps/typed/fleet.yaml': fleetOf(clusters) });
  repository.branch('typed-edit', 'typed');
  commits['typed-edit'] = repository.commit('edit', { 'apps/typed/app.ts': typescriptApp('debug') });
});

afterAll(() => {
  vi.unstubAllEnvs();
  repository.remove();
});

/** Only the new template of `bump` has manifests that the change edits. */
const findings: ReadonlyMap<string, readonly string[]> = new Map([
  ['typo', ['warning FW7007']],
  ['bump', ['info FW8313']],
]);

describe('a change in Git', () => {
  test.each(['typo', 'label', 'precedence', 'bump', 'cluster', 'widened'])('%s', async (name) => {
    const { code, text, err } = await planned(
      `start..${name}`.replace('start', commits['start'] ?? ''),
      '--by',
      'env',
    );
    const codes = err.match(/^(?:error|warning|info) FW\d+/gm) ?? [];
    expect({ code, codes }).toEqual({ code: 0, codes: findings.get(name) ?? [] });
    await expect(text).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  test('a placement that is removed under an add-on is an error', async () => {
    const { code, text, err } = await planned(`${commits['start']}..removed`);
    expect(code).toBe(1);
    await expect(`${text}\n${err}`).toMatchFileSnapshot('golden/removed.txt');
  });
});

describe('every change in every format', () => {
  const changes = ['typo', 'label', 'precedence', 'bump', 'cluster', 'widened', 'removed'];

  async function reported(name: string, format: string): Promise<string> {
    const { code, out } = await repository.fleetwright([
      'plan',
      `${commits['start']}..${name}`,
      '--by',
      'env',
      '-o',
      format,
    ]);
    expect(code).toBe(name === 'removed' ? 1 : 0);
    const shown = (commit = ''): RegExp => new RegExp(`${commit.slice(0, 12)}(?:${commit.slice(12)})?`, 'g');
    return out.replaceAll(shown(commits['start']), 'START').replaceAll(shown(commits[name]), 'CHANGE');
  }

  test.each(changes)('%s as a comment', async (name) => {
    const text = await reported(name, 'markdown');
    expect(markdownFaults(text)).toEqual([]);
    await expect(text).toMatchFileSnapshot(`golden/${name}.md`);
  });

  test.each(changes)('%s as JSON, SARIF and a page', async (name) => {
    const json = await reported(name, 'json');
    expect(planJsonFaults(json)).toEqual([]);
    expect(sarifFaults(await reported(name, 'sarif'))).toEqual([]);
    const [, data = ''] =
      /<script type="application\/json" id="plan">(.*?)<\/script>/.exec(await reported(name, 'html')) ?? [];
    const page = JSON.parse(data) as PlanPage;
    const plan = JSON.parse(json) as Plan;
    expect(page.addOns.map(({ groups }) => groups.map(({ effect }) => effect))).toEqual(
      plan.addOns.map(({ groups }) => groups.map(({ effect }) => effect)),
    );
    expect(page.clusters).toEqual(
      [...new Set(plan.addOns.flatMap(({ groups }) => groups.flatMap(({ clusters }) => clusters)))].sort(),
    );
  });

  test.each([
    ['json', 'json'],
    ['github', 'github.txt'],
    ['sarif', 'sarif.json'],
    ['junit', 'junit.xml'],
  ])('the removed placement as %s', async (format, extension) => {
    // The pages of codes and the version of the package change by themselves.
    const text = (await reported('removed', format)).replaceAll(
      /(?<="(?:helpUri|text|markdown)": ")(?:https:|# FW)[^\n]*(?=")/g,
      '…',
    );
    await expect(text).toMatchFileSnapshot(`golden/removed.${extension}`);
  });
});

describe('the states', () => {
  test('leave the repository and the temporary folder as they were', async () => {
    await planned(`${commits['start']}..label`);
    expect(repository.status()).toBe('');
    expect(readdirSync(repository.temporary)).toEqual([]);
  });

  test('are found from a folder in the repository', async () => {
    const { out } = await repository.fleetwright(
      ['plan', `${commits['start']}..label`, '--apps', '.'],
      'apps',
    );
    expect(out).toContain('because label env changed from "prod" to "dev" (apps/hello/fleet.yaml:29)');
  });

  test('three dots compare with the common ancestor', async () => {
    const two = await planned('cluster..label');
    const three = await planned('cluster...label');
    expect(two.text).toContain('plan: 2 uninstalled, 4 unchanged');
    expect(three.text).toContain('plan: 1 uninstalled, 4 unchanged');
  });

  test('one revision is compared with the working tree', async () => {
    const file = { [fleet]: fleetOf({ ...clusters, c3: { env: 'dev', region: 'us' } }) };
    repository.branch('edited', commits['start'] ?? '');
    repository.write(file);
    const { text } = await planned('HEAD');
    expect(text).toContain('UNINSTALLED from 1 cluster: c3');
    repository.commit('edited', file);
  });

  test('two folders are compared without Git', async () => {
    const folders = new GitRepository();
    folders.write({
      'old/hub.yaml': app,
      'old/fleet.yaml': fleetOf(clusters),
      'new/hub.yaml': app.replace('"warn"', '"debug"'),
      'new/fleet.yaml': fleetOf(clusters),
    });
    const { code, out } = await folders.fleetwright(['plan', 'old', 'new']);
    folders.remove();
    expect(code).toBe(0);
    expect(out).toContain(
      'changed on 3 clusters: c1, c2, c3\n    because AddOnDeploymentConfig default/prod was edited (hub.yaml:60)',
    );
  });

  test('apps in TypeScript run in both states with the installed dependencies', async () => {
    const { code, text, err } = await planned('typed..typed-edit', '--app', 'typed');
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('error') });
    // The line is that of the code which vitest runs.
    expect(text).toContain('because AddOnDeploymentConfig default/config was edited (apps/typed/app.ts:');
    expect(text).toContain('spec.customizedVariables[LEVEL].value: "info" -> "debug"');
  });

  test('apps find dependencies that are a link to a folder elsewhere', async () => {
    const linked = new GitRepository({ linkedDependencies: true });
    const files = { 'package.json': '{ "type": "module" }\n', 'apps/typed/fleet.yaml': fleetOf(clusters) };
    linked.commit('start', { ...files, 'apps/typed/app.ts': typescriptApp('info') });
    linked.write({ 'apps/typed/app.ts': typescriptApp('debug') });
    const { code, out } = await linked.fleetwright(['plan', 'HEAD']);
    linked.remove();
    expect(code).toBe(0);
    expect(out).toContain('changed on 3 clusters: c1, c2, c3');
  });

  test('apps do not run with a committed link to packages outside of the repository', async () => {
    const linked = new GitRepository({ linkedDependencies: true });
    const files = { 'package.json': '{ "type": "module" }\n', 'apps/typed/fleet.yaml': fleetOf(clusters) };
    linked.commit('start', { ...files, '.gitignore': '', 'apps/typed/app.ts': typescriptApp('info') });
    linked.write({ 'apps/typed/app.ts': typescriptApp('debug') });
    const { code, out, err } = await linked.fleetwright(['plan', 'HEAD']);
    linked.remove();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('FW9041: node_modules is committed');
  });

  test('an app that only one state has is installed or uninstalled', async () => {
    const { text } = await planned(`${commits['start']}..typed`);
    expect(text).toContain('typed, new\n  installed on 3 clusters: c1, c2, c3\n');
    const { text: back } = await planned(`typed..${commits['start']}`);
    expect(back).toContain('typed, REMOVED\n  UNINSTALLED from 3 clusters: c1, c2, c3\n');
  });

  test('of an app whose objects were removed while its folder remains are an error, and the add-on is uninstalled (FW9019)', async () => {
    repository.branch('emptied', commits['start'] ?? '');
    repository.commit('emptied', { [yaml]: undefined });
    const { code, text, err } = await planned(`${commits['start']}..emptied`);
    expect(code).toBe(1);
    expect(text).toContain('hello, REMOVED\n  UNINSTALLED from 5 clusters: c1, c2, c3, c4, c5\n');
    expect(err).toContain('error FW9019: app "hello" had objects and has none');
  });

  test('of which the earlier one has no fleet snapshot are compared on the clusters of the later one (FW8015)', async () => {
    repository.branch('fleetless', commits['start'] ?? '');
    repository.commit('fleetless', { [fleet]: undefined });
    repository.branch('emptied-with-fleet', 'fleetless');
    repository.commit('emptied-with-fleet', { [yaml]: undefined, [fleet]: fleetOf(clusters) });
    const emptied = await planned('fleetless..emptied-with-fleet');
    expect(emptied.code).toBe(1);
    expect(emptied.text).toContain('hello, REMOVED\n  UNINSTALLED from 5 clusters: c1, c2, c3, c4, c5\n');
    expect(emptied.text).not.toContain('nothing changes');
    const pulled = await planned(`fleetless..${commits['start']}`);
    expect(pulled.text).not.toContain('installed on');
    expect(pulled.err).toContain('info FW8015: app "hello": fleetless has no fleet snapshot');
  });

  test('with a removed app report the fate of its objects (FW8013)', async () => {
    const { text, err } = await planned(`typed..${commits['start']}`);
    expect(text).toContain('typed, REMOVED\n  UNINSTALLED from 3 clusters');
    expect(err).toContain('warning FW8013: app "typed" is removed: where Argo CD no longer finds the path');
  });

  test('that differ in a Secret show its values on a terminal only', async () => {
    const secret = (password: string): string =>
      `${app}\n---\napiVersion: v1\nkind: Secret\nmetadata: { name: creds, namespace: default }\nstringData: { password: ${password} }\n`;
    repository.branch('secret', commits['start'] ?? '');
    const before = repository.commit('secret', { [yaml]: secret('hunter2') });
    repository.commit('other secret', { [yaml]: secret('swordfish') });
    const { text } = await planned(`${before}..secret`);
    expect(text).toContain('stringData.password: (secret, changed)');
    const parameters = ['plan', `${before}..secret`, '--show-secrets'];
    expect(await repository.fleetwright(parameters)).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: --show-secrets requires a terminal\n  remove the pipe or redirection\n',
    });
    expect((await repository.fleetwright([...parameters, '-o', 'json'])).err).toBe(
      'fleetwright: --show-secrets requires text output\n  omit -o json\n',
    );
    const { out } = await repository.fleetwright(parameters, '', { columns: 120 });
    expect(out).toContain('stringData.password: "hunter2" -> "swordfish"');
  });

  test('are followed by the findings and then the summary', async () => {
    const written: string[] = [];
    const write = (text: string): void => {
      written.push(text);
    };
    const parameters = ['plan', `${commits['start']}..removed`];
    await repository.fleetwright(parameters, '', { out: write, err: write });
    expect(written.join('').replace(/[0-9a-f]{64}/, 'HASH')).toMatch(
      /\n\n(?:error|warning) FW[^]*\n\n\d error[^\n]*\n\nplan: 2 uninstalled, [^\n]*\nhash: HASH\n$/,
    );
  });

  test('report other dependencies (FW8003)', async () => {
    const { code, err } = await planned(`${commits['start']}..dependencies`);
    expect(code).toBe(0);
    expect(err).toContain('FW8003');
    expect(err).toContain('package-lock.json differs between');
  });
});

describe('errors', () => {
  test('a state that the API server rejects has no plan', async () => {
    const { code, text, err } = await planned(`${commits['start']}..broken`);
    expect({ code, text }).toEqual({ code: 1, text: '' });
    expect(err).toContain('apps/hello/hub.yaml');
    expect(err).toContain('broken cannot be resolved, so that there is no plan\n');
  });

  test('a repository that Git does not trust is distinguished from a missing one', async () => {
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
    const { code, err } = await repository.fleetwright(['plan', 'main..HEAD']);
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', undefined);
    expect(code).toBe(2);
    expect(err).toBe(
      `fleetwright: Git cannot open this repository: detected dubious ownership in repository at '${repository.root}'\n  git config --global --add safe.directory "$PWD"\n`,
    );
  });

  test('revisions and apps that are not there', async () => {
    expect(await repository.fleetwright(['plan', 'nowhere..HEAD'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: unknown revision nowhere\n  fetch it first; in CI, check out the repository with its history\n',
    });
    for (const revision of [
      '^HEAD',
      '^HEAD..HEAD',
      'HEAD..^main',
      '--output=x..HEAD',
      '$(id)',
      'HEAD^{tree}',
    ]) {
      expect(await repository.fleetwright(['plan', '--', revision])).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/^fleetwright: unknown revision|: no such folder/) as string,
      });
    }
    expect(await repository.fleetwright(['plan', 'main..HEAD', '--app', 'other'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: unknown app other in apps\n  the apps are "hello"\n',
    });
    expect(await repository.fleetwright(['plan', 'main..HEAD', '--apps', 'aps'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: no folder aps in either state\n',
    });
    expect(await repository.fleetwright(['plan', 'old', 'new'])).toEqual({
      code: 2,
      out: '',
      err: 'fleetwright: old: no such folder\n  both states must be folders; for revisions, use old..new\n',
    });
  });
});
