import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { parseGoDuration } from '../../../src/base/time/duration.ts';
import { applyScenario } from './apply-scenario.ts';
import type { Follower } from '../client/hub-watch.ts';
import type { Hub } from '../client/hub.ts';
import { isOfKind, ocmKinds } from '../client/kinds.ts';
import { atRest } from './recording.ts';
import { belongsTo, type Faults, type Scenario } from './scenario.ts';

/** The clusters that were updated at the same time, wave after wave, each in alphabetical order. */
export type Waves = readonly (readonly string[])[];

/** What the hub did with a rollout: the installation, then the update. */
export interface RolloutRecording {
  readonly install: Waves;
  readonly update: Waves;
}

/** More waves than any scenario has clusters: the hub does not come to an end. */
const mostWaves = 200;

/** How much longer than the times in its strategies a hub may take to act on them, in milliseconds. */
const slack = 3_000;

/** A strategy that the API server accepts and OCM's controllers cannot read: a number has to be a percentage in a string. */
const unreadable = { type: 'Progressive', progressive: { maxConcurrency: '1' } };

/**
 * Applies a scenario, then its update, and plays the work agents of all clusters: whenever the hub has come to rest,
 * they report that the works which it wrote since are applied and available. During the update some may fail.
 *
 * The hub begins to roll out while it still makes the ManagedClusterAddOns, in random order, so that the first wave of an
 * installation may hold more clusters, and others, than the strategy says. The recorder wants what the strategy says: it
 * lets the hub make all of them under a strategy that the hub cannot follow, and then applies the real one.
 *
 * @param installed - runs when the installation has come to its end, before the update is applied
 */
export async function recordRollout(
  hub: Hub,
  { input, update = [], faults }: Scenario,
  installed: () => Promise<void> = () => Promise.resolve(),
): Promise<RolloutRecording> {
  return hub.watch.follow(belongsTo([...input, ...update]), async (follower) => {
    const agents = new WorkAgents(hub, belongsTo(input));
    const written = [...input, ...update];
    const soak = longest('minSuccessTime', written);
    await applyScenario(hub, follower, input.map(heldBack));
    await follower.still(atRest);
    await applyScenario(hub, follower, input.filter(isAddOn));
    const install = await agents.followWaves(follower, { rest: soak });
    await installed();
    await applyScenario(hub, follower, update);
    // Deadlines pass only where an agent fails.
    const rest = faults === undefined ? soak : Math.max(soak, longest('progressDeadline', written));
    return { install, update: await agents.followWaves(follower, { rest, ...faults }) };
  });
}

/** The longest of the soaks or deadlines of all strategies, in milliseconds; 0 if no strategy has one. */
function longest(field: 'minSuccessTime' | 'progressDeadline', objects: readonly KubernetesObject[]): number {
  const written = [...JSON.stringify(objects).matchAll(new RegExp(`"${field}":"([^"]*)"`, 'g'))];
  const times = written.map(([, time = '']) => parseGoDuration(time));
  return Math.max(0, ...times.filter((time) => typeof time === 'number'));
}

function isAddOn(object: KubernetesObject): boolean {
  return isOfKind(object, ocmKinds.clusterManagementAddOn);
}

/** The add-on with a strategy that keeps the hub from configuring any cluster; other objects as they are. */
function heldBack(object: KubernetesObject): KubernetesObject {
  if (!isAddOn(object)) return object;
  const { spec } = object as KubernetesObject & { readonly spec: AddOnSpec };
  const placements = spec.installStrategy?.placements?.map((placement) => ({
    ...placement,
    rolloutStrategy: unreadable,
  }));
  return placements === undefined
    ? object
    : { ...object, spec: { ...spec, installStrategy: { ...spec.installStrategy, placements } } };
}

interface AddOnSpec {
  readonly installStrategy?: { readonly placements?: readonly object[] };
}

/** How agents behave, and how long the hub may rest in the middle of a rollout, in milliseconds. */
interface Behaviour extends Partial<Faults> {
  readonly rest: number;
}

/** Reports on works, and remembers on which. */
class WorkAgents {
  readonly #hub: Hub;
  readonly #belongs: (object: KubernetesObject) => boolean;
  readonly #reported = new Map<string, string>();

  constructor(hub: Hub, belongs: (object: KubernetesObject) => boolean) {
    this.#hub = hub;
    this.#belongs = belongs;
  }

  async followWaves(follower: Follower, { rest, failing = [], silent = [] }: Behaviour): Promise<Waves> {
    const waves: string[][] = [];
    while (waves.length < mostWaves) {
      const works = await this.#nextWave(follower, rest);
      if (works.length === 0) return waves;
      waves.push([...new Set(works.map(({ metadata }) => metadata.namespace ?? ''))].sort());
      for (const work of works) {
        const { namespace = '' } = work.metadata;
        if (!silent.includes(namespace)) await this.#report(work, failing.includes(namespace));
        this.#reported.set(key(work), content(work));
      }
    }
    throw new Error(`the rollout does not end after ${mostWaves} waves`);
  }

  /**
   * The works that the hub has written, once it is at rest; it also rests while clusters soak or a deadline passes. Agents
   * do not wait for that: what comes in the meantime they report at once, or other deadlines would pass.
   */
  async #nextWave(follower: Follower, rest: number): Promise<readonly KubernetesObject[]> {
    await follower.still(atRest);
    let left = rest === 0 ? 0 : rest + slack;
    let works = await this.#unreported();
    while (works.length === 0 && left > 0) {
      await follower.pass(500);
      left -= 500;
      if ((await this.#unreported()).length === 0) continue;
      await follower.still(atRest);
      works = await this.#unreported();
    }
    return works;
  }

  async #unreported(): Promise<readonly KubernetesObject[]> {
    const [apiVersion, kind] = ocmKinds.manifestWork;
    const works = await this.#hub.client.list(apiVersion, kind);
    return works.filter((work) => this.#belongs(work) && this.#reported.get(key(work)) !== content(work));
  }

  async #report(work: KubernetesObject, fails: boolean): Promise<void> {
    const condition = (type: string, status: 'True' | 'False'): object => ({
      type,
      status,
      reason: 'Reported',
      message: '',
      observedGeneration: work.metadata.generation,
      lastTransitionTime: new Date().toISOString(),
    });
    await this.#hub.client.merge(
      work,
      {
        status: {
          conditions: [condition('Applied', 'True'), condition('Available', fails ? 'False' : 'True')],
        },
      },
      'status',
    );
  }
}

function key({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** The parts of a work that differ between revisions: its spec, and the hashes of the configurations that it was rendered from. */
function content({ metadata }: KubernetesObject): string {
  return JSON.stringify([metadata.generation, metadata.annotations]);
}
