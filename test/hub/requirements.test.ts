import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ApiClient } from './client/api-client.ts';
import { connect, type Hub } from './client/hub.ts';
import { namespaceKind, ocmKinds, reference } from './client/kinds.ts';
import { readAccess } from './client/kubeconfig.ts';
import { startCompanion, type RunningCompanion } from './companion/running-companion.ts';
import { startHub, type RunningHub } from './process/start-hub.ts';
import { DeliveredOrder } from './requirements/delivered-order.ts';
import { releaseGraph } from './requirements/released-graph.ts';
import { clusters, requiredGraph } from './requirements/required-graph.ts';

// Add-ons that require each other, released by promotions on a real hub with OCM's own work agents: what is on the managed clusters, in the
// order in which their API servers get it.

/** The number of graphs, the first seed, and how many are released at the same time. */
const count = Number(process.env['REQUIREMENTS'] ?? 6);
const firstSeed = Number(process.env['REQUIREMENTS_SEED'] ?? 1);
const parallel = Number(process.env['REQUIREMENTS_PARALLEL'] ?? 4);

let running: RunningHub;
let hub: Hub;
let companion: RunningCompanion;
let order: DeliveredOrder;
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
  companion = startCompanion(running.kubeconfig);
}, 300_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  order.close();
  await companion.stop();
  for (const cluster of managed.values()) cluster.close();
  hub.close();
  await running.stop();
}, 60_000);

const surroundings = () => ({ hub: hub.client, kubeconfig: running.kubeconfig, managed });

test(
  `${count} graphs: nothing is delivered before what it requires is Available, and nothing is left after it`,
  { timeout: 600_000 + count * 60_000 },
  async () => {
    const seeds = Array.from({ length: count }, (_, index) => firstSeed + index);
    const violations: string[] = [];
    let changes = 0;
    const work = async (): Promise<void> => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const graph = requiredGraph(seed);
        const began = Date.now();
        await releaseGraph(graph, surroundings());
        const manifests = graph.addOns.reduce((sum, { delay }) => sum + (delay > 0 ? 2 : 1), 0);
        // On both clusters, and gone from the second one.
        await expect.poll(() => order.countOf(graph), { timeout: 10_000 }).toBe(3 * manifests);
        violations.push(...order.violations(graph));
        changes += order.countOf(graph);
        process.stdout.write(
          `${graph.name}: ${graph.addOns.length} add-ons, ${((Date.now() - began) / 1000).toFixed(0)} s\n`,
        );
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    process.stdout.write(
      `requirements: ${count} graphs, ${changes} changes, ${violations.length} violations\n`,
    );
    expect(violations).toEqual([]);
  },
);

test(
  'without a promotion and an engine, add-ons are delivered before what they require',
  { timeout: 120_000 },
  async () => {
    const graph = {
      name: 'graph-unordered',
      addOns: requiredGraph(0).addOns.map((addOn, index) => ({ ...addOn, delay: index === 0 ? 4000 : 0 })),
    };
    await releaseGraph(graph, surroundings(), false);
    await expect.poll(() => order.violations(graph).length, { timeout: 60_000 }).toBeGreaterThan(0);
  },
);
