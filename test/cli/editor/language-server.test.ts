import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CodeAction, CompletionItem, Hover, Location, WorkspaceEdit } from 'vscode-languageserver/node';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../terminal.ts';
import { commitAll, Editor } from './editor.ts';

const cluster = (name: string, env: string): string => `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: { name: ${name}, labels: { env: ${env} } }
spec: { hubAcceptsClient: true }
status: { conditions: [{ type: ManagedClusterConditionAvailable, status: "True", reason: A, message: a, lastTransitionTime: "2026-01-01T00:00:00Z" }], clusterClaims: [{ name: region, value: eu }] }
`;
const fleet = ['dev', 'prod', 'prod'].map((env, index) => cluster(`c${index + 1}`, env)).join('---\n');
const objects = `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: agents }
spec: { clusterSet: global }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: production
  namespace: agents
spec:
  predicates:
    - requiredClusterSelector:
        labelSelector:
          matchLabels:
            env: prod
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata:
  name: agent
  namespace: agents
spec:
  customizedVariables:
    - { name: LEVEL, value: info }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata:
  name: agent
spec:
  supportedConfigs:
    - group: addon.open-cluster-management.io
      resource: addondeploymentconfigs
      defaultConfig:
        name: agent
        namespace: agents
  installStrategy:
    type: Placements
    placements:
      - name: production
        namespace: agents
`;
const file = 'apps/agent/objects.yaml';
const workspace = (): Promise<string> =>
  folderWith({ 'fleetwright.yaml': '{}\n', 'fleet.yaml': fleet, [file]: objects });

async function editorIn(folder: string): Promise<Editor> {
  const editor = await Editor.in(folder);
  await editor.open(file);
  return editor;
}

test('a typo in a reference is shown where it is, with the fix that mends it', async () => {
  const editor = await editorIn(await workspace());
  expect(await editor.errors(file)).toEqual([]);
  await editor.type(file, 'name: production\n        namespace', 'name: prodution\n        namespace');
  const finding = (await editor.findings(file)).find(({ severity }) => severity === 1);
  expect(finding).toMatchObject({ source: 'fleetwright' });
  expect(finding?.codeDescription?.href).toMatch(/docs\/diagnostics\/FW\d+\.md$/);
  expect(finding?.range.start).toEqual({ line: 40, character: 8 });
  const [fix] = await editor.fixes<CodeAction[]>(file);
  expect(fix?.title).toBe('Replace prodution with production');
  expect(Object.values(fix?.edit?.changes ?? {})).toEqual([
    [
      {
        range: { start: { line: 40, character: 14 }, end: { line: 40, character: 23 } },
        newText: 'production',
      },
    ],
  ]);
  await editor.type(file, 'prodution', 'production');
  expect(await editor.errors(file)).toEqual([]);
});

test('a line above each object says what it means, and what the edits since the last commit change', async () => {
  const folder = await workspace();
  commitAll(folder);
  const editor = await editorIn(folder);
  expect(await editor.lenses(file)).toEqual([
    '6: selects 2 of 3 clusters',
    '18: decides on 2 clusters',
    '27: installed on 2 clusters',
  ]);
  await editor.type(file, 'env: prod', 'env: dev');
  expect(await editor.lenses(file)).toEqual([
    '6: selects 1 of 3 clusters; since the last commit: 1 more (c1), 2 fewer (c2, c3)',
    '18: decides on 1 cluster',
    '27: installed on 1 cluster; since the last commit: 1 more (c1), 2 fewer (c2, c3)',
  ]);
});

test('a configuration that several add-ons name counts each cluster once', async () => {
  const folder = await workspace();
  const editor = await editorIn(folder);
  const everywhere = `---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: everywhere, namespace: agents }
spec: {}
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: watcher, namespace: agents }
spec: { customizedVariables: [{ name: LEVEL, value: debug }] }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: watcher }
spec:
  supportedConfigs:
    - group: addon.open-cluster-management.io
      resource: addondeploymentconfigs
      defaultConfig: { name: agent, namespace: agents }
  installStrategy:
    type: Placements
    placements:
      - name: everywhere
        namespace: agents
        configs:
          - group: addon.open-cluster-management.io
            resource: addondeploymentconfigs
            name: watcher
            namespace: agents
`;
  await editor.type(file, objects, `${objects}${everywhere}`);
  const lenses = await editor.lenses(file);
  expect(lenses.filter((lens) => lens.includes('decides'))).toEqual([
    '18: decides on 2 clusters, loses on 1',
    '49: decides on 3 clusters',
  ]);
  const hover = await editor.at<Hover>(
    'hover',
    file,
    'kind: AddOnDeployment|Config\nmetadata:\n  name: agent',
  );
  expect(hover.contents).toMatchObject({
    value: [
      'AddOnDeploymentConfig agents/agent',
      'decides on 2 clusters (c2, c3), loses on 1 (c1)',
      'agent, from default: decides on 2 clusters (c2, c3)',
      'watcher, from default: decides on 0 clusters; on 3 clusters (c1, c2, c3) it loses: replaced by placement',
    ].join('\n'),
  });
});

