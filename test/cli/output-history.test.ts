import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fleetOf } from '../resolve-text.ts';
import { linkDependencies } from '../linked-repository.ts';
import { Repository } from '../storm/history.ts';
import { runIn } from './terminal.ts';

// What Git does to dist/ after the first week: reverts, merges, edits, shallow clones.

const group = 'addon.open-cluster-management.io';
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Language = 'YAML' | 'TypeScript';

/** The files of an add-on whose configuration has a value. In YAML its name is written by hand, or follows the content. */
function sourcesOf(language: Language, value: string, name = `settings-${value}`): Record<string, string> {
  if (language === 'TypeScript')
    return {
      'apps/hello/app.ts': `import { AddOnDeploymentConfig, App, Chart, ClusterManagementAddOn, Placement, Toleration } from 'fleetwright';
const app = new App();
const chart = new Chart(app, 'hello', { namespace: 'default' });
const all = new Placement(chart, 'all', { tolerations: [Toleration.unreachable()] });
const config = new AddOnDeploymentConfig(chart, 'settings', { immutable: true, customizedVariables: { LEVEL: '${value}' } });
new ClusterManagementAddOn(chart, 'hello', { placements: [{ placement: all, configs: [config] }] });
export default app;
`,
    };
  return {
    'apps/hello/config.yaml': `apiVersion: ${group}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${name}, namespace: default }
spec: { customizedVariables: [{ name: LEVEL, value: ${value} }] }
`,
    'apps/hello/app.yaml': `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: default }
spec: { tolerations: [{ operator: Exists }] }
---
apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello }
spec:
  supportedConfigs: [{ group: ${group}, resource: addondeploymentconfigs, defaultConfig: { name: ${name}, namespace: default } }]
  installStrategy: { type: Placements, placements: [{ name: all, namespace: default }] }
`,
  };
}

async function repositoryWith(language: Language): Promise<Repository> {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-history-'));
  folders.push(folder);
  const repository = new Repository(folder);
  repository.write('.gitignore', 'node_modules\n');
  if (language === 'TypeScript') linkDependencies(folder);
  repository.write('fleet.yaml', fleetOf({ c1: {}, c2: {} }));
  await release(repository, language, 'one');
  return repository;
}

async function release(repository: Repository, language: Language, value: string): Promise<string> {
  for (const [file, text] of Object.entries(sourcesOf(language, value))) repository.write(file, text);
  expect(await runIn(repository.folder, ['synth'])).toMatchObject({ code: 0 });
  return repository.commit(value);
}

function configsIn({ folder }: Repository): readonly string[] {
  return readdirSync(path.join(folder, 'dist/hello')).filter((name) =>
    name.startsWith('addondeploymentconfig'),
  );
}

describe.each(['YAML', 'TypeScript'] as const)('an app in %s', (language) => {
  test('git revert alone is not accepted, and synth mends it', async () => {
    const repository = await repositoryWith(language);
    await release(repository, language, 'two');
    expect(configsIn(repository)).toHaveLength(2);
    repository.git('revert', '--no-edit', 'HEAD');
    expect(configsIn(repository)).toHaveLength(1);
    const check = await runIn(repository.folder, ['synth', '--check']);
    expect(check.code).toBe(1);
    expect(check.err).toContain(
      'error FW9154: the revert of "two" also reverted the output: dist/hello/addondeploymentconfig_default_settings-',
    );
    expect(check.err).toContain('= hint: run `fleetwright synth` and commit its output');
    const plan = await runIn(repository.folder, ['plan', 'HEAD~1..HEAD']);
    expect(plan.code).toBe(1);
    expect(plan.err).toContain('error FW9154');
    expect(await runIn(repository.folder, ['synth'])).toMatchObject({ code: 0 });
    expect(configsIn(repository)).toHaveLength(2);
    repository.commit('compile');
    expect(await runIn(repository.folder, ['synth', '--check', '--base', 'HEAD~2'])).toMatchObject({
      code: 0,
    });
    expect((await runIn(repository.folder, ['plan', 'HEAD~2..HEAD'])).err).not.toContain('FW915');
  });

  test('the next changes keep what clusters of later waves use', async () => {
    const repository = await repositoryWith(language);
    for (const value of ['two', 'three', 'four', 'five']) await release(repository, language, value);
    expect(configsIn(repository)).toHaveLength(5);
    const text = repository.read(`dist/hello/${configsIn(repository)[0] ?? ''}`);
    expect(text).toContain('argocd.argoproj.io/sync-options: Prune=false\n');
    expect(text).toContain('argocd.argoproj.io/compare-options: IgnoreExtraneous\n');
  });
});

