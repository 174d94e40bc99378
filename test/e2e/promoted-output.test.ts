import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { GitRepository } from './repository.ts';

const prod = { env: 'prod' };
const promotion =
  'apiVersion: fleetwright.dev/v1alpha1\nkind: Promotion\nmetadata: { name: typed }\nspec: {}\n';

/** An app with three clusters, one at a time. Each level has its own configuration. */
const source = (level: string): string => `import {
  AddOnDeploymentConfig, AddOnTemplate, App, Chart, ClusterManagementAddOn, ManagedClusterSet, ManagedClusterSetBinding, Placement, Rollout,
} from 'fleetwright';
import { ApiObject } from 'cdk8s';
const app = new App();
const chart = new Chart(app, 'typed', { namespace: 'default' });
new ManagedClusterSetBinding(chart, 'global', { clusterSet: ManagedClusterSet.global });
const placement = new Placement(chart, 'all', { predicates: [{ labels: { env: 'prod' } }] });
const config = new AddOnDeploymentConfig(chart, 'config', {
  immutable: true, agentInstallNamespace: '', customizedVariables: { LEVEL: '${level}' },
});
const template = new AddOnTemplate(chart, 'template', {
  addonName: 'typed',
  workload: (scope) => {
    const metadata = { name: 'x', namespace: 'default' };
    new ApiObject(scope, 'x', { apiVersion: 'v1', kind: 'ConfigMap', metadata, ...{ data: { level: '{{LEVEL}}' } } });
  },
});
const rollout = Rollout.progressive({ maxConcurrency: 1 });
new ClusterManagementAddOn(chart, 'typed', {
  defaultConfigs: [template],
  placements: [{ placement, configs: [config], rollout }],
});
export default app;
`;

const addOn = 'dist/typed/clustermanagementaddon_typed.yaml';
let repository: GitRepository;

beforeEach(() => {
  for (const role of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${role}_NAME`, 'A');
    vi.stubEnv(`GIT_${role}_EMAIL`, 'a@example.com');
  }
  repository = new GitRepository();
  vi.stubEnv('TMPDIR', repository.temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  repository.remove();
});

async function run(...command: string[]): Promise<{ code: number; out: string; err: string }> {
  return await repository.fleetwright(command);
}

/** Commits the app under its promotion, and then another level. Returns the commit before. */
async function changed(): Promise<string> {
  repository.write({
    'package.json': '{ "type": "module" }\n',
    'apps/typed/app.ts': source('info'),
    'fleet.yaml': fleetOf({ c1: prod, c2: prod, c3: prod }),
    'promotions/typed.yaml': promotion,
  });
  expect(await run('synth')).toMatchObject({ code: 0 });
  repository.commit('start', {});
  expect(await run('promote', '--commit')).toMatchObject({ code: 3 });
  const base = repository.head();
  repository.write({ 'apps/typed/app.ts': source('debug') });
  expect(await run('synth')).toMatchObject({ code: 0 });
  repository.commit('edit', {});
  expect(await run('synth', '--check', '--base', base)).toMatchObject({ code: 0 });
  return base;
}

/** The codes of the findings. */
function codesIn(err: string): readonly string[] {
  return [...err.matchAll(/^(?:error|warning|info) (FW\d+)/gm)].map(([, code = '']) => code);
}

test('a plan says that a change is held back while an earlier one waits', async () => {
  const first = await changed();
  const base = repository.head();
  repository.write({ 'apps/typed/app.ts': source('trace') });
  await run('synth');
  repository.commit('later', {});
  const of = async (from: string): Promise<string> => {
    const { code, out, err } = await run('plan', `${from}..HEAD`);
    expect({ code, codes: codesIn(err) }).toEqual({ code: 0, codes: ['FW8140'] });
    expect(out).toContain('with the merge: no add-on changes; when the promotion releases it: 3 changed');
    return out;
  };
  expect(await of(base)).toContain('"debug" -> "trace"');
  expect(await of(first)).toContain('"info" -> "trace"');
});

test('a list of held placements that was edited by hand hides no change', async () => {
  const base = await changed();
  const read = (file: string): string => readFileSync(path.join(repository.root, file), 'utf8');
  const before = /config-\w{10}/.exec(read(addOn))?.[0] ?? '';
  const list = read('dist/typed/.fleetwright.json');
  const held = list.slice(list.indexOf('"waiting"'));
  const next = /config-\w{10}/.exec(held)?.[0] ?? before;
  expect([before === next, before.length]).toEqual([false, 17]);
  repository.commit('by hand', {
    [addOn]: read(addOn).replace(before, next),
    'dist/typed/.fleetwright.json': list.replace(held, held.replace(next, before)),
  });
  const { out, err } = await run('plan', `${base}..HEAD`);
  expect(codesIn(err)).toContain('FW8144');
  expect(out).toContain('changed on 3 clusters: c1, c2, c3');
  expect((await run('synth', '--check')).code).toBe(1);
});
