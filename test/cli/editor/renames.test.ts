import type { Location, Range, WorkspaceEdit } from 'vscode-languageserver/node';
import { expect, test } from 'vitest';
import { TextPositions } from '../../../src/cli/editor/text-positions.ts';
import { Editor } from './editor.ts';
import { logCollector, logCollectorFile as file, logCollectorWorkspace } from './log-collector.ts';

async function openEditor(): Promise<Editor> {
  const editor = await Editor.in(await logCollectorWorkspace());
  await editor.open(file);
  return editor;
}

/** Returns the changed lines, from 1. */
async function linesOfRename(editor: Editor, place: string, newName: string): Promise<readonly string[]> {
  const edit = await editor.at<WorkspaceEdit>('rename', file, place, { newName });
  const changes = Object.values(edit.changes ?? {}).flat();
  const text = new TextPositions(editor.text(file));
  for (const { newText } of changes) expect(newText).toBe(newName);
  return changes.map(({ range: { start, end } }) => {
    const line = text.line(start.line);
    return `${start.line + 1}: ${line.slice(0, start.character).trim()} ${newName}${line.slice(end.character)}`;
  });
}

test('an add-on is renamed in its template and its overrides too, with its definition and references', async () => {
  const editor = await openEditor();
  const addOn = 'kind: ClusterManagementAddOn\nmetadata:\n  name: log-coll|ector';
  expect(await linesOfRename(editor, addOn, 'logs')).toMatchInlineSnapshot(`
    [
      "106: name: logs",
      "77: addonName: logs",
      "140: name: logs",
    ]
  `);
  const ofTemplate = 'addonName: log-coll|ector';
  const [definition] = await editor.at<Location[]>('definition', file, ofTemplate);
  expect(new TextPositions(logCollector).line(definition?.range.start.line ?? 0)).toBe(
    'apiVersion: addon.open-cluster-management.io/v1alpha1',
  );
  const lines = async (includeDeclaration: boolean): Promise<readonly number[]> => {
    const found = await editor.at<Location[]>('references', file, ofTemplate, {
      context: { includeDeclaration },
    });
    return found.map(({ range }) => range.start.line + 1).sort((a, b) => a - b);
  };
  const uses = await lines(false);
  const all = await lines(true);
  expect(uses).toHaveLength(2);
  expect(all).toHaveLength(3);
  expect(all).toEqual(expect.arrayContaining([...uses]));
});

test.each([
  ['Placement', 'name: prod|uction\n  namespace', 'live', 2],
  ['configuration', 'name: ver|bose\n  namespace', 'chatty', 3],
  ['template', 'name: log-collector-|v1\nspec', 'log-collector-v2', 2],
])('a %s is renamed wherever it is named', async (_kind, place, newName, count) => {
  const editor = await openEditor();
  expect(await linesOfRename(editor, place, newName)).toHaveLength(count);
});

test('the name is replaced, not the key that contains it', async () => {
  const editor = await openEditor();
  await editor.type(file, logCollector, logCollector.replaceAll('verbose', 'me'));
  expect(await linesOfRename(editor, 'name: m|e\n  namespace', 'chatty')).toMatchInlineSnapshot(`
    [
      "64: name: chatty",
      "134: name: chatty",
      "146: name: chatty",
    ]
  `);
});

const placementName = 'name: prod|uction\n  namespace';

test.each([
  ['an empty name', placementName, '', /^"" is not a valid name: /],
  ['a name that Kubernetes rejects', placementName, 'Prod_X', /^"Prod_X" is not a valid name: /],
  [
    'the name of another object',
    placementName,
    'testing',
    /^"logging\/testing" exists already, at apps\/log-collector\/objects\.yaml:\d+$/,
  ],
  ['a cluster', 'namespace: ca|rol', 'dave', /^Cluster "carol" cannot be renamed: /],
  ['a cluster set', 'clusterSets: [glo|bal]', 'all', /^Cluster set "global" cannot be renamed: /],
  ['a variable', 'name: LOG|_LEVEL', 'LEVEL', /^This cannot be renamed: /],
  ['a key', 'customized|Variables', 'variables', /^This cannot be renamed: /],
])('%s is refused with a sentence', async (_what, place, newName, message) => {
  const editor = await openEditor();
  await expect(editor.at('rename', file, place, { newName })).rejects.toThrow(message);
});

test('nothing is renamed while some uses of a name are unknown', async () => {
  const editor = await openEditor();
  await editor.type(file, 'clusterSets: [global]', 'clusterSets: 1');
  await expect(editor.at('rename', file, placementName, { newName: 'live' })).rejects.toThrow(
    /^Objects of the workspace are invalid, /,
  );
});

test('an editor learns what can be renamed before it asks for a name', async () => {
  const editor = await openEditor();
  const prepared = await editor.at<{ range: Range; placeholder: string } | null>(
    'prepareRename',
    file,
    'name: prod|uction\n        namespace',
  );
  expect(prepared?.placeholder).toBe('production');
  const { start, end } = prepared?.range ?? {};
  expect(start?.line).toBe(end?.line);
  expect((end?.character ?? 0) - (start?.character ?? 0)).toBe('production'.length);
  for (const place of ['namespace: ca|rol', 'LOG|_LEVEL', 'kind: Place|ment'])
    expect(await editor.at('prepareRename', file, place)).toBeNull();
});
