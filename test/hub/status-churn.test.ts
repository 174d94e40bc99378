import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/base/objects/object-meta.ts';
import { ApiClient } from './client/api-client.ts';
import { readAccess } from './client/kubeconfig.ts';
import { namespaceKind, ocmKinds, reference } from './client/kinds.ts';
import { confinedKubeconfig } from './companion/confined-companion.ts';
import { fleetOf } from './companion/deployed-add-on.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { synthesized } from './companion/synthesized.ts';
import { Random } from './differential/random.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';
import { Alarms } from './status/alarms.ts';
import { configMap, templateAddOn } from './status/faulty-add-ons.ts';
import { PlayedClusters } from './status/played-clusters.ts';
import { WorkingTree } from './status/working-tree.ts';

// Clusters, labels, configurations and controllers change all the time, and nothing is wrong. `status` is read all the time, and
// may report no cluster as different or unhealthy, unless Git has a change that is not applied yet.

/** How long the hub is in motion. */
const minutes = Number(process.env['CHURN_MINUTES'] ?? '1.5');
const random = new Random(Number(process.env['CHURN_SEED'] ?? '26'));

let running: RunningHub;
let hub: ApiClient;
let tree: WorkingTree;
let clusters: PlayedClusters;
let confined: string;
let companion: RunningCompanion;
const end = new AbortController();
let agents: Promise<void>;
const alarms = new Alarms();

const tolerations = ['unreachable', 'unavailable'].map((taint) => ({
  key: `cluster.open-cluster-management.io/${taint}`,
  operator: 'Exists',
}));
const placement = (name: string, labels: object, spec: object): object => ({
  ...reference(ocmKinds.placement, name, 'add-ons'),
  spec: {
    clusterSets: ['global'],
    predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: labels } } }],
    ...spec,
  },
});
const placements: readonly object[] = [
  reference(namespaceKind, 'add-ons'),
  { ...reference(ocmKinds.managedClusterSetBinding, 'global', 'add-ons'), spec: { clusterSet: 'global' } },
  placement('everywhere', {}, { tolerations }),
  placement('edge', { role: 'edge' }, { tolerations }),
  placement('gold', { tier: 'gold' }, {}),
];

/** What the working tree has, by app. `level` counts the changes. */
const apps = {
  placements: () => placements,
  edge: (level: number) => [
    {
      ...reference(ocmKinds.addOnDeploymentConfig, 'edge', 'add-ons'),
      spec: { customizedVariables: [{ name: 'LEVEL', value: String(level) }] },
    },
    ...templateAddOn('edge', {
      placement: 'edge',
      config: 'edge',
      manifests: [reference(namespaceKind, 'edge'), configMap('edge', 'edge', { level: '{{LEVEL}}' })],
    }),
  ],
  gold: (level: number) =>
    templateAddOn('gold', {
      placement: 'gold',
      rolloutStrategy: { type: 'Progressive', progressive: { maxConcurrency: 1 } },
      manifests: [reference(namespaceKind, 'gold'), configMap('gold', 'gold', { level: String(level) })],
    }),
  compiled: (level: number) =>
    templateAddOn('compiled', {
      annotations: { 'fleetwright.dev/delivery': 'compiled' },
      manifests: [
        reference(namespaceKind, 'compiled'),
        configMap('compiled', 'compiled', { level: String(level) }),
      ],
    }),
} as const;
type App = keyof typeof apps;
const levels: Record<App, number> = { placements: 0, edge: 0, gold: 0, compiled: 0 };

async function apply(objects: readonly object[]): Promise<void> {
  for (const object of objects) await hub.apply(object as KubernetesObject);
}

let compiledBefore: readonly KubernetesObject[] = [];

