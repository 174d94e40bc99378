import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fleetOf } from '../resolve-text.ts';
import { folderWith, runIn, type Ran } from './terminal.ts';

const addOnGroup = 'addon.open-cluster-management.io';
const clusterGroup = 'cluster.open-cluster-management.io';

const placement = (namespace: string, name: string, more = ''): string => `apiVersion: ${clusterGroup}/v1beta1
kind: Placement
metadata: { name: ${name}, namespace: ${namespace}${more} }
spec: { tolerations: [{ operator: Exists }] }
`;

const addOn = (
  name: string,
  namespace: string,
  placementName: string,
): string => `apiVersion: ${addOnGroup}/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: ${name} }
spec:
  installStrategy: { type: Placements, placements: [{ name: ${placementName}, namespace: ${namespace} }] }
`;

const clusterAddOn = (name: string, cluster: string): string => `apiVersion: ${addOnGroup}/v1alpha1
kind: ManagedClusterAddOn
metadata: { name: ${name}, namespace: ${cluster} }
spec: {}
`;

const decision = (
  namespace: string,
  name: string,
  clusters: readonly string[],
): string => `apiVersion: ${clusterGroup}/v1beta1
kind: PlacementDecision
metadata: { name: ${name}-decision-1, namespace: ${namespace}, labels: { ${clusterGroup}/placement: ${name}, ${clusterGroup}/decision-group-index: "0", ${clusterGroup}/decision-group-name: "" } }
status: { decisions: [${clusters.map((cluster) => `{ clusterName: ${cluster}, reason: "" }`).join(', ')}] }
`;

const binding = (namespace: string): string => `apiVersion: ${clusterGroup}/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: ${namespace} }
spec: { clusterSet: global }
`;

const covers =
  'AddOnDeploymentConfig AddOnTemplate ClusterManagementAddOn ManagedCluster ManagedClusterSet ManagedClusterSetBinding Placement PlacementDecision';

/** A snapshot as `fleet pull` writes it; an older one does not say what it covers. */
function snapshot(head: readonly string[], ...objects: readonly string[]): string {
  const annotations = ['fleetwright.dev/taken-at: "2026-06-01T00:00:00Z"', ...head];
  return `apiVersion: v1
kind: List
metadata:
  annotations:
${annotations.map((line) => `    ${line}\n`).join('')}items: []
---
${[fleetOf({ c1: {}, c2: {} }), ...objects].join('---\n')}`;
}

const fresh = [`fleetwright.dev/covers: ${covers}`];
const globalSet = 'open-cluster-management-global-set';
const hub = [
  binding(globalSet),
  placement(globalSet, 'global'),
  addOn('search-collector', globalSet, 'global'),
];

const codesIn = ({ err }: Ran): string[] =>
  [...err.matchAll(/^(?:error|warning|info) (FW\d{4})/gm)].map(([, code = '']) => code).sort();

const user = [addOn('mine', globalSet, 'global'), clusterAddOn('search-collector', 'c1')].join('---\n');

async function validated(fleet: string, text = user): Promise<Ran> {
  const cwd = await folderWith({ 'user.yaml': text, 'pulled.yaml': fleet });
  return await runIn(cwd, ['validate', 'user.yaml', '--fleet', 'pulled.yaml']);
}

