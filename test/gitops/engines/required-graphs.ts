import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runIn } from '../../cli/terminal.ts';
import { Random } from '../../hub/differential/random.ts';
import { HubOrder } from '../../hub/requirements/hub-order.ts';
import {
  appOf,
  fleet,
  namesIn,
  requiredGraph,
  withChange,
  type GraphState,
  type RequiredGraph,
} from '../../hub/requirements/required-graph.ts';
import { writeFiles } from './argo-cd/story.ts';
import { eventually } from './eventually.ts';
import type { EngineHub } from './hub.ts';

/** `REQUIREMENTS_SEED=7 REQUIREMENTS=1` plays one graph again. */
const firstSeed = Number(process.env['REQUIREMENTS_SEED'] ?? 1);
const count = Number(process.env['REQUIREMENTS'] ?? 1);

/** An engine that applies the output of one app from a repository. */
export interface GraphEngine {
  readonly hub: EngineHub;
  /** The setting `engine` in fleetwright.yaml. */
  readonly engine: 'argocd' | 'flux';
  /** The working tree of the repository. */
  readonly folder: string;
  /** Commits the working tree, and returns when the engine has applied it. */
  readonly apply: (message: string) => Promise<void>;
}

/** Starts an engine for an app with the name of a graph. @param isOrdered - whether it obeys the order of the waves */
export type StartEngine = (graph: string, isOrdered: boolean) => GraphEngine;

/** Applies random graphs of add-ons that require each other, and their changes, with a real engine to a real hub. */
export function playGraphs(name: string, hubOf: () => EngineHub, start: StartEngine): void {
  let order: HubOrder;
  beforeAll(() => {
    const { agents, client } = hubOf();
    order = new HubOrder(client);
    agents.delay(({ metadata: { name: work, namespace, generation } }) => {
      const random = new Random(hashOf(`${namespace}/${work} ${generation}`));
      return { applied: random.between(0, 1500), available: random.between(0, 2500) };
    });
  });
  afterAll(() => {
    order.close();
  });

  const report = (graph: RequiredGraph, since: number): readonly string[] => {
    const { violations, ...counts } = order.judge(graph);
    const seconds = ((Date.now() - since) / 1000).toFixed(0);
    const changes = graph.states.map(({ change }) => change).join('; ');
    process.stdout.write(
      `  ${name}, ${graph.name}: ${changes}: ${JSON.stringify(counts)}, ${violations.length} violations, ${seconds} s\n`,
    );
    return violations;
  };

  describe.concurrent('add-ons that require each other', { timeout: 30 * 60_000 }, () => {
    const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);
    test.for(seeds)('nothing is delivered before what it requires is Available in graph %i', async (seed) => {
      const since = Date.now();
      const graph = uninstalledInTwoChanges(requiredGraph(seed, clustersOf(`graph-${seed}`)));
      await playGraph(graph, start(graph.name, true), order);
      expect(report(graph, since)).toEqual([]);
    });

    test('without the order of the waves, add-ons are delivered before what they require', async () => {
      const since = Date.now();
      const { name: graph, states } = requiredGraph(0, clustersOf('graph-0'));
      const unordered = { name: graph, states: states.slice(0, 2) };
      await playGraph(unordered, start(graph, false), order);
      expect(report(unordered, since)).not.toEqual([]);
    });
  });
}

function clustersOf(graph: string): readonly string[] {
  return ['one', 'two', 'three'].map((cluster) => `${graph}-${cluster}`);
}

/**
 * Adds the removal of what requires an add-on, and then of the add-on, as docs/requires.md recommends. It is the last one that others require,
 * so that these do not require each other.
 */
function uninstalledInTwoChanges(graph: RequiredGraph): RequiredGraph {
  const last = graph.states.at(-1)?.addOns ?? [];
  const isRequired = (name: string): boolean =>
    last.some(({ requires, requiresInstalled }) => [...requires, ...requiresInstalled].includes(name));
  const required = last.findLast(({ name }) => isRequired(name))?.name ?? '';
  const gone = new Set([required]);
  for (const { name, requires, requiresInstalled } of last)
    if ([...requires, ...requiresInstalled].some((each) => gone.has(each))) gone.add(name);
  const without = (names: ReadonlySet<string>) => (state: GraphState) => ({
    change: `removal of ${[...names].join(', ')}`,
    addOns: state.addOns.filter((addOn) => !names.has(addOn.name)),
  });
  const dependents = new Set([...gone].filter((name) => name !== required));
  return withChange(withChange(graph, without(dependents)), without(new Set([required])));
}

/** Applies the states of a graph one after the other. */
async function playGraph(
  graph: RequiredGraph,
  { hub, engine, folder, apply }: GraphEngine,
  order: HubOrder,
): Promise<void> {
  const clusters = clustersOf(graph.name);
  await hub.addClusters(Object.fromEntries(clusters.map((cluster) => [cluster, { cluster }])));
  for (const state of graph.states) {
    writeFiles(folder, {
      'fleetwright.yaml': `engine: ${engine}\n`,
      [`apps/${graph.name}/app.yaml`]: appOf(graph.name, state),
      [`apps/${graph.name}/fleet.yaml`]: fleet(clusters),
    });
    const { code, out, err } = await runIn(folder, ['synth']);
    if (code !== 0) throw new Error(`${graph.name}, ${state.change}: synth ended with ${code}: ${out}${err}`);
    await apply(state.change);
    const present = new Set(state.addOns.map(({ name }) => name));
    const removed = [...namesIn(graph)].filter((name) => !present.has(name));
    await eventually(
      `the hub has nothing of ${removed.join(', ')}`,
      async () => await Promise.resolve(!order.has(removed)),
    );
  }
}

function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE();
}
