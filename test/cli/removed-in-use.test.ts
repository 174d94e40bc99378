import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn } from './terminal.ts';

const group = 'addon.open-cluster-management.io';
const shared = {
  'namespace.yaml': `apiVersion: v1
kind: Namespace
metadata: { name: agents }
`,
  'binding.yaml': `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: agents }
spec: { clusterSet: global }
`,
  'placement.yaml': `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: all, namespace: agents }
spec: { tolerations: [{ operator: Exists }] }
`,
};
const user = `apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: hello }
spec:
  supportedConfigs: [{ group: ${group}, resource: addondeploymentconfigs }]
  installStrategy: { type: Placements, placements: [{ name: all, namespace: agents }] }
`;

function workspaceOf(prefix: string, owner: string): Record<string, string> {
  const files = {
    'fleetwright.yaml': 'external: [{ kind: Placement, name: "*" }]\n',
    'fleet.yaml': fleetOf({ c1: {} }),
    'apps/hello/app.yaml': user,
    ...Object.fromEntries(Object.entries(shared).map(([file, text]) => [`apps/${owner}/${file}`, text])),
  };
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [`${prefix}${file}`, text]));
}

test.each([
  ['base', 'placement.yaml', 'Placement agents/all', 'ClusterManagementAddOn hello still uses it'],
  [
    'base',
    'namespace.yaml',
    'Namespace agents',
    'ManagedClusterSetBinding agents/global and 1 more still use it',
  ],
  [
    'hello',
    'namespace.yaml',
    'Namespace agents',
    'ManagedClusterSetBinding agents/global and 1 more still use it',
  ],
])('synth and plan report what app %s no longer has and others use: %s', async (owner, file, object, use) => {
  const message = `warning FW8063: ${object} is removed from app "${owner}", but ${use}: it stays on this hub only because it is protected, and a new hub does not have it\n`;
  const folder = await folderWith({ ...workspaceOf('', owner), ...workspaceOf('before/', owner) });
  expect((await runIn(folder, ['synth'])).err).not.toContain('FW8063');
  rmSync(path.join(folder, 'apps', owner, file));
  expect((await runIn(folder, ['synth', '--check'])).err).toContain(message);
  expect((await runIn(folder, ['synth'])).err).toContain(message);
  expect((await runIn(folder, ['plan', 'before', '.'])).err).toContain(message);
});

test('without an engine, the object stays because nothing deletes what leaves Git', async () => {
  const settings = 'engine: none\nexternal: [{ kind: Placement, name: "*" }]\n';
  const folder = await folderWith({
    ...workspaceOf('', 'base'),
    ...workspaceOf('before/', 'base'),
    'fleetwright.yaml': settings,
    'before/fleetwright.yaml': settings,
  });
  rmSync(path.join(folder, 'apps/base/placement.yaml'));
  expect((await runIn(folder, ['plan', 'before', '.'])).err).toContain(
    'it stays on this hub only because nothing deletes what leaves Git, and a new hub does not have it\n',
  );
});

test('an object that nothing else uses is not reported', async () => {
  const folder = await folderWith(workspaceOf('', 'base'));
  await runIn(folder, ['synth']);
  for (const file of Object.keys(shared)) rmSync(path.join(folder, 'apps/base', file));
  rmSync(path.join(folder, 'apps/hello'), { recursive: true });
  expect((await runIn(folder, ['synth', '--allow-empty'])).err).not.toContain('FW8063');
});

const cluster = 'cluster.open-cluster-management.io';
const ofSet = {
  'set.yaml': `apiVersion: ${cluster}/v1beta2
kind: ManagedClusterSet
metadata: { name: edge }
spec: { clusterSelector: { selectorType: ExclusiveClusterSetLabel } }
`,
  'binding.yaml': `apiVersion: ${cluster}/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: edge, namespace: agents }
spec: { clusterSet: edge }
`,
  'placement.yaml': shared['placement.yaml'],
  'namespace.yaml': shared['namespace.yaml'],
};
const clusters = fleetOf({ c1: { [`${cluster}/clusterset`]: 'edge' }, c2: { env: 'prod' } });
const placement = `---
apiVersion: ${cluster}/v1beta1
kind: Placement
metadata: { name: by-hand, namespace: agents }
spec: { clusterSets: [edge] }
`;
const boundElsewhere = `---
apiVersion: ${cluster}/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: edge, namespace: by-hand }
spec: { clusterSet: edge }
`;

test.each([
  ['set.yaml', clusters, 'ManagedClusterSet edge', 'ManagedCluster c1 still uses it'],
  [
    'set.yaml',
    `${clusters}${boundElsewhere}`,
    'ManagedClusterSet edge',
    'ManagedCluster c1 and 1 more still use it',
  ],
  [
    'binding.yaml',
    `${clusters}${placement}`,
    'ManagedClusterSetBinding agents/edge',
    'Placement agents/by-hand still uses it',
  ],
  [
    'placement.yaml',
    `${clusters}---\n${user}`,
    'Placement agents/all',
    'ClusterManagementAddOn hello still uses it',
  ],
  [
    'namespace.yaml',
    `${clusters}${placement}`,
    'Namespace agents',
    /Placement agents\/by-hand|and \d more still use it/,
  ],
])('users that only the fleet snapshot has are reported: %s', async (file, fleet, object, use) => {
  const settings = `external: [{ kind: Placement, name: "*" }]\nfleet: fleet.yaml\n`;
  const filesOf = (prefix: string): Record<string, string> => ({
    [`${prefix}fleetwright.yaml`]: settings,
    [`${prefix}fleet.yaml`]: fleet,
    ...Object.fromEntries(
      Object.entries(ofSet)
        // What the app itself lacks is an error of the app.
        .filter(([name]) => name !== 'placement.yaml' || file === 'placement.yaml')
        .map(([name, text]) => [`${prefix}apps/base/${name}`, text]),
    ),
  });
  const folder = await folderWith({ ...filesOf(''), ...filesOf('before/') });
  expect((await runIn(folder, ['synth'])).err).not.toContain('FW8063');
  rmSync(path.join(folder, 'apps/base', file));
  for (const command of [['synth', '--check'], ['synth'], ['plan', 'before', '.']]) {
    const { err } = await runIn(folder, command);
    const line = err.split('\n').find((text) => text.includes('FW8063')) ?? err;
    expect(line).toContain(`FW8063: ${object} is removed from app "base", but `);
    expect(line).toMatch(use);
  }
});

test('a set that no cluster of the snapshot has is not reported', async () => {
  const folder = await folderWith({
    'fleet.yaml': fleetOf({ c2: { env: 'prod' } }),
    'apps/base/set.yaml': ofSet['set.yaml'],
    'apps/base/namespace.yaml': ofSet['namespace.yaml'],
  });
  await runIn(folder, ['synth']);
  rmSync(path.join(folder, 'apps/base/set.yaml'));
  expect((await runIn(folder, ['synth'])).err).not.toContain('FW8063');
});
