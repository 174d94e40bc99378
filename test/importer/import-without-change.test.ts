import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { importWorkspace, outcomeOf } from './import-outcome.ts';

// What `import-corpus.ts` does with folders that somebody brings, with inputs of our own: whole commands, and the fleet in the input.

let workspace = '';
let inputs = '';
beforeAll(() => {
  workspace = importWorkspace();
  inputs = mkdtempSync(path.join(tmpdir(), 'fleetwright-inputs-'));
});
afterAll(() => {
  for (const folder of [workspace, inputs]) rmSync(folder, { recursive: true });
});

/** The folder of an input with these files. */
function inputOf(name: string, files: Readonly<Record<string, string>>): string {
  const folder = path.join(inputs, name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  return folder;
}

const group = 'addon.open-cluster-management.io';
const cluster = 'cluster.open-cluster-management.io';

const addOn = `apiVersion: ${group}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: logs }
spec:
  supportedConfigs:
    - { group: ${group}, resource: addontemplates, defaultConfig: { name: logs } }
    - { group: ${group}, resource: addondeploymentconfigs, defaultConfig: { namespace: logs, name: settings } }
  installStrategy:
    type: Placements
    placements: [{ namespace: logs, name: all, rolloutStrategy: { type: Progressive, progressive: { maxConcurrency: 1 } } }]
---
apiVersion: ${group}/v1alpha1
kind: AddOnTemplate
metadata: { name: logs }
spec:
  addonName: logs
  agentSpec:
    workload:
      manifests:
        - { apiVersion: v1, kind: ConfigMap, metadata: { name: level, namespace: logs }, data: { level: '{{LEVEL}}' } }
---
apiVersion: ${group}/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: settings, namespace: logs }
spec: { customizedVariables: [{ name: LEVEL, value: info }] }
---
apiVersion: ${cluster}/v1beta1
kind: Placement
metadata: { name: all, namespace: logs }
spec: { clusterSets: [edge], tolerations: [{ operator: Exists }] }
`;

const hubObjects = `apiVersion: v1
kind: Namespace
metadata: { name: logs }
---
apiVersion: ${cluster}/v1beta2
kind: ManagedClusterSet
metadata: { name: edge }
spec: { clusterSelector: { selectorType: ExclusiveClusterSetLabel } }
---
apiVersion: ${cluster}/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: edge, namespace: logs }
spec: { clusterSet: edge }
`;

const fleet = fleetOf({
  'edge-1': { [`${cluster}/clusterset`]: 'edge' },
  'edge-2': { [`${cluster}/clusterset`]: 'edge' },
});

/** As `kubectl get -o yaml` prints it. */
const exported = `apiVersion: v1
kind: List
items:
  - apiVersion: ${group}/v1alpha1
    kind: ManagedClusterAddOn
    metadata:
      name: logs
      namespace: edge-1
      uid: 11111111-2222-3333-4444-555555555555
      resourceVersion: '42'
      generation: 3
      creationTimestamp: '2026-05-01T00:00:00Z'
      finalizers: [${group}/addon-pre-delete, cluster.open-cluster-management.io/addon-work-cleanup]
      annotations:
        kubectl.kubernetes.io/last-applied-configuration: '{}'
      ownerReferences:
        - { apiVersion: ${group}/v1alpha1, kind: ClusterManagementAddOn, name: logs, uid: 99999999-2222-3333-4444-555555555555 }
    spec: { configs: [{ group: ${group}, resource: addondeploymentconfigs, namespace: logs, name: settings }] }
    status: { conditions: [] }
`;

describe('an import changes nothing', () => {
  test.each([
    [
      'sets, bindings and clusters beside the add-on',
      { 'add-on.yaml': addOn, 'hub.yaml': hubObjects, 'fleet.yaml': fleet },
    ],
    [
      'an export with what only the hub writes',
      { 'add-on.yaml': addOn, 'hub.yaml': hubObjects, 'fleet.yaml': fleet, 'export.yaml': exported },
    ],
    ['an add-on whose fleet is elsewhere', { 'add-on.yaml': addOn }],
    ['text of Windows', { 'add-on.yaml': `\uFEFF${addOn.replaceAll('\n', '\r\n')}` }],
    ['files whose order is not that of use', { 'z.yaml': addOn, 'a.yml': hubObjects, 'fleet.yml': fleet }],
  ])('%s', async (name, files) => {
    expect(await outcomeOf(workspace, inputOf(name, files))).toMatchObject({ kind: 'same' });
  });

  test.each(
    ['precedence', 'placement', 'template', 'rollout'].flatMap((kind) =>
      readdirSync(path.join(import.meta.dirname, '../conformance', kind))
        .filter((_, index) => index % 12 === 0)
        .map((name) => [kind, name] as const),
    ),
  )('recorded %s %s', async (kind, name) => {
    const file = path.join(import.meta.dirname, '../conformance', kind, name, 'input.yaml');
    const parts = readFileSync(file, 'utf8').split(/^---\n/m);
    // If Git had the state of clusters and no longer has it, that is a change (FW9180).
    const isState = (text: string): boolean => /^kind: (?:ManagedCluster|AddOnPlacementScore)$/m.test(text);
    const files = {
      'input.yaml': parts.filter((text) => !isState(text)).join('---\n'),
      'fleet.yaml': parts.filter(isState).join('---\n'),
    };
    expect(await outcomeOf(workspace, inputOf(`${kind}-${name}`, files))).toMatchObject({ kind: 'same' });
  });
});

test('an import that loses a value would be a change', async () => {
  const folder = inputOf('lost', { 'add-on.yaml': addOn, 'hub.yaml': hubObjects, 'fleet.yaml': fleet });
  const outcome = await outcomeOf(workspace, folder, (app) => {
    const file = path.join(app, 'app.ts');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain("'info'");
    writeFileSync(file, text.replace("'info'", "'debug'"));
  });
  expect(outcome).toEqual({ kind: 'CHANGED', reason: expect.stringMatching(/^2 \w+/) });
});
