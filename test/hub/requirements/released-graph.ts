import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promotionText } from '../../promotion/app.ts';
import { GitRepository } from '../../e2e/repository.ts';
import { ApiError, type ApiClient } from '../client/api-client.ts';
import { namespaceKind, reference } from '../client/kinds.ts';
import { parseObjects } from '../record/scenario.ts';
import {
  appOf,
  fleet,
  lateNamespace,
  type GraphAddOn,
  type GraphState,
  type RequiredGraph,
} from './required-graph.ts';

/** What releases a graph. */
export interface Surroundings {
  readonly hub: ApiClient;
  readonly kubeconfig: string;
  readonly managed: ReadonlyMap<string, ApiClient>;
}

/** Seconds until a release is given up. */
const patience = 240;

/**
 * Releases the states of a graph one after the other, with a promotion whose steps `promote` decides by the hub. What Git has is applied
 * after each step, as an engine does.
 *
 * @param isPromoted - whether a promotion releases the waves. Without one, everything is applied at once
 */
export async function releaseGraph(
  graph: RequiredGraph,
  { hub, kubeconfig, managed }: Surroundings,
  isPromoted = true,
): Promise<void> {
  const repository = new GitRepository();
  const run = async (...parameters: string[]): Promise<string> => {
    const { code, out, err } = await repository.fleetwright(parameters, '', { now: () => Date.now() });
    if (code === 1 || code === 2) throw new Error(`${graph.name}: ${parameters.join(' ')}: ${out}${err}`);
    return out;
  };
  /** The last text of each object: an engine writes differences only. */
  const applied = new Map<string, string>();
  const apply = async (): Promise<void> => {
    for (const object of emittedIn(path.join(repository.root, 'dist/hello'))) {
      const { kind, metadata } = object;
      const [key, text] = [
        `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`,
        JSON.stringify(object),
      ];
      if (applied.get(key) !== text) await untilAnswered(async () => await hub.apply(object));
      applied.set(key, text);
    }
  };
  /** Namespaces that managed clusters get later. */
  const created: Promise<void>[] = [];
  const release = async (state: GraphState): Promise<void> => {
    repository.commit(state.change, {
      'apps/hello/app.yaml': appOf(graph.name, state),
      'apps/hello/fleet.yaml': fleet([...managed.keys()]),
      ...(isPromoted && { 'promotions/hello.yaml': promotionText() }),
    });
    await run('synth');
    repository.commit('synth', {});
    await apply();
    // The delays begin now: how long synth takes must not shorten them.
    created.push(...state.addOns.map((addOn) => createNamespace(addOn, managed)));
    const started = Date.now();
    let isReleased = !isPromoted;
    while (!isReleased) {
      const out = await run('promote', '--commit', '--kubeconfig', kubeconfig);
      if (Date.now() - started > patience * 1000) throw new Error(`${graph.name} waits: ${out}`);
      isReleased = out.includes('all clusters have the content of Git');
      await (out.includes('waits') ? delay(300) : apply());
    }
  };
  try {
    for (const state of graph.states) {
      await release(state);
      await Promise.all(created.splice(0));
    }
  } finally {
    repository.remove();
  }
}

/** Creates the namespace of the late manifest of an add-on on all clusters, after its delay. */
async function createNamespace(addOn: GraphAddOn, managed: Surroundings['managed']): Promise<void> {
  if (addOn.delay === 0) return;
  await delay(addOn.delay);
  for (const cluster of managed.values()) await cluster.apply(reference(namespaceKind, lateNamespace(addOn)));
}

/** Applies again what a busy API server does not answer in time, as engines do. */
async function untilAnswered(apply: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await apply();
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.refusal.code !== 504 || attempt === 5) throw error;
    }
}

/** Returns the objects of an output that an engine applies, namespaces first. */
function emittedIn(folder: string): ReturnType<typeof parseObjects> {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml') && !/(?:^|\/)(?:kustomization|resolution)\.yaml$/.test(name))
    .sort()
    .flatMap((name) => parseObjects(readFileSync(path.join(folder, name), 'utf8')))
    .sort((a, b) => Number(b.kind === 'Namespace') - Number(a.kind === 'Namespace'));
}
