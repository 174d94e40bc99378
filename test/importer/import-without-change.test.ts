import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runIn } from '../cli/run-in.ts';
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

describe('revisions that synth wrote', () => {
  const immutable = addOn.replaceAll(
    /(kind: Add[^\n]*\nmetadata: \{ name: \w+)/g,
    "$1, annotations: { fleetwright.dev/immutable: 'true' }",
  );

  /** What dist/ has after the contents, one after the other, as one file. */
  async function outputOf(...contents: readonly string[]): Promise<string> {
    const folder = mkdtempSync(path.join(inputs, 'output-'));
    const write = (name: string, text: string): void => {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    };
    write('fleet.yaml', `${fleet}---\n${hubObjects}`);
    for (const text of contents) {
      write('apps/logs/app.yaml', text);
      expect(await runIn(folder, ['synth'])).toMatchObject({ code: 0 });
    }
    const output = path.join(folder, 'dist/logs');
    return readdirSync(output)
      .filter((name) => /^(?:addon|clustermanagement|placement).*\.yaml$/.test(name))
      .map((name) => readFileSync(path.join(output, name), 'utf8'))
      .join('---\n');
  }

  async function importedFrom(
    name: string,
    objects: string,
  ): Promise<{ outcome: unknown; files: string; err: string }> {
    let files = '';
    const input = inputOf(name, { 'export.yaml': objects, 'hub.yaml': hubObjects, 'fleet.yaml': fleet });
    const outcome = await outcomeOf(workspace, input, (app) => {
      files = readdirSync(app)
        .filter((file) => /^(?:app\.ts|kept\.yaml)$/.test(file))
        .map((file) => readFileSync(path.join(app, file), 'utf8'))
        .join('\n');
    });
    const { err } = await runIn(workspace, ['import', input, '--out', `apps/again-${path.basename(input)}`]);
    return { outcome, files, err };
  }

  const later = immutable.replace('value: info', 'value: debug');
  const hashed = (name: string): RegExp => new RegExp(`${name}-[0-9a-f]{10}`);

  test('become immutable constructs with their plain names', async () => {
    const { outcome, files, err } = await importedFrom('revisions', await outputOf(immutable));
    expect(outcome).toMatchObject({ kind: 'same' });
    expect(files.match(/immutable: true/g)).toHaveLength(2);
    expect(files).not.toMatch(hashed('settings'));
    expect(files).not.toMatch(hashed('logs'));
    expect(err).toMatch(/info FW9106: AddOnTemplate logs-[0-9a-f]{10} becomes the immutable logs\n/);
    expect(err).not.toContain('FW9101');
  });

  test('of which one is in use are that one, and the others are named', async () => {
    const output = await outputOf(immutable, later);
    expect(new Set(output.match(/settings-[0-9a-f]{10}/g)).size).toBe(2);
    const { outcome, files, err } = await importedFrom('earlier revisions', output);
    expect(files).toContain("LEVEL: 'debug'");
    expect(files).not.toMatch(hashed('settings'));
    expect(err).toMatch(
      /FW9106: AddOnDeploymentConfig logs\/settings-\w+ becomes the immutable settings, and import leaves out 1 other revision: settings-[0-9a-f]{10}\n/,
    );
    // Nothing on a cluster changes: the object that nothing uses is no longer there.
    expect(outcome).toEqual({ kind: 'CHANGED', reason: '1 removed' });
  });

  test.each([
    [
      'if add-ons use several of them',
      (text: string) => {
        const [first = '', second = ''] = new Set(text.match(/settings-[0-9a-f]{10}/g));
        const used = new RegExp(`name: (${first}|${second})\\n +namespace: logs\\n +(?=group)`).exec(text);
        return `${text}---\n${exported.replace('name: settings', `name: ${used?.[1] === first ? second : first}`)}---\n${exported.replace('namespace: edge-1', 'namespace: edge-2').replace('name: settings', `name: ${first}`)}`;
      },
      /FW9107: .* keep their names, because add-ons refer to settings-\w+, settings-\w+/,
    ],
    [
      'if their content was edited',
      (text: string) =>
        text.replaceAll('value: debug', 'value: trace').replaceAll('value: info', 'value: trace'),
      /FW9107: .* keep their names, because the content of settings-\w+ is not the one that its name was made of/,
    ],
    [
      'if the input has an object with the plain name',
      (text: string) => `${text}---\n${addOn.split('---\n')[2] ?? ''}`,
      /FW9107: .* keep their names, because the input has settings too/,
    ],
  ])('keep their names %s', async (name, edit, message) => {
    const { outcome, err } = await importedFrom(name, edit(await outputOf(immutable, later)));
    expect(err).toMatch(message);
    expect(outcome).toMatchObject({ kind: 'same' });
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
