import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ApiClient } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { namespaceKind, ocmKinds, reference } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';
import { DeliveredOrder } from './requirements/delivered-order.ts';
import { HubOrder } from './requirements/hub-order.ts';
import { releaseGraph } from './requirements/released-graph.ts';
import { manifestChangesOf, requiredGraph, withChange } from './requirements/required-graph.ts';

// Add-ons that require each other, released by promotions on a real hub with OCM's own work agents: what is on the managed clusters, in the
// order in which their API servers get it.

/** The clusters: the second one loses all add-ons. */
const clusters = ['one', 'two'] as const;

/** The number of graphs, the first seed, and how many are released at the same time. */
const count = Number(process.env['REQUIREMENTS'] ?? 2);
const firstSeed = Number(process.env['REQUIREMENTS_SEED'] ?? 1);
const parallel = Number(process.env['REQUIREMENTS_PARALLEL'] ?? 4);

let running: RunningHub;
let hub: Hub;
let companion: RunningCompanion;
let order: DeliveredOrder;
let onHub: HubOrder;
const managed = new Map<string, ApiClient>();

beforeAll(async () => {
  for (const who of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${who}_NAME`, 'A');
    vi.stubEnv(`GIT_${who}_EMAIL`, 'a@example.com');
  }
  running = await startHub({ managedCluster: clusters.join(',') });
  hub = connect(running);
  for (const { name, kubeconfig } of running.managedClusters ?? [])
    managed.set(name, new ApiClient(readAccess(kubeconfig)));
  for (const name of clusters)
    await hub.client.merge(reference(ocmKinds.managedCluster, name), {
      metadata: { labels: { cluster: name } },
    });
  for (const cluster of managed.values())
    await cluster.apply(reference(namespaceKind, 'open-cluster-management-agent-addon'));
  order = new DeliveredOrder(hub.client, managed);
  onHub = new HubOrder(hub.client);
  companion = startCompanion(running.kubeconfig);
}, 300_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  order.close();
  onHub.close();
  await companion.stop();
  for (const cluster of managed.values()) cluster.close();
  hub.close();
  await running.stop();
}, 60_000);

const surroundings = () => ({ hub: hub.client, kubeconfig: running.kubeconfig, managed });

/** A graph whose last change uninstalls everything from the second cluster. */
const installedAndUninstalled = (seed: number) =>
  withChange(requiredGraph(seed, clusters), () => ({ change: 'uninstall', clusters: clusters.slice(0, 1) }));

test(
  `${count} graphs: nothing is delivered or updated before what it requires is Available, and nothing is left after it`,
  { timeout: 600_000 + count * 90_000 },
  async () => {
    const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);
    const violations: string[] = [];
    const counts = { manifests: 0, updates: 0, works: 0 };
    const work = async (): Promise<void> => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const graph = installedAndUninstalled(seed);
        const began = Date.now();
        await releaseGraph(graph, surroundings());
        await expect.poll(() => order.countOf(graph), { timeout: 10_000 }).toBe(manifestChangesOf(graph));
        const judged = onHub.judge(graph);
        violations.push(...order.violations(graph), ...judged.violations);
        counts.manifests += order.countOf(graph);
        counts.updates += order.updatesOf(graph);
        counts.works += judged.created + judged.updated + judged.deleted;
        const seconds = ((Date.now() - began) / 1000).toFixed(0);
        process.stdout.write(
          `${graph.name}: ${graph.states.map(({ change }) => change).join('; ')}: ${seconds} s\n`,
        );
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    process.stdout.write(
      `requirements: ${count} graphs, ${counts.works} changes of works, ${counts.manifests} manifests created or deleted and ${counts.updates} updated on clusters, ${violations.length} violations\n`,
    );
    expect(violations).toEqual([]);
  },
);

test(
  'without a promotion and an engine, add-ons are delivered before what they require',
  { timeout: 120_000 },
  async () => {
    const [state] = requiredGraph(0, clusters).states;
    if (state === undefined) throw new Error('a graph has a state');
    const required = new Set(state.addOns.flatMap(({ requires }) => requires));
    const addOns = state.addOns.map((addOn) => ({ ...addOn, delay: required.has(addOn.name) ? 20_000 : 0 }));
    const graph = { name: 'graph-0', states: [{ ...state, addOns }] };
    await releaseGraph(graph, surroundings(), false);
    await expect.poll(() => order.violations(graph).length, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(onHub.judge(graph).violations).not.toEqual([]);
  },
);
