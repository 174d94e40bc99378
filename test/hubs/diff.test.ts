import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, runIn } from '../cli/terminal.ts';
import { exampleFiles } from './workspace.ts';

async function workspaceWith(replaced: Readonly<Record<string, string>> = {}): Promise<string> {
  const cwd = await folderWith({ ...(await exampleFiles(replaced)), 'node_modules/.keep': '' });
  await symlink(path.resolve(import.meta.dirname, '../..'), path.join(cwd, 'node_modules/fleetwright'));
  return cwd;
}

/** Two hubs of production whose only difference is the region. */
const twins = (facts: string, more = ''): string => `plan: { by: env }
hubs:
  prod-eu: { facts: { environment: prod, region: eu, logLevel: 1 } }
  prod-us: { facts: { environment: prod, ${facts} } }
${more}`;
const canary = /canary: 'true'/;
const withoutCanary = async (): Promise<Readonly<Record<string, string>>> => {
  const { 'fleets/prod-eu.yaml': fleet = '' } = await exampleFiles();
  return { 'fleets/prod-eu.yaml': fleet.replace(canary, "canary: 'false'") };
};

describe('diff of two hubs', () => {
  test('lists the values that differ, and the clusters by label', async () => {
    const cwd = await workspaceWith({ 'fleetwright.yaml': twins('region: us, logLevel: 1') });
    const { code, out, err } = await runIn(path.join(cwd, 'apps'), ['diff', 'prod-eu', 'prod-us']);
    expect(err).toBe('');
    expect(code).toBe(3);
    expect(out).toBe(`agent
  AddOnDeploymentConfig spec.customizedVariables[LOG_LEVEL].value
    prod-eu  "1" on 3 clusters (env=prod): eu-2, eu-3, local-cluster (apps/agent/app.ts:38)
    prod-eu  "5" on 1 cluster (env=prod): eu-1 (apps/agent/app.ts:49)
    prod-us  "1" on 4 clusters (env=prod): local-cluster, us-1, us-2, us-3 (apps/agent/app.ts:38)
  AddOnDeploymentConfig spec.customizedVariables[REGION].value
    prod-eu  "eu" on 4 clusters (env=prod): eu-1, eu-2, eu-3, local-cluster (apps/agent/app.ts:38)
    prod-us  "us" on 4 clusters (env=prod): local-cluster, us-1, us-2, us-3 (apps/agent/app.ts:38)

prod-eu and prod-us differ in 2 values of 1 add-on
`);
    const markdown = await runIn(cwd, ['diff', 'prod-eu', 'prod-us', '-o', 'markdown']);
    expect(markdown.out).toContain('### agent\n\n| value | prod-eu | prod-us |\n| --- | --- | --- |\n');
    const json = await runIn(cwd, ['diff', 'prod-eu', 'prod-us', '-o', 'json']);
    expect(JSON.parse(json.out)).toMatchObject({ hubs: ['prod-eu', 'prod-us'], equal: false });
  });

  test('exits 0 if the hubs are equal, although their clusters have other names', async () => {
    const cwd = await workspaceWith({
      ...(await withoutCanary()),
      'fleetwright.yaml': twins('region: eu, logLevel: 1'),
    });
    expect(await runIn(cwd, ['diff', 'prod-eu', 'prod-us'])).toEqual({
      code: 0,
      out: 'prod-eu and prod-us have the same effective configuration\n',
      err: '',
    });
  });

  test('compares clusters with the same labels: values that are swapped between them differ', async () => {
    const app = (east: string, west: string): string =>
      ['east', 'west']
        .map(
          (region) => `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: ${region}, namespace: metrics }
spec:
  predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: ${region} } } } }]
  tolerations:
    - { key: cluster.open-cluster-management.io/unreachable, operator: Exists }
    - { key: cluster.open-cluster-management.io/unavailable, operator: Exists }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: ${region}, namespace: metrics }
spec: { agentInstallNamespace: "", customizedVariables: [{ name: N, value: ${region === 'east' ? east : west} }] }
---
`,
        )
        .join('') +
      `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: metrics }
spec: { clusterSet: global }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: metrics }
spec:
  supportedConfigs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs }]
  installStrategy:
    type: Placements
    placements:
${['east', 'west'].map((name) => `      - { name: ${name}, namespace: metrics, configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, name: ${name}, namespace: metrics }] }\n`).join('')}`;
    const { 'fleets/dev.yaml': fleet = '' } = await exampleFiles();
    const regions = fleet.replace('env: dev', 'env: east').replace('env: dev', 'env: west');
    const cwd = await folderWith({
      'fleetwright.yaml': 'plan: { by: env }\nhubs: { a: {}, b: {} }\n',
      'apps/metrics/base/app.yaml': app('one', 'two'),
      'apps/metrics/overlays/b/kustomization.yaml': 'resources: [app.yaml]\n',
      'apps/metrics/overlays/b/app.yaml': app('two', 'one'),
      'fleets/a.yaml': regions,
      'fleets/b.yaml': regions,
    });
    const { code, out } = await runIn(cwd, ['diff', 'a', 'b']);
    expect(code).toBe(3);
    expect(out).toContain('a  "one" on 1 cluster (env=east)');
    expect(out).toContain('b  "one" on 1 cluster (env=west)');
    expect((await runIn(cwd, ['diff', 'a', 'b', '--by', 'region'])).code).toBe(0);
  });

  test('needs two hubs with fleets', async () => {
    const cwd = await workspaceWith({ 'fleetwright.yaml': 'hubs: { dev: {}, test: {} }\n' });
    expect((await runIn(cwd, ['diff', 'dev', 'dev'])).err).toContain('diff compares two hubs');
    expect((await runIn(cwd, ['diff', 'dev', 'tst'])).err).toContain(
      'unknown hub tst\n  did you mean "test"?',
    );
    expect((await runIn(cwd, ['diff', 'dev', 'test', '--app', 'metrics'])).err).toContain(
      'fleetwright: hub test has no fleet snapshot, so there is nothing to compare\n  fleetwright fleet pull --hub test\n',
    );
  });
});