describe('references to objects that only the hub has', () => {
  test('cause no findings with a fresh snapshot', async () => {
    expect(await validated(snapshot(fresh, ...hub))).toMatchObject({ code: 0, err: '' });
  });

  test('cause no findings with a snapshot that another tool has rewritten', async () => {
    const time = '"2026-06-01T00:00:00Z"';
    for (const rewritten of ['2026-06-01T00:00:00Z', "'2026-06-01T00:00:00Z'", '2026-06-01 00:00:00+00:00'])
      expect(await validated(snapshot(fresh, ...hub).replace(time, rewritten))).toMatchObject({
        code: 0,
        err: '',
      });
  });

  test('are findings if a fresh snapshot does not contain the object', async () => {
    expect(codesIn(await validated(snapshot(fresh)))).toEqual(['FW4005', 'FW7003']);
  });

  test('FW7026: cannot be answered by a snapshot that does not cover the kind', async () => {
    const ran = await validated(snapshot([]));
    expect(ran.code).toBe(0);
    expect(codesIn(ran)).toEqual(['FW7026', 'FW7026']);
    expect(ran.err).toMatchInlineSnapshot(`
      "info FW7026: the app does not have Placement "open-cluster-management-global-set/global", and the fleet snapshot does not cover objects of this kind
       --> user.yaml:5:53
        |
      5 | …tegy: { type: Placements, placements: [{ name: global, namespace: open-cluster…
        |                                         ^
        = object: ClusterManagementAddOn mine
        = field: spec.installStrategy.placements[0]
        = hint: pull a snapshot with "fleetwright fleet pull", or list it under external in fleetwright.yaml if the hub has it

      info FW7026: the app does not have ClusterManagementAddOn "search-collector", and the fleet snapshot does not cover objects of this kind
       --> user.yaml:9:13
        |
      9 | metadata: { name: search-collector, namespace: c1 }
        |             ^
        = object: ManagedClusterAddOn c1/search-collector
        = field: metadata.name
        = hint: pull a snapshot with "fleetwright fleet pull", or list it under external in fleetwright.yaml if the hub has it

      2 info
      "
    `);
  });

  test('are answered by the decisions of a snapshot that does not have the Placement', async () => {
    const cwd = await folderWith({
      'user.yaml': addOn('mine', globalSet, 'global'),
      'pulled.yaml': snapshot([], decision(globalSet, 'global', ['c2'])),
    });
    const inputs = ['user.yaml', '--fleet', 'pulled.yaml'];
    expect(await runIn(cwd, ['validate', ...inputs])).toMatchObject({ code: 0, err: '' });
    const { out } = await runIn(cwd, ['resolve', ...inputs, '-o', 'json']);
    const { items } = JSON.parse(out) as { items: { kind: string; metadata: { namespace?: string } }[] };
    expect(items.filter(({ kind }) => kind === 'Placement')).toEqual([]);
    expect(
      items.flatMap(({ kind, metadata }) => (kind === 'ManagedClusterAddOn' ? [metadata.namespace] : [])),
    ).toEqual(['c2']);
    const explained = await runIn(cwd, [
      'explain',
      'c2',
      'mine',
      '--path',
      'user.yaml',
      '--fleet',
      'pulled.yaml',
    ]);
    expect(explained.out).toContain('the inputs have its decisions, but not the Placement itself');
  });

  test('are not answered by a decision that was left behind', async () => {
    const fleet = snapshot(fresh, decision(globalSet, 'global', ['c2']));
    expect(codesIn(await validated(fleet))).toEqual(['FW4005', 'FW7003']);
  });
});

describe('objects that the snapshot left out because Git has them', () => {
  const leftOut = (...lines: readonly string[]): string[] => [
    ...fresh,
    'fleetwright.dev/written-in-git: |',
    ...lines.map((line) => `  ${line}`),
  ];
  const theirs = `Placement.${clusterGroup} ${globalSet}/global argocd:theirs`;
  const text = addOn('mine', globalSet, 'global');

  test('exist if another app or repository writes them', async () => {
    const fleet = snapshot(
      leftOut(theirs, `ClusterManagementAddOn.${addOnGroup} mine argocd:mine`),
      decision(globalSet, 'global', ['c1']),
    );
    expect(await validated(fleet, text)).toMatchObject({ code: 0, err: '' });
  });

  test('are deleted if the engine of this app created them: FW7003', async () => {
    const fleet = snapshot(
      leftOut(theirs, `ClusterManagementAddOn.${addOnGroup} mine argocd:theirs`),
      decision(globalSet, 'global', ['c1']),
    );
    expect(codesIn(await validated(fleet, text))).toEqual(['FW7003']);
  });
});

test('objects of the snapshot that the engine of this app created are deleted too', async () => {
  const tracked = (name: string): string => `, annotations: { argocd.argoproj.io/tracking-id: "${name}:x" }`;
  const own = placement(globalSet, 'mine', tracked('mine'));
  const text = [placement(globalSet, 'mine'), addOn('mine', globalSet, 'global')].join('---\n');
  const withWriter = (name: string): string =>
    snapshot(fresh, binding(globalSet), own, placement(globalSet, 'global', tracked(name)));
  expect(await validated(withWriter('theirs'), text)).toMatchObject({ code: 0, err: '' });
  expect(codesIn(await validated(withWriter('mine'), text))).toEqual(['FW7003']);
});

test('synth neither emits, counts nor reports objects that only the hub has', async () => {
  const broken = placement('unbound', 'theirs').replace('spec:', 'spec: { numberOfClusters: 0 } #');
  const cwd = await folderWith({
    'apps/mine/hub.yaml': addOn('mine', globalSet, 'global'),
    'apps/mine/fleet.yaml': snapshot(fresh, ...hub, broken, addOn('theirs', 'nowhere', 'missing')),
    'fleetwright.yaml': `policies:
  none:
    message: no add-on may be here
    expression: addOn.name == 'mine'
`,
  });
  const { code, out, err } = await runIn(cwd, ['synth']);
  expect({ code, out, err }).toEqual({
    code: 0,
    out: 'mine: 1 object, 1 add-on, installed 2 times -> dist/mine\n',
    err: '',
  });
  const files = await readdir(path.join(cwd, 'dist/mine'), { recursive: true });
  expect(files.filter((name) => name.endsWith('.yaml') && !name.includes('kustomization')).sort()).toEqual([
    'clustermanagementaddon_mine.yaml',
    'resolution.yaml',
  ]);
  expect(await readFile(path.join(cwd, 'dist/mine/resolution.yaml'), 'utf8')).not.toContain(
    'search-collector',
  );
  const rollout = await runIn(cwd, ['rollout', 'apps/mine']);
  expect(rollout.out).toContain('mine: installation');
  expect(rollout.out).not.toContain('search-collector');
});

