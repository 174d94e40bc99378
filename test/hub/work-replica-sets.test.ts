import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HubVersion } from '../../src/ocm/hub-version.ts';
import { plan } from '../../src/compiler/plan/plan.ts';
import type { Resolution } from '../../src/compiler/resolve.ts';
import { resolveText } from '../resolve-text.ts';
import { connect, type Hub } from './client/hub.ts';
import { releaseOf } from './client/release.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';
import { parseObjects } from './record/scenario.ts';
import { playAgents, type PlayedAgents } from './work-replica-sets/played-agents.ts';
import { applyObjects, compareRandomSets } from './work-replica-sets/compare-sets.ts';
import { fleet, placement, ref, set } from './work-replica-sets/scenes.ts';
import { predictedWorks, worksOnHub, type Work } from './work-replica-sets/works.ts';

// A separate hub: only this one runs OCM's controller of ManifestWorkReplicaSets.
let running: RunningHub;
let hub: Hub;
let release: HubVersion;
let agents: PlayedAgents;

beforeAll(async () => {
  running = await startHub({ workReplicaSets: true });
  hub = connect(running);
  release = releaseOf(running.versions);
  await applyObjects(hub, parseObjects(fleet));
  agents = playAgents(hub.client);
});
afterAll(async () => {
  await agents.stop();
  hub.close();
  await running.stop();
});

const perCluster = 'decisionStrategy: { groupStrategy: { clustersPerDecisionGroup: 1 } }';
const placements = [placement('prod', perCluster), placement('stage'), placement('dev')];

test('the works that resolve prints are those of the hub', async () => {
  const sets = [
    set('everywhere', [ref('prod')]),
    set('one-by-one', [ref('prod', '{ type: Progressive, progressive: { maxConcurrency: 1 } }')]),
    set('stuck', [ref('prod', '{ type: Progressive, progressive: { maxConcurrency: 1 } }')], 'a', ''),
    set('stuck-by-group', [ref('prod', '{ type: ProgressivePerGroup, progressivePerGroup: {} }')], 'a', ''),
    set('by-group', [ref('prod', '{ type: ProgressivePerGroup, progressivePerGroup: {} }')]),
    set('canary', [
      ref(
        'prod',
        '{ type: Progressive, progressive: { mandatoryDecisionGroups: [{ groupIndex: 1 }], maxConcurrency: "50%" } }',
      ),
    ]),
    set('several', [ref('prod'), ref('stage', '{ type: Progressive, progressive: { maxConcurrency: 1 } }')]),
    set('gap', [ref('prod'), ref('nowhere'), ref('stage')]),
    set('wrong-size', [
      ref('stage', '{ type: Progressive, progressive: { maxConcurrency: "1" } }'),
      ref('dev'),
    ]),
    set('a-name-that-makes-the-label-of-its-works-longer-than-the-hub-takes', [ref('dev')]),
  ];
  const state = resolved([...placements, ...sets]);
  await applyObjects(hub, parseObjects([...placements, ...sets].join('\n---\n')));
  await expectOnHub(worksOf(state));
  expect(clustersBySet(worksOf(state))).toEqual({
    everywhere: ['c1', 'c2', 'c3'],
    'one-by-one': ['c1', 'c2', 'c3'],
    stuck: ['c1'],
    'stuck-by-group': ['c1'],
    'by-group': ['c1', 'c2', 'c3'],
    canary: ['c1', 'c2', 'c3'],
    several: ['c1', 'c2', 'c3', 'c4', 'c5'],
    gap: ['c1', 'c2', 'c3'],
    'wrong-size': ['c6'],
  });
  await remove(sets);
});

const both = [ref('stage'), ref('dev')];

/** How many random sets are on the hub at once, and the first seed. */
const randomCount = Number(process.env['REPLICA_SETS'] ?? 16);
const firstSeed = Number(process.env['REPLICA_SETS_SEED'] ?? 1);
const setsPerSeed = 16;

test.each(Array.from({ length: Math.ceil(randomCount / setsPerSeed) }, (_, index) => firstSeed + index))(
  'random sets have the predicted works, also after an edit: seed %i',
  { timeout: 300_000 },
  async (seed) => {
    expect(await compareRandomSets(hub, release, { seed, count: setsPerSeed })).toEqual([]);
  },
);

test.each([
  {
    change: 'a template that is edited',
    head: [...placements, set('web', both, 'b')],
    lost: 0,
  },
  {
    change: 'a Placement that the set no longer names',
    head: [...placements, set('web', [ref('dev')])],
    lost: 2,
  },
  {
    change: 'a Placement that selects other clusters',
    head: [
      placement('prod'),
      placement('stage').replace('env: stage }', 'env: prod }'),
      placement('dev'),
      set('web', both),
    ],
    lost: 2,
  },
])('the hub follows $change, as the plan does', async ({ head, lost }) => {
  const base = [...placements, set('web', both)];
  await applyObjects(hub, parseObjects(base.join('\n---\n')));
  await expectOnHub(worksOf(resolved(base)));
  await applyObjects(hub, parseObjects(head.join('\n---\n')));
  await expectOnHub(worksOf(resolved(head)));
  expect(uninstalled(base, head)).toBe(lost);
  await remove(head);
});

test('the works of a Placement that is deleted are kept, as the plan reports', async () => {
  const web = set('web', both);
  const base = [...placements, web];
  const head = [...placements.filter((each) => !each.includes('name: dev')), web];
  await applyObjects(hub, parseObjects(base.join('\n---\n')));
  const works = worksOf(resolved(base));
  await expectOnHub(works);
  for (const object of parseObjects(placement('dev'))) await hub.client.delete(object);
  await expectOnHub(works);
  expect(uninstalled(base, head)).toBe(0);
  await remove(base);
});

/** Deletes Placements and sets, and waits until the hub has deleted the works. */
async function remove(texts: readonly string[]): Promise<void> {
  for (const object of parseObjects(texts.join('\n---\n')))
    if (object.kind === 'ManifestWorkReplicaSet') await hub.client.delete(object);
  await expectOnHub([]);
}

function resolved(texts: readonly string[]): Resolution {
  return resolveText(texts.join('\n---\n'), { fleet, hub: release.name, now: Date.now() }).resolution;
}

function clustersBySet(works: readonly Work[]): Readonly<Record<string, readonly string[]>> {
  const clusters: Record<string, string[]> = {};
  for (const { name, cluster } of works) (clusters[name] ??= []).push(cluster);
  return clusters;
}

function worksOf(resolution: Resolution): readonly Work[] {
  return predictedWorks(resolution, release);
}

/** Waits until the hub has exactly these works, and sees that it keeps them. */
async function expectOnHub(works: readonly Work[]): Promise<void> {
  const onHub = async (): Promise<readonly Work[]> => await worksOnHub(hub, release);
  await expect.poll(onHub, { timeout: 60_000, interval: 300 }).toEqual(works);
  await delay(3000);
  expect(await onHub()).toEqual(works);
}

/** Clusters that lose works of sets by the plan. */
function uninstalled(base: readonly string[], head: readonly string[]): number {
  const { value } = plan([{ app: 'web', base: resolved(base), head: resolved(head) }], {
    hub: release,
    by: [],
  });
  const groups = value.addOns.flatMap((change) => change.groups);
  return groups
    .filter(({ effect }) => effect === 'uninstalled')
    .reduce((sum, { clusters }) => sum + clusters.length, 0);
}