/** Compiles for the present clusters, applies, and prunes what is no longer compiled. */
async function applyCompiled(): Promise<void> {
  const fleet = [...clusters.labels].map(([name, labels]) => ({
    ...reference(ocmKinds.managedCluster, name),
    metadata: { name, labels },
    spec: { hubAcceptsClient: true },
  }));
  const [global = {}] = fleetOf('');
  const objects = await synthesized([...placements, ...apps.compiled(levels.compiled)], [global, ...fleet]);
  await apply(objects);
  const keyOf = ({ kind, metadata }: KubernetesObject): string =>
    `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  const present = new Set(objects.map(keyOf));
  for (const object of compiledBefore) if (!present.has(keyOf(object))) await hub.delete(object);
  compiledBefore = objects;
}

async function applyApp(app: App): Promise<void> {
  if (app === 'compiled') await applyCompiled();
  else await apply(apps[app](levels[app]));
}

async function pause(most: number): Promise<void> {
  await delay(random.between(0, most));
}

/** Changes clusters. Compiled delivery needs a new compilation after it. */
async function changeFleet(change: () => Promise<void>): Promise<void> {
  await alarms.whileUnapplied('compiled', async () => {
    await change();
    await pause(1000);
    await applyCompiled();
  });
}

let joined = 0;
const names = (): readonly string[] => [...clusters.labels.keys()];
const someLabels = (): Readonly<Record<string, string>> => ({
  ...(random.chance(0.6) && { role: 'edge' }),
  ...(random.chance(0.6) && { tier: 'gold' }),
});

const actions: Readonly<Record<string, () => Promise<void>>> = {
  'cluster joins': async () => {
    joined += 1;
    await changeFleet(async () => await clusters.join(`c${joined}`, someLabels()));
  },
  'cluster leaves': async () => {
    await changeFleet(async () => await clusters.leave(random.pick(names())));
  },
  'labels change': async () => {
    await changeFleet(async () => await clusters.relabel(random.pick(names()), someLabels()));
  },
  'configuration changes': async () => {
    const app = random.pick(['edge', 'gold', 'compiled'] as const);
    levels[app] += 1;
    await alarms.whileUnapplied(app, async () => {
      await tree.write(app, apps[app](levels[app]));
      await pause(2000);
      await applyApp(app);
    });
  },
  "OCM's controllers restart": async () => await running.cause('restart-ocm-controllers'),
  'the companion restarts': async () => {
    await companion.stop();
    await pause(1000);
    companion = startCompanion(confined);
  },
  "the API server and OCM's controllers restart": async () => {
    await alarms.whileUnreachable(async () => {
      await running.cause('kill-api-server');
      await pause(500);
      await running.cause('start-api-server');
      // addon-framework 1.2 crashes if its watches missed a deletion: NewAddonDeployController does not expect a tombstone.
      await running.cause('restart-ocm-controllers');
    });
  },
};
const changes = ['cluster joins', 'cluster leaves', 'labels change', 'configuration changes'];

/** Keeps the number of clusters between 3 and 8. */
function nextChange(): string {
  const name = random.pick(changes);
  if (name === 'cluster joins' && names().length >= 8) return 'cluster leaves';
  return name === 'cluster leaves' && names().length <= 3 ? 'cluster joins' : name;
}

const restarts = [
  "OCM's controllers restart",
  'the companion restarts',
  "the API server and OCM's controllers restart",
];

beforeAll(async () => {
  running = await startHub();
  hub = new ApiClient(readAccess(running.kubeconfig));
  tree = await WorkingTree.create(running.kubeconfig);
  clusters = new PlayedClusters(hub);
  for (joined = 1; joined < 5; joined += 1)
    await clusters.join(`c${joined}`, { role: 'edge', ...(joined > 2 && { tier: 'gold' }) });
  agents = clusters.work(end.signal);
  confined = await confinedKubeconfig(hub, running.kubeconfig, 'companion');
  companion = startCompanion(confined);
  for (const app of Object.keys(apps) as App[]) {
    await tree.write(app, apps[app](0));
    await applyApp(app);
  }
}, 240_000);
afterAll(async () => {
  end.abort();
  await agents;
  await companion.stop();
  await tree.remove();
  hub.close();
  await running.stop();
}, 60_000);

const asPredicted = async (): Promise<void> =>
  await expect
    .poll(async () => (await tree.status()).addOns.flatMap(({ classes }) => classes), {
      timeout: 120_000,
      interval: 500,
    })
    .toEqual([]);

test(
  'no cluster is reported as different or unhealthy while everything changes',
  { timeout: minutes * 60_000 + 300_000 },
  async () => {
    await asPredicted();
    const reading = new AbortController();
    const reader = alarms.read(async () => await tree.status(), reading.signal);
    const counts = Object.fromEntries(Object.keys(actions).map((name) => [name, 0]));
    const last = Date.now() + minutes * 60_000;
    try {
      for (let round = 0; Date.now() < last; round += 1) {
        const isRestart = round % 4 === 3;
        const name = isRestart ? (restarts[((round - 3) / 4) % 3] ?? '') : nextChange();
        await actions[name]?.();
        counts[name] = (counts[name] ?? 0) + 1;
        await pause(4000);
        if (round % 10 === 9) await asPredicted();
      }
      await asPredicted();
    } finally {
      reading.abort();
      await reader;
      process.stderr.write(`${JSON.stringify({ minutes, ...counts, ...alarms.figures() }, undefined, 1)}\n`);
    }
    expect(alarms.falseAlarms()).toEqual([]);
  },
);
