import type { KubernetesObject } from '../../../schemas/object-meta.ts';
import { applyScenario } from './apply-scenario.ts';
import type { Follower } from '../client/hub-watch.ts';
import type { Hub } from '../client/hub.ts';
import { isOfKind, ocmKinds } from '../client/kinds.ts';
import { atRest } from './recording.ts';
import { belongsTo, type Scenario } from './scenario.ts';

/** The clusters that were updated at the same time, wave after wave, each in alphabetical order. */
export type Waves = readonly (readonly string[])[];

/** What the hub did with a rollout: the installation, then the update. */
export interface RolloutRecording {
  readonly install: Waves;
  readonly update: Waves;
}

/** More waves than any scenario has clusters: the hub does not come to an end. */
const mostWaves = 200;

/** A strategy that the API server accepts and OCM's controllers cannot read: a number has to be a percentage in a string. */
const unreadable = { type: 'Progressive', progressive: { maxConcurrency: '1' } };

/**
 * Applies a scenario, then its update, and plays the work agents of all clusters: whenever the hub has come to rest,
 * they report that the works which it wrote since are applied and available.
 *
 * The hub begins to roll out while it still makes the ManagedClusterAddOns, in random order, so that the first wave of an
 * installation may hold more clusters, and others, than the strategy says. The recorder wants what the strategy says: it
 * lets the hub make all of them under a strategy that the hub cannot follow, and then applies the real one.
 */
export async function recordRollout(hub: Hub, { input, update = [] }: Scenario): Promise<RolloutRecording> {
  return hub.watch.follow(belongsTo([...input, ...update]), async (follower) => {
    const agents = new WorkAgents(hub, belongsTo(input));
    await applyScenario(hub, follower, input.map(heldBack));
    await follower.still(atRest);
    await applyScenario(hub, follower, input.filter(isAddOn));
    const install = await agents.followWaves(follower);
    await applyScenario(hub, follower, update);
    return { install, update: await agents.followWaves(follower) };
  });
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

/** Reports success for works, and remembers for which. */
class WorkAgents {
  readonly #hub: Hub;
  readonly #belongs: (object: KubernetesObject) => boolean;
  readonly #reported = new Map<string, string>();

  constructor(hub: Hub, belongs: (object: KubernetesObject) => boolean) {
    this.#hub = hub;
    this.#belongs = belongs;
  }

  async followWaves(follower: Follower): Promise<Waves> {
    const waves: string[][] = [];
    while (waves.length < mostWaves) {
      await follower.still(atRest);
      const works = await this.#unreported();
      if (works.length === 0) return waves;
      waves.push([...new Set(works.map(({ metadata }) => metadata.namespace ?? ''))].sort());
      for (const work of works) await this.#report(work);
    }
    throw new Error(`the rollout does not end after ${mostWaves} waves`);
  }

  async #unreported(): Promise<readonly KubernetesObject[]> {
    const [apiVersion, kind] = ocmKinds.manifestWork;
    const works = await this.#hub.client.list(apiVersion, kind);
    return works.filter((work) => this.#belongs(work) && this.#reported.get(key(work)) !== content(work));
  }

  async #report(work: KubernetesObject): Promise<void> {
    const condition = (type: string): object => ({
      type,
      status: 'True',
      reason: 'Reported',
      message: '',
      observedGeneration: work.metadata.generation,
      lastTransitionTime: new Date().toISOString(),
    });
    await this.#hub.client.merge(
      work,
      { status: { conditions: [condition('Applied'), condition('Available')] } },
      'status',
    );
    this.#reported.set(key(work), content(work));
  }
}

function key({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** What of a work tells one revision from the next: its spec, and the hashes of the configurations it was made from. */
function content({ metadata }: KubernetesObject): string {
  return JSON.stringify([metadata.generation, metadata.annotations]);
}