describe('plan', () => {
  const planned = async (
    base: Readonly<Record<string, string>>,
    head: Readonly<Record<string, string>>,
  ): Promise<Ran> => {
    const folder = (name: string, files: Readonly<Record<string, string>>): [string, string][] =>
      Object.entries(files).map(([file, text]) => [`${name}/apps/mine/${file}`, text]);
    const cwd = await folderWith(Object.fromEntries([...folder('base', base), ...folder('head', head)]));
    return await runIn(cwd, ['plan', 'base', 'head']);
  };
  const mine = [binding('agents'), placement('agents', 'all'), addOn('mine', 'agents', 'all')];
  const app = mine.join('---\n');

  test('a refreshed snapshot alone changes no add-on, and lists its new objects', async () => {
    const { code, out } = await planned(
      { 'hub.yaml': app, 'fleet.yaml': snapshot(fresh) },
      { 'hub.yaml': app, 'fleet.yaml': snapshot(fresh, ...hub) },
    );
    expect(code).toBe(0);
    expect(out).toContain('plan: no add-on changes on 2 clusters; 3 objects added');
    expect(out.match(/search-collector.*/g)).toEqual([
      expect.stringMatching(/^search-collector was added \(apps\/mine\/fleet\.yaml:/),
    ]);
  });

  test('the effect of the change on an add-on of the hub is reported, with and without a refreshed snapshot', async () => {
    const shared = [binding(globalSet), app].join('---\n');
    const ofHub = [placement(globalSet, 'global'), addOn('search-collector', globalSet, 'global')];
    for (const later of [ofHub, [...ofHub, addOn('another', globalSet, 'global')]]) {
      const { code, out } = await planned(
        { 'hub.yaml': shared, 'fleet.yaml': snapshot(fresh, ...ofHub) },
        { 'hub.yaml': app, 'fleet.yaml': snapshot(fresh, ...later) },
      );
      expect(code).toBe(0);
      expect(out).toContain('search-collector (app mine)\n  UNINSTALLED from 2 clusters: c1, c2');
      expect(out).toContain(`  ${globalSet}/global: 0 clusters, before 2`);
    }
  });

  test('a Placement that Git no longer has is deleted, although the snapshot still has it', async () => {
    const fleet = snapshot(fresh, ...mine, decision('agents', 'all', ['c1', 'c2']));
    const { code, out, err } = await planned(
      { 'hub.yaml': app, 'fleet.yaml': fleet },
      { 'hub.yaml': [mine[0], mine[2]].join('---\n'), 'fleet.yaml': fleet },
    );
    expect(code).toBe(1);
    expect(out).toContain('  UNINSTALLED from 2 clusters: c1, c2');
    expect(err).toContain('FW8001');
    expect(err).toContain('FW7003');
  });

  test('a binding that Git no longer has is deleted, and one that moves to another app is kept', async () => {
    const fleet = snapshot(fresh, binding('agents'));
    const without = mine.slice(1).join('---\n');
    const { out } = await planned(
      { 'hub.yaml': app, 'fleet.yaml': fleet },
      { 'hub.yaml': without, 'fleet.yaml': fleet },
    );
    expect(out).toContain('mine\n  UNINSTALLED from 2 clusters: c1, c2');
    const cwd = await folderWith({
      'base/apps/mine/hub.yaml': app,
      'base/apps/mine/fleet.yaml': fleet,
      'head/apps/mine/hub.yaml': without,
      'head/apps/mine/fleet.yaml': fleet,
      'head/apps/shared/hub.yaml': binding('agents'),
      'head/apps/shared/fleet.yaml': fleet,
    });
    const moved = (await runIn(cwd, ['plan', 'base', 'head'])).out;
    expect(moved).toContain('plan: no add-on changes on 2 clusters');
    expect(moved).toContain(
      'ManagedClusterSetBinding agents/global was removed (apps/mine/hub.yaml:1 in the base)',
    );
    expect(moved).toContain('ManagedClusterSetBinding agents/global was added (apps/shared/hub.yaml:1)');
  });
});