describe('equal in fleetwright.yaml', () => {
  test('is a policy that validate and plan check: FW7310', async () => {
    const equal = 'equal: [prod-eu, prod-us]\n';
    const settings = twins('region: eu, logLevel: 2', equal);
    const cwd = await workspaceWith({ ...(await withoutCanary()), 'fleetwright.yaml': settings });
    const validated = await runIn(cwd, ['validate']);
    expect(validated.code).toBe(1);
    const message =
      'hubs prod-eu and prod-us must be equal, but the configuration of add-on "agent" differs in 1 value: spec.customizedVariables[LOG_LEVEL].value';
    expect(validated.err).toContain(`error FW7310: ${message}\n --> fleetwright.yaml:5:8\n`);
    expect(validated.err).toContain('= hint: fleetwright diff prod-eu prod-us lists the differences\n');
    const planned = await runIn(cwd, ['plan', '.', '.']);
    expect(planned.code).toBe(1);
    expect(planned.err).toContain(`error FW7310: ${message}\n`);
    // The other hub is not read.
    expect((await runIn(cwd, ['plan', '.', '.', '--hub', 'prod-eu'])).code).toBe(0);
  });

  test('is met by hubs with the same configuration, and applies from the base', async () => {
    const equal = 'equal: [[prod-eu, prod-us]]\n';
    const files = await withoutCanary();
    const cwd = await workspaceWith({
      ...files,
      'fleetwright.yaml': twins('region: eu, logLevel: 1', equal),
    });
    expect((await runIn(cwd, ['validate'])).code).toBe(0);
    const changed = await workspaceWith({ ...files, 'fleetwright.yaml': twins('region: us, logLevel: 1') });
    const { code, err } = await runIn(cwd, ['plan', cwd, changed]);
    expect(code).toBe(1);
    expect(err).toContain('FW7310');
    expect(err).toContain('FW8030: the change edits equal in fleetwright.yaml; this plan uses that of');
  });
});
