import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { fleetOf } from '../resolve-text.ts';
import { GitRepository } from './repository.ts';

const promotion =
  'apiVersion: fleetwright.dev/v1alpha1\nkind: Promotion\nmetadata: { name: canary }\nspec: {}\n';

/** An app that changes development before staging, and production last. */
const source = (level: string, delivery: 'hub' | 'compiled'): string => `import {
  AddOnDeploymentConfig, AddOnTemplate, ApiObject, App, Chart, ClusterManagementAddOn, DecisionGroup, Duration, ManagedClusterSet,
  ManagedClusterSetBinding, Placement, Rollout,
} from 'fleetwright';
const app = new App();
const chart = new Chart(app, 'canary', { namespace: 'default' });
new ManagedClusterSetBinding(chart, 'global', { clusterSet: ManagedClusterSet.global });
const dev = DecisionGroup.named('dev', { labels: { env: 'dev' } });
const staging = DecisionGroup.named('staging', { labels: { env: 'staging' } });
const placement = new Placement(chart, 'all', { decisionGroups: [dev, staging] });
const config = new AddOnDeploymentConfig(chart, 'config', {
  immutable: true, agentInstallNamespace: '', customizedVariables: { LEVEL: '${level}' },
});
const template = new AddOnTemplate(chart, 'template', {
  addonName: 'canary',
  workload: (scope) => {
    const metadata = { name: 'x', namespace: 'default' };
    new ApiObject(scope, 'x', { apiVersion: 'v1', kind: 'ConfigMap', metadata, ...{ data: { level: '{{LEVEL}}' } } });
  },
});
new ClusterManagementAddOn(chart, 'canary', {
  delivery: '${delivery}',
  defaultConfigs: [template, config],
  placements: [
    { placement, rollout: Rollout.promoted({ mandatoryGroups: [dev, staging], minSuccessTime: Duration.minutes(10) }) },
  ],
});
export default app;
`;

let repository: GitRepository;
beforeEach(() => {
  for (const role of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${role}_NAME`, 'A');
    vi.stubEnv(`GIT_${role}_EMAIL`, 'a@example.com');
  }
  repository = new GitRepository();
  vi.stubEnv('TMPDIR', repository.temporary);
  repository.write({
    'package.json': '{ "type": "module" }\n',
    'fleet.yaml': fleetOf({
      d1: { env: 'dev' },
      p1: { env: 'prod' },
      p2: { env: 'prod' },
      s1: { env: 'staging' },
    }),
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  repository.remove();
});

async function run(...command: string[]): Promise<{ code: number; out: string; err: string }> {
  return await repository.fleetwright(command);
}

function objectIn(file: string): { readonly metadata: object; readonly spec: Record<string, unknown> } {
  const text = readFileSync(path.join(repository.root, file), 'utf8');
  return parseAllDocuments(text)[0]?.toJS() as ReturnType<typeof objectIn>;
}

/** The waves of `rollout`, and those that the next release has according to `promote`. */
async function waves(): Promise<{ readonly rollout: string[]; readonly promoted: string[][] }> {
  const { out } = await run('rollout', 'apps/canary');
  await run('promote', '--commit');
  repository.write({
    'apps/canary/app.ts': source('debug', out.includes('default/all-dev') ? 'hub' : 'compiled'),
  });
  expect(await run('synth')).toMatchObject({ code: 0 });
  repository.commit('edit', {});
  await run('promote', '--commit');
  const { status } = objectIn('promotions/canary.yaml') as unknown as {
    readonly status: {
      readonly release: { readonly waves: readonly (readonly { readonly clusters: object }[])[] };
    };
  };
  return {
    rollout: out.split('\n').filter((line) => /^  wave|^ {4}/.test(line)),
    promoted: status.release.waves.map((wave) => wave.flatMap(({ clusters }) => Object.keys(clusters))),
  };
}

describe('a canary that waits, in one word', () => {
  test.each(['hub', 'compiled'] as const)(
    'is an error without a promotion, with %s delivery',
    async (delivery) => {
      repository.write({ 'apps/canary/app.ts': source('info', delivery) });
      const { code, err } = await run('synth');
      expect(code).toBe(1);
      expect(err).toContain('error FW8162: a promotion releases the waves of add-on "canary"');
    },
  );

  test('divides a Placement by groups with hub delivery, and rollout and promote agree', async () => {
    repository.write({ 'apps/canary/app.ts': source('info', 'hub'), 'promotions/canary.yaml': promotion });
    expect(await run('synth')).toMatchObject({ code: 0 });
    repository.commit('start', {});
    expect(objectIn('dist/canary/placement_default_all-dev.yaml').spec['predicates']).toEqual([
      { requiredClusterSelector: { labelSelector: { matchLabels: { env: 'dev' } } } },
    ]);
    expect(objectIn('dist/canary/clustermanagementaddon_canary.yaml').spec['installStrategy'])
      .toMatchInlineSnapshot(`
      {
        "placements": [],
        "type": "Placements",
      }
    `);
    expect(await waves()).toMatchInlineSnapshot(`
      {
        "promoted": [
          [
            "d1",
          ],
          [
            "s1",
          ],
          [
            "p1",
            "p2",
          ],
        ],
        "rollout": [
          "  wave 1: 1 cluster",
          "    default/all-dev, group 0: d1",
          "  wave 2 after 10m: 1 cluster",
          "    default/all-staging, group 0: s1",
          "  wave 3 after 20m: 2 clusters",
          "    default/all, group 2: p1, p2",
        ],
      }
    `);
  });

  test('uses the waves of compiled delivery, and rollout and promote agree', async () => {
    repository.write({
      'apps/canary/app.ts': source('info', 'compiled'),
      'promotions/canary.yaml': promotion,
    });
    expect(await run('synth')).toMatchObject({ code: 0 });
    repository.commit('start', {});
    expect(await waves()).toMatchInlineSnapshot(`
      {
        "promoted": [
          [
            "d1",
          ],
          [
            "s1",
          ],
          [
            "p1",
            "p2",
          ],
        ],
        "rollout": [
          "  wave 1: 1 cluster",
          "    default/all, group 0 "dev", mandatory: d1",
          "  wave 2 after 10m: 1 cluster",
          "    default/all, group 1 "staging", mandatory: s1",
          "  wave 3 after 20m: 2 clusters",
          "    default/all, group 2: p1, p2",
        ],
      }
    `);
  });
});
