import { setTimeout as delay } from 'node:timers/promises';
import { predictRollout } from '../../../src/compiler/predict-rollout.ts';
import type { Rollout } from '../../../src/compiler/rollout/simulation/simulate-rollout.ts';
import type { HubVersion } from '../../../src/ocm/hub-version.ts';
import type { Hub } from '../client/hub.ts';
import { loaded } from '../differential/predict.ts';
import { applyOne, applyScenario } from '../record/apply-scenario.ts';
import { atRest } from '../record/recording.ts';
import { removeScenario } from '../record/remove-scenario.ts';
import { belongsTo } from '../record/scenario.ts';
import { ocmKinds } from '../client/kinds.ts';
import type { TimedEdit, TimedScenario } from './timed-scenario.ts';
import { WorkAgents, type Behavior, type WrittenWork } from './work-agents.ts';

/** How long the hub may take to react to an agent, in milliseconds. */
const reaction = 1_000;
/** How much longer than predicted a rollout may take on a slow machine, in milliseconds. */
const patience = 120_000;

/** When a cluster of a rollout changed, compared with the prediction. In milliseconds after the start. */
export interface TimedChange {
  readonly stage: 'install' | 'update' | 'edit';
  readonly cluster: string;
  /** From 0. Absent if the prediction has no wave for the cluster: it changes only if soaks end early, or never. */
  readonly wave?: number;
  readonly earliest?: number;
  readonly after?: number;
  /** Absent if the cluster did not change. */
  readonly at?: number;
}

/**
 * Applies an add-on and then its update, with agents that answer, and returns when each cluster changed. An edit during the update is
 * predicted from the state of the hub at that moment.
 */
export async function play(
  hub: Hub,
  scenario: TimedScenario,
  release: HubVersion,
): Promise<readonly TimedChange[]> {
  const { fleet, install, update, edit } = scenario;
  const all = [...fleet, ...install, ...update, ...(edit?.objects ?? [])];
  const predicted = predictionOf(scenario, release);
  const agents = new WorkAgents(hub, belongsTo(all), (cluster) => scenario.installBehavior.get(cluster) ?? 0);
  try {
    return await hub.watch.follow(belongsTo(all), async (follower) => {
      await applyScenario(hub, follower, fleet);
      await follower.still(atRest);
      const start = Date.now();
      await applyScenario(hub, follower, install);
      const isInstalled = await ended(() => agents.works, predicted.install, scenario.installBehavior, start);
      const installed = changes('install', agents.works, predicted.install, start);
      if (!isInstalled) return installed;
      const before = agents.works.length;
      agents.behaviorOf = (cluster) => scenario.updateBehavior.get(cluster) ?? 0;
      const updateStart = Date.now();
      await applyScenario(hub, follower, update);
      if (edit === undefined)
        await ended(() => agents.works, predicted.update, scenario.updateBehavior, updateStart);
      else await delay(edit.after);
      const edited = edit === undefined ? [] : await played(hub, scenario, edit, { agents, release });
      const updated = agents.works.slice(before).filter(({ content }) => isOfRevision(content, 2));
      return [...installed, ...changes('update', updated, predicted.update, updateStart), ...edited];
    });
  } finally {
    await agents.close();
    await removeScenario(hub, all);
  }
}

/** Applies an edit of an add-on during a rollout. */
async function played(
  hub: Hub,
  { fleet, update, updateBehavior }: TimedScenario,
  { objects }: TimedEdit,
  { agents, release }: { agents: WorkAgents; release: HubVersion },
): Promise<readonly TimedChange[]> {
  const isPart = belongsTo([...fleet, ...update]);
  const addOns = (await hub.client.list(...ocmKinds.managedClusterAddOn)).filter(isPart);
  const { value, diagnostics } = predictRollout(loaded([...fleet, ...objects, ...addOns]), {
    now: Date.now(),
    hub: release,
    failing: failingIn(updateBehavior),
  });
  const [predicted] = value?.install.values() ?? [];
  if (predicted === undefined) throw new Error(JSON.stringify(diagnostics));
  const start = Date.now();
  // The hub does not rest, so nothing waits for that here.
  for (const object of objects) await applyOne(hub, object);
  const works = (): readonly WrittenWork[] => agents.works.filter(({ content }) => isOfRevision(content, 3));
  await ended(works, predicted, updateBehavior, start);
  return changes('edit', works(), predicted, start);
}

function isOfRevision(content: string, revision: number): boolean {
  return content.includes(`"revision":"${revision}"`);
}

function failingIn(behaviors: ReadonlyMap<string, Behavior>): ReadonlySet<string> {
  return new Set([...behaviors].flatMap(([cluster, behavior]) => (behavior === 'fails' ? [cluster] : [])));
}

function predictionOf({ fleet, install, update, updateBehavior }: TimedScenario, hub: HubVersion) {
  const { value, diagnostics } = predictRollout(loaded([...fleet, ...install]), {
    now: Date.now(),
    hub,
    update: loaded(update),
    failing: failingIn(updateBehavior),
  });
  const [installed] = value?.install.values() ?? [];
  const [updated] = value?.update?.values() ?? [];
  if (installed === undefined || updated === undefined) throw new Error(JSON.stringify(diagnostics));
  return { install: installed, update: updated };
}

/** Waits until every cluster that is predicted to change has changed and its soak is over. Returns false if that takes too long. */
async function ended(
  works: () => readonly WrittenWork[],
  { settledAfter, waves }: Rollout,
  behavior: ReadonlyMap<string, Behavior>,
  start: number,
): Promise<boolean> {
  const slowest = Math.max(0, ...[...behavior.values()].filter((each) => typeof each === 'number'));
  const last = start + settledAfter + waves.length * (slowest + reaction) + patience;
  const lastSoak = settledAfter - (waves.at(-1)?.after ?? 0);
  const expected = new Set(waves.flatMap(({ clusters }) => clusters));
  while (Date.now() < last) {
    await delay(200);
    const changed = works().filter(({ at }) => at >= start);
    const clusters = new Set(changed.map(({ cluster }) => cluster));
    const latest = changed.at(-1)?.at ?? start;
    if (clusters.size >= expected.size && Date.now() > latest + slowest + reaction + lastSoak) return true;
  }
  return false;
}

function changes(
  stage: TimedChange['stage'],
  works: readonly WrittenWork[],
  { waves, stops }: Rollout,
  start: number,
): TimedChange[] {
  const first = new Map<string, number>();
  for (const { cluster, at } of works) if (!first.has(cluster)) first.set(cluster, at - start);
  const predicted = new Map<string, Pick<TimedChange, 'wave' | 'earliest' | 'after'>>([
    ...stops.flatMap(({ early = [] }) =>
      early.map(({ cluster, earliest }) => [cluster, { earliest }] as const),
    ),
    ...waves.flatMap(({ clusters, earliest, after }, wave) =>
      clusters.map((cluster) => [cluster, { wave, earliest, after }] as const),
    ),
  ]);
  const names = [...new Set([...first.keys(), ...predicted.keys()])].sort();
  return names.map((cluster) => {
    const at = first.get(cluster);
    return { stage, cluster, ...predicted.get(cluster), ...(at !== undefined && { at }) };
  });
}
