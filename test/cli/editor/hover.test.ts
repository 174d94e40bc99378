import type { Hover } from 'vscode-languageserver/node';
import { expect, test } from 'vitest';
import { Editor } from './editor.ts';
import { app, cluster, file, fleet, settings, smallWorkspace } from './small-workspace.ts';

async function hoverAt(editor: Editor, where: string, place: string): Promise<string> {
  const hover = await editor.at<Hover | null>('hover', where, place);
  return (hover?.contents as { value: string } | undefined)?.value ?? '';
}

test('a cluster has the add-ons of all apps', async () => {
  const editor = await Editor.in(
    await smallWorkspace({ 'apps/scanner/objects.yaml': app('scanner'), 'apps/none/objects.yaml': '' }),
  );
  await editor.open(fleet);
  expect(await hoverAt(editor, fleet, 'name: prod|-1')).toBe(
    'ManagedCluster prod-1\nhas 2 add-ons: agent, scanner',
  );
  expect(await hoverAt(editor, fleet, 'name: dev|-1')).toBe('ManagedCluster dev-1\nhas no add-ons');
});

test('a cluster of several hubs has the add-ons of each', async () => {
  const editor = await Editor.in(
    await smallWorkspace({
      'apps/scanner/objects.yaml': app('scanner'),
      [settings]: 'hubs: { eu: { fleet: fleet.yaml }, us: { fleet: fleet.yaml } }\n',
    }),
  );
  await editor.open(fleet);
  expect(await hoverAt(editor, fleet, 'name: prod|-1')).toBe(
    'ManagedCluster prod-1\neu: has 2 add-ons: agent, scanner\nus: has 2 add-ons: agent, scanner',
  );
  await editor.open(file);
  expect(await hoverAt(editor, file, 'kind: Pl|acement')).toBe(
    'Placement agent/production\neu: selects 2 of 3 clusters (prod-1, prod-2)\neu: installs agent\nus: selects 2 of 3 clusters (prod-1, prod-2)\nus: installs agent',
  );
});

test('a Placement, an add-on and a configuration name the first of their clusters', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `prod-${index + 1}`);
  const replaced = app('agent').replace(
    'placements: [{ name: production, namespace: agent }]',
    `placements:
      - name: production
        namespace: agent
        configs: [{ group: addon.open-cluster-management.io, resource: addondeploymentconfigs, name: all, namespace: agent }]`,
  );
  const all = `---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: AddOnDeploymentConfig
metadata: { name: all, namespace: agent }
spec: { customizedVariables: [{ name: LEVEL, value: debug }] }
`;
  const editor = await Editor.in(
    await smallWorkspace({
      [fleet]: [cluster('dev-1', 'dev'), ...names.map((name) => cluster(name, 'prod'))].join('---\n'),
      [file]: replaced + all,
    }),
  );
  await editor.open(file);
  const first = 'prod-1, prod-2, prod-3, prod-4, prod-5 and 3 more';
  const named = [
    ['Placem|ent', `selects 8 of 9 clusters (${first})\ninstalls agent`],
    ['ClusterManagement|AddOn', `installed on 8 clusters (${first})`],
    [
      'name: defa|ults, namespace: agent }\nspec',
      `decides on 0 clusters, loses on 8 (${first})\nagent, from default: decides on 0 clusters; on 8 clusters it loses: replaced by placement`,
    ],
    [
      'name: al|l, namespace: agent }\nspec',
      `decides on 8 clusters (${first})\nagent, from placement agent/production: decides on 8 clusters`,
    ],
  ] as const;
  for (const [place, sentences] of named)
    expect((await hoverAt(editor, file, place)).split('\n').slice(1).join('\n')).toBe(sentences);
  expect(await editor.lenses(file)).toEqual([
    '6: selects 8 of 9 clusters',
    '12: decides on 0 clusters, loses on 8',
    '17: installed on 8 clusters',
    '32: decides on 8 clusters',
  ]);
});
