import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goJson } from '../../src/base/json/go-json.ts';
import { hubObjects } from '../../src/compiler/hub-objects.ts';
import { hubVersion } from '../../src/ocm/hub-version.ts';
import { load } from '../../src/compiler/load/load.ts';
import { resolve } from '../../src/compiler/resolve.ts';
import { run } from '../../src/cli/run.ts';
import { project } from '../conformance/projection.ts';
import { connect, type Hub } from './client/hub.ts';
import { isOfKind, namespaceKind, ocmKinds } from './client/kinds.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';
import { applyScenario } from './record/apply-scenario.ts';
import { readScenario } from './record/case-folder.ts';
import { atRest } from './record/recording.ts';
import { removeScenario } from './record/remove-scenario.ts';
import { printObjects } from './record/scenario.ts';

// A separate hub: a snapshot contains the whole hub, including objects of other tests.
let running: RunningHub;
let hub: Hub;
beforeAll(async () => {
  running = await startHub();
  hub = connect(running);
});
afterAll(async () => {
  hub.close();
  await running.stop();
});

const recorded = path.join(import.meta.dirname, '../conformance');

async function fleetwright(
  cwd: string,
  ...parameters: readonly string[]
): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await run([...parameters], {
    cwd,
    now: () => Date.now(),
    readInput: () => Promise.resolve(new Uint8Array()),
    out: (text) => (out += text),
    err: (text) => (err += text),
    color: false,
  });
  return { code, out, err };
}

/** What the compiler makes of some objects and a fleet, as far as the inputs decide it. */
function resolved(app: string, fleet: string): string {
  const loaded = load([
    { file: 'app.yaml', text: app, source: 'app' },
    { file: 'fleet.yaml', text: fleet, source: 'fleet' },
  ]);
  const target = { hub: hubVersion('1.2'), addOnApiVersion: 'v1alpha1' } as const;
  const { value, diagnostics } = resolve(loaded.value, { now: Date.now(), hub: target.hub });
  if (value === undefined) throw new Error(JSON.stringify(diagnostics));
  return goJson(project([...hubObjects(value, target)]));
}

async function endingNamespaces(): Promise<readonly string[]> {
  const namespaces = await hub.client.list(...namespaceKind);
  return namespaces.flatMap(({ metadata: { name = '', deletionTimestamp } }) =>
    deletionTimestamp === undefined ? [] : [name],
  );
}

const ofTheFleet = [
  ocmKinds.managedCluster,
  ocmKinds.managedClusterSet,
  ocmKinds.managedClusterSetBinding,
  ocmKinds.addOnPlacementScore,
];

test.for(['placement/pl100', 'placement/pl140', 'precedence/pr101', 'template/tp110'])(
  'a snapshot resolves to the applied state: %s',
  async (name) => {
    const scenario = readScenario(path.join(recorded, name));
    const { input } = scenario;
    const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-pull-'));
    const pull = async (...options: readonly string[]): Promise<string> => {
      const answer = await fleetwright(
        folder,
        'fleet',
        'pull',
        '--kubeconfig',
        running.kubeconfig,
        ...options,
      );
      expect(answer).toMatchObject({ code: 0, err: '' });
      return readFileSync(path.join(folder, 'fleet.yaml'), 'utf8');
    };
    try {
      // What is pulled is the whole fleet: also what goes with the namespaces of earlier tests.
      await expect.poll(endingNamespaces, { timeout: 300_000 }).toEqual([]);
      await hub.watch.follow(
        () => true,
        async (follower) => {
          await applyScenario(hub, follower, input);
          expect(await follower.still(atRest)).toBe(true);
        },
      );
      const first = await pull();
      const isFleet = (object: (typeof input)[number]): boolean =>
        ofTheFleet.some((kind) => isOfKind(object, kind));
      const app = printObjects(input.filter((object) => !isFleet(object)));
      const applied = printObjects(input.filter(isFleet));
      expect(resolved(app, first)).toBe(resolved(app, applied));

      const second = await pull();
      const timeless = (text: string): string => text.replace(/taken-at: ".*"/, '');
      expect(timeless(second)).toBe(timeless(first));
      expect(
        await fleetwright(folder, 'fleet', 'pull', '--kubeconfig', running.kubeconfig, '--check'),
      ).toMatchObject({ code: 0 });

      // Applying what the hub has already changes nothing.
      await writeFile(path.join(folder, 'app.yaml'), app);
      const planned = await fleetwright(
        folder,
        'plan',
        '--against',
        'hub',
        '--hub-version',
        '1.2',
        '--kubeconfig',
        running.kubeconfig,
        '-o',
        'json',
      );
      expect(planned).not.toMatchObject({ code: 2 });
      expect(JSON.parse(planned.out)).toMatchObject({ addOns: [], placements: [] });
    } finally {
      await removeScenario(hub, input);
      await rm(folder, { recursive: true });
    }
  },
);

