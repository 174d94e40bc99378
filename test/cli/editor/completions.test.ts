import type { CompletionItem } from 'vscode-languageserver/node';
import { expect, test } from 'vitest';
import { Editor } from './editor.ts';
import { logCollectorFile as file, logCollectorWorkspace } from './log-collector.ts';
import { app, file as agentFile, smallWorkspace } from './small-workspace.ts';

async function openEditor(): Promise<Editor> {
  const editor = await Editor.in(await logCollectorWorkspace());
  await editor.open(file);
  expect(await editor.errors(file)).toEqual([]);
  return editor;
}

async function itemsAt(editor: Editor, place: string): Promise<readonly CompletionItem[]> {
  return await editor.at<CompletionItem[]>('completion', file, place);
}

const labels = ['cluster.open-cluster-management.io/clusterset', 'environment', 'region'];

test.each([
  [
    'an empty name of a Placement',
    '- name: production\n        namespace',
    '- name: \n        namespace',
    'name: |\n',
    ['production', 'testing'],
  ],
  [
    'an empty item with a name',
    '- name: production\n        namespace: logging\n',
    '- name: \n',
    'name: |\n',
    ['production', 'testing'],
  ],
  ['a part of a name', '- name: production', '- name: prod', 'name: pro|d\n', ['production', 'testing']],
  [
    'an empty name of a configuration',
    'name: defaults\n        namespace',
    'name: \n        namespace',
    'name: |\n',
    ['defaults', 'verbose'],
  ],
  [
    'an empty name of a template',
    '{ name: log-collector-v1 }',
    '{ name:  }',
    'name: | }',
    ['log-collector-v1'],
  ],
  [
    'an empty namespace',
    'production\n        namespace: logging',
    'production\n        namespace: ',
    'production\n        namespace: |',
    ['logging'],
  ],
  [
    'an empty line below matchLabels',
    'environment: prod\n            region: europe',
    '',
    'matchLabels:\n            |\n',
    labels,
  ],
  ['a key without its colon', 'region: europe', 'reg', 're|g\n', labels],
  [
    'an empty value of a label',
    'environment: prod\n',
    'environment: \n',
    'environment: |\n',
    ['dev', 'prod', 'staging'],
  ],
  [
    'an empty item of values',
    'values: [prod, staging]',
    'values: [prod, ]',
    '[prod, |]',
    ['dev', 'prod', 'staging'],
  ],
  [
    'an empty operator',
    'operator: In\n',
    'operator: \n',
    'operator: |\n',
    ['DoesNotExist', 'Exists', 'In', 'NotIn'],
  ],
  [
    'an empty cluster set',
    'clusterSets: [global]',
    'clusterSets:\n    - ',
    'clusterSets:\n    - |',
    ['default', 'global'],
  ],
  ['an empty addonName', 'addonName: log-collector', 'addonName: ', 'addonName: |\n', ['log-collector']],
  [
    'an empty resource',
    'resource: addondeploymentconfigs\n            name',
    'resource: \n            name',
    'resource: |\n            name',
    ['addondeploymentconfigs', 'addontemplates'],
  ],
  [
    'the name of an add-on on a cluster',
    'name: log-collector\n  namespace: carol',
    'name: \n  namespace: carol',
    'name: |\n  namespace: carol',
    ['log-collector'],
  ],
  [
    'the start of a variable',
    "'{{LOG_LEVEL}}'",
    "'{{LO'",
    "{{LO|'",
    ['CLUSTER_NAME', 'HUB_KUBECONFIG', 'INSTALL_NAMESPACE', 'LOG_LEVEL'],
  ],
])('%s', async (_what, from, to, place, expected) => {
  const editor = await openEditor();
  await editor.type(file, from, to);
  expect((await itemsAt(editor, place)).map(({ label }) => label)).toEqual(expected);
});

test('a name is not offered because it is being typed', async () => {
  const editor = await openEditor();
  await editor.type(file, 'name: verbose\n            namespace', 'name: verb\n            namespace');
  expect((await itemsAt(editor, 'name: ver|b\n')).map(({ label }) => label)).toEqual(['defaults', 'verbose']);
});

test('a key is written with its colon, and text that is not a text to YAML in quotes', async () => {
  const editor = await openEditor();
  await editor.type(file, 'environment: prod\n            region: europe', '');
  const items = await itemsAt(editor, 'matchLabels:\n            |\n');
  expect(items.map(({ textEdit }) => textEdit?.newText)).toContain('region: ');
  const whole = await openEditor();
  const keys = await itemsAt(whole, 'reg|ion: europe');
  expect(keys.map(({ textEdit }) => textEdit?.newText)).toContain('region');
});

test('a variable is written with the braces that are missing', async () => {
  const editor = await openEditor();
  const item = (await itemsAt(editor, '{{LOG|_LEVEL}}')).find(({ label }) => label === 'LOG_LEVEL');
  expect(item).toMatchObject({ detail: 'in 2 configurations', textEdit: { newText: 'LOG_LEVEL' } });
  await editor.type(file, '{{LOG_LEVEL}}', '{{');
  const begun = (await itemsAt(editor, "{{|'")).find(({ label }) => label === 'LOG_LEVEL');
  expect(begun).toMatchObject({ textEdit: { newText: 'LOG_LEVEL}}' } });
});

test('text that is not YAML for a moment has the objects of before', async () => {
  const editor = await openEditor();
  await editor.type(file, 'spec: { clusterSet: global }', 'spec: { clusterSet: global');
  expect(await editor.errors(file)).not.toEqual([]);
  await editor.type(file, '- name: testing', '- name: ');
  expect((await itemsAt(editor, '- name: |\n        namespace')).map(({ label }) => label)).toContain(
    'testing',
  );
});

test('an object of another app is not offered: a reference to it is an error', async () => {
  const other = app('other').replaceAll('name: production', 'name: elsewhere');
  const editor = await Editor.in(await smallWorkspace({ 'apps/other/objects.yaml': other }));
  await editor.open(agentFile);
  const named = '[{ name: production, namespace: agent }]';
  await editor.type(agentFile, named, '[{ name: elsewhere, namespace: other }]');
  expect(await editor.errors(agentFile)).toEqual(['FW7003']);
  await editor.type(agentFile, '[{ name: elsewhere, namespace: other }]', '[{ name: p, namespace: agent }]');
  const items = await editor.at<CompletionItem[]>('completion', agentFile, '[{ name: p|, namespace: agent');
  expect(items.map(({ label }) => label)).toEqual(['production']);
  const namespaces = await editor.at<CompletionItem[]>('completion', agentFile, 'p, namespace: a|gent }]');
  expect(namespaces.map(({ label }) => label)).toEqual(['agent']);
});