describe('at a place', () => {
  test.each([
    [
      'the Placement of an install strategy',
      'name: pro|duction\n        namespace',
      /^Placement agents\/production\nselects 2 of 3 clusters \(c2, c3\)\ninstalls agent$/,
    ],
    [
      'a configuration',
      'name: ag|ent\n        namespace',
      /^AddOnDeploymentConfig agents\/agent\ndecides on 2 clusters \(c2, c3\)\nagent, from default: decides on 2 clusters$/,
    ],
    [
      'any field of an object',
      'requiredCluster|Selector',
      /^selects 2 of 3 clusters \(c2, c3\)\ninstalls agent$/,
    ],
  ])('%s: the hover says what it decides', async (_what, place, expected) => {
    const editor = await editorIn(await workspace());
    const hover = await editor.at<Hover>('hover', file, place);
    expect((hover.contents as { value: string }).value).toMatch(expected);
  });

  test('a name leads to its object, and from there to every use', async () => {
    const editor = await editorIn(await workspace());
    const [definition] = await editor.at<Location[]>(
      'definition',
      file,
      'name: pro|duction\n        namespace',
    );
    expect(definition?.range.start).toEqual({ line: 5, character: 0 });
    const uses = await editor.at<Location[]>('references', file, 'name: pro|duction\n  namespace', {
      context: { includeDeclaration: false },
    });
    expect(uses.map(({ range }) => range.start)).toEqual([{ line: 40, character: 14 }]);
  });

  test('a rename changes the object and every use', async () => {
    const editor = await editorIn(await workspace());
    const edit = await editor.at<WorkspaceEdit>('rename', file, 'name: ag|ent\n  namespace: agents', {
      newName: 'beacon',
    });
    const places = Object.values(edit.changes ?? {}).flat();
    expect(places.map(({ range, newText }) => [range.start.line, newText])).toEqual([
      [20, 'beacon'],
      [35, 'beacon'],
    ]);
  });

  test.each([
    ['a value of a label: those that clusters have', 'env: pr|od', ['dev', 'prod']],
    ['the key of a label', 'e|nv: prod', ['cluster.open-cluster-management.io/clusterset', 'env']],
    ['the name of a Placement', 'name: pro|duction\n        namespace', ['production']],
    ['the name of a configuration', 'name: ag|ent\n        namespace', ['agent']],
    ['a field that has no words of the fleet', 'kind: Pl|acement', []],
  ])('%s', async (_what, place, expected) => {
    const editor = await editorIn(await workspace());
    const found = await editor.at<CompletionItem[]>('completion', file, place);
    expect(found.map(({ label }) => label)).toEqual(expected);
  });
});

test('a file that another program writes is read again, also if it is not open', async () => {
  const folder = await workspace();
  const editor = await editorIn(folder);
  expect(await editor.errors(file)).toEqual([]);
  await writeFile(path.join(folder, 'fleet.yaml'), cluster('c1', 'dev'));
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const [first = ''] = await editor.lenses(file);
    if (first.includes('selects 0 of 1 cluster')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await editor.lenses(file)).toContain('6: selects 0 of 1 cluster');
});

test('text that is not YAML yet is a finding, and the rest follows as soon as it is', async () => {
  const editor = await editorIn(await workspace());
  await editor.type(file, 'metadata:\n  name: production', 'metadata: {\n  name: production');
  expect(await editor.errors(file)).not.toEqual([]);
  await editor.type(file, 'metadata: {\n', 'metadata:\n');
  expect(await editor.errors(file)).toEqual([]);
});

test('settings with a mistake are shown in fleetwright.yaml or as a message', async () => {
  const folder = await workspace();
  await writeFile(path.join(folder, 'fleetwright.yaml'), 'hubVersions: "1.3"\n');
  const editor = await editorIn(folder);
  await editor.lenses(file);
  const shown = [
    ...(await editor.findings('fleetwright.yaml')).map(({ message }) => JSON.stringify(message)),
    ...editor.messages,
  ];
  expect(shown.join('\n')).toMatch(/hubVersions/);
});

test('a closed file is what is on disk again', async () => {
  const editor = await editorIn(await workspace());
  await editor.type(file, 'env: prod', 'env: nowhere');
  expect(await editor.lenses(file)).toContain('6: selects 0 of 3 clusters');
  await editor.closeFile(file);
  expect(await editor.lenses(file)).toContain('6: selects 2 of 3 clusters');
});

test('a panel shows the plan of what is typed, with its errors, until it is closed', async () => {
  const folder = await workspace();
  commitAll(folder);
  const editor = await Editor.in(folder);
  await editor.open(file);
  await editor.showPlan();
  const page = (): string => editor.planPages.at(-1) ?? '';
  await expect.poll(page).toContain('nothing changes on 3 clusters');
  expect(page()).toContain('<header data-live="messages" data-version="1">');

  await editor.type(file, 'kind: Placement\n', 'kind: Placemen\n');
  await expect.poll(page).toContain('The plan below is that of an earlier state');
  expect(page()).toContain('has no kind &quot;Placemen&quot;');

  await editor.type(file, 'kind: Placemen\n', 'kind: Placement\n');
  await expect.poll(page).not.toContain('The plan below is that of an earlier state');
  const pages = editor.planPages.length;

  await editor.hidePlan();
  await editor.type(file, 'kind: Placement\n', 'kind: Placemen\n');
  await editor.findings(file);
  expect(editor.planPages.length).toBe(pages);
});
