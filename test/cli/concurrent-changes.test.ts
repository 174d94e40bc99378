import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { Repository } from '../storm/history.ts';
import { runIn } from './terminal.ts';

// Two branches change one app, and Git merges them with the output that each of them compiled.

const group = 'addon.open-cluster-management.io';
const repositories: Repository[] = [];
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.close();
});

type Files = Readonly<Record<string, string>>;

const immutable = `annotations: { fleetwright.dev/immutable: 'true' }`;

function configOf(name: string, value: string): Files {
  return {
    [`apps/hello/${name}-config.yaml`]: `apiVersion: ${group}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${name}, namespace: default, ${immutable} }
spec: { customizedVariables: [{ name: LEVEL, value: ${value} }] }
`,
  };
}

function templateOf(name: string, value: string): Files {
  return {
    [`apps/hello/${name}-template.yaml`]: `apiVersion: ${group}/v1alpha1
kind: AddOnTemplate
metadata: { name: ${name}, ${immutable} }
spec:
  addonName: ${name}
  agentSpec:
    workload: { manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name}, namespace: agents }, data: { value: ${value} } }] }
`,
  };
}

function addOnOf(name: string): Files {
  return {
    ...configOf(name, 'old'),
    ...templateOf(name, 'old'),
    [`apps/hello/${name}.yaml`]: `apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: ${name} }
spec:
  supportedConfigs:
  - { group: ${group}, resource: addontemplates, defaultConfig: { name: ${name} } }
  - { group: ${group}, resource: addondeploymentconfigs, defaultConfig: { name: ${name}, namespace: default } }
  installStrategy: { type: Placements, placements: [{ name: all, namespace: default }] }
`,
  };
}

function overrideOf(cluster: string): Files {
  return {
    [`apps/hello/${cluster}.yaml`]: `apiVersion: ${group}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: of-${cluster}, namespace: default }
spec: {}
---
apiVersion: ${group}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: logs, namespace: ${cluster} }
spec: { configs: [{ group: ${group}, resource: addondeploymentconfigs, name: of-${cluster}, namespace: default }] }
`,
  };
}

/** Merges two branches. @returns the files with conflicts, in a repository that is in the middle of the merge */
async function merge(engine: string, one: Files, other: Files): Promise<[Repository, readonly string[]]> {
  const repository = new Repository(mkdtempSync(path.join(tmpdir(), 'fleetwright-merge-')));
  repositories.push(repository);
  const compile = async (files: Files, message: string): Promise<void> => {
    for (const [file, text] of Object.entries(files)) repository.write(file, text);
    expect(await runIn(repository.folder, ['synth'])).toMatchObject({ code: 0 });
    repository.commit(message);
  };
  const placement = `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: default }
spec: { tolerations: [{ operator: Exists }] }
`;
  repository.write('fleetwright.yaml', `engine: ${engine}\n`);
  repository.write('fleet.yaml', fleetOf({ c1: {}, c2: {}, c3: {}, c4: {} }));
  await compile(
    { 'apps/hello/placement.yaml': placement, ...addOnOf('logs'), ...addOnOf('metrics') },
    'first',
  );
  repository.git('checkout', '--quiet', '-b', 'topic');
  await compile(one, 'one');
  repository.git('checkout', '--quiet', 'main');
  await compile(other, 'other');
  if (repository.try('merge', '--no-edit', 'topic')) return [repository, []];
  return [repository, repository.git('diff', '--name-only', '--diff-filter=U').split('\n')];
}

describe.each(['argocd', 'flux'])('two branches that change one app, with %s', (engine) => {
  test.each([
    {
      what: 'the configuration and the template of an add-on',
      one: configOf('logs', 'new'),
      other: templateOf('logs', 'new'),
    },
    {
      what: 'the configurations of two add-ons',
      one: configOf('logs', 'new'),
      other: configOf('metrics', 'new'),
    },
    {
      what: 'an override and a template',
      one: overrideOf('c2'),
      other: templateOf('metrics', 'new'),
    },
  ])('Git merges $what, and the result is what synth writes', async ({ one, other }) => {
    const [repository, conflicts] = await merge(engine, one, other);
    expect(conflicts).toEqual([]);
    expect(await runIn(repository.folder, ['synth', '--check', '--base', 'HEAD^'])).toMatchObject({
      code: 0,
    });
  });

  test('synth mends what Git cannot merge: two objects at one place of a list', async () => {
    const [repository, conflicts] = await merge(engine, overrideOf('c1'), overrideOf('c3'));
    expect(conflicts).toContain('dist/hello/.fleetwright.json');
    expect(conflicts.filter((file) => !file.startsWith('dist/'))).toEqual([]);
    const { code, out } = await runIn(repository.folder, ['synth']);
    expect(code).toBe(0);
    expect(out).toContain(`hello: wrote ${conflicts.length} files with conflict markers again\n`);
    repository.commit('merge');
    expect(await runIn(repository.folder, ['synth', '--check', '--base', 'HEAD^'])).toMatchObject({
      code: 0,
    });
    for (const cluster of ['c1', 'c3'])
      expect(repository.git('ls-files', 'dist')).toContain(`managedclusteraddon_${cluster}_logs.yaml`);
  });
});