test('--hub writes the snapshot of one hub of the workspace, which its apps then use', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-pull-'));
  const { input } = readScenario(path.join(recorded, 'placement/pl100'));
  try {
    await expect.poll(endingNamespaces, { timeout: 300_000 }).toEqual([]);
    await hub.watch.follow(
      () => true,
      async (follower) => {
        await applyScenario(hub, follower, input);
        expect(await follower.still(atRest)).toBe(true);
      },
    );
    await writeFile(path.join(folder, 'fleetwright.yaml'), 'hubs: { dev: {}, prod: {} }\n');
    const pull = (...options: readonly string[]) =>
      fleetwright(folder, 'fleet', 'pull', '--kubeconfig', running.kubeconfig, ...options);

    expect(await pull()).toMatchObject({ code: 2, out: '' });
    expect(await readdir(folder)).toEqual(['fleetwright.yaml']);

    expect(await pull('--hub', 'prod')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^fleets\/prod\.yaml: /) as unknown,
    });
    expect(await readdir(path.join(folder, 'fleets'))).toEqual(['prod.yaml']);
    expect(await pull('--hub', 'prod', '--check')).toMatchObject({ code: 0 });
    expect(await pull('--hub', 'dev', '--check')).toMatchObject({ code: 1 });

    // A Placement of the app is decided among the clusters of this hub, and the other hub has no fleet.
    const text = readFileSync(path.join(folder, 'fleets/prod.yaml'), 'utf8');
    const snapshot = load([{ file: 'prod.yaml', text, source: 'fleet' }]).value;
    const clusters = snapshot.filter(({ object }) => object.kind === 'ManagedCluster');
    expect(clusters.length).toBe(input.filter((object) => isOfKind(object, ocmKinds.managedCluster)).length);
    await mkdir(path.join(folder, 'apps/all'), { recursive: true });
    await writeFile(path.join(folder, 'apps/all/app.yaml'), everywhere);
    const { code, out, err } = await fleetwright(folder, 'synth');
    expect({ code, out }).toEqual({
      code: 0,
      out: `all: 3 objects, 1 add-on, installed 0 times -> dist/dev/all
all: 3 objects, 1 add-on, installed ${clusters.length} times -> dist/prod/all
`,
    });
    expect(err).toContain('warning FW9013: hub dev: app "all" has no fleet snapshot');
  } finally {
    await removeScenario(hub, input);
    await rm(folder, { recursive: true });
  }
});

/** An add-on on every cluster, also on those that are unreachable. */
const everywhere = `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: { name: global, namespace: default }
spec: { clusterSet: global }
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: { name: every-cluster, namespace: default }
spec: { tolerations: [{ operator: Exists }] }
---
apiVersion: addon.open-cluster-management.io/v1alpha1
kind: ClusterManagementAddOn
metadata: { name: all }
spec: { installStrategy: { type: Placements, placements: [{ name: every-cluster, namespace: default }] } }
`;