describe('synth --check', () => {
  test('reports conflict markers, and synth writes the files again', async () => {
    const repository = await repositoryWith('YAML');
    const text = repository.read('dist/hello/.fleetwright.json');
    repository.write('dist/hello/.fleetwright.json', `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> topic\n`);
    repository.commit('merge');
    const { code, err } = await runIn(repository.folder, ['synth', '--check']);
    expect(code).toBe(1);
    expect(err).toBe(`error FW9150: dist/hello/.fleetwright.json has the conflict markers of a merge
 --> dist/hello/.fleetwright.json:1:1
  |
1 | <<<<<<< HEAD
  | ^
  = hint: do not edit it: resolve the conflicts in the sources of app "hello", then run \`fleetwright synth\` and commit its output

1 error
`);
    expect((await runIn(repository.folder, ['synth'])).out).toContain(
      'hello: wrote 1 file with conflict markers again\n',
    );
    expect(repository.read('dist/hello/.fleetwright.json')).toBe(text);
  });

  test('a merge of two changes has what both sides had', async () => {
    const repository = await repositoryWith('YAML');
    repository.git('checkout', '--quiet', '-b', 'topic');
    await release(repository, 'YAML', 'two');
    repository.git('checkout', '--quiet', 'main');
    await release(repository, 'YAML', 'three');
    expect(repository.try('merge', 'topic')).toBe(false);
    repository.git('checkout', '--ours', '--', 'apps');
    expect(await runIn(repository.folder, ['synth'])).toMatchObject({ code: 0 });
    const names = configsIn(repository).map((name) => /settings-(\w+)/.exec(name)?.[1]);
    expect(names).toEqual(['one', 'three', 'two']);
    repository.commit('merge');
    expect(await runIn(repository.folder, ['synth', '--check'])).toMatchObject({ code: 0 });
  });

  test('reports a lost object, and an edited file', async () => {
    const repository = await repositoryWith('YAML');
    await release(repository, 'YAML', 'two');
    repository.remove('dist/hello/addondeploymentconfig_default_settings-one.yaml');
    const lost = await runIn(repository.folder, ['synth', '--check']);
    expect(lost.err).toContain(
      'error FW9151: dist/hello/addondeploymentconfig_default_settings-one.yaml is missing: the base HEAD^ has it, and clusters may still use it\n',
    );
    await runIn(repository.folder, ['synth']);
    const file = 'dist/hello/placement_default_all.yaml';
    repository.write(file, repository.read(file).replace('Prune=false', 'Prune=true'));
    const edited = await runIn(repository.folder, ['synth', '--check']);
    expect(edited.code).toBe(1);
    expect(edited.err).toContain(
      `error FW9153: ${file} changed since the base, but not to what app "hello" produces`,
    );
  });

  test('reports a base that is not in the clone', async () => {
    const repository = await repositoryWith('YAML');
    await release(repository, 'YAML', 'two');
    const clone = mkdtempSync(path.join(tmpdir(), 'fleetwright-clone-'));
    folders.push(clone);
    repository.git('clone', '--quiet', '--depth', '1', `file://${repository.folder}`, clone);
    const { code, err } = await runIn(clone, ['synth', '--check']);
    expect(code).toBe(1);
    expect(err).toContain(
      'error FW9152: the output cannot be compared with what it has to keep: this clone is shallow',
    );
    expect(await runIn(clone, ['synth', '--check', '--base', 'nowhere'])).toMatchObject({ code: 2 });
  });
});
