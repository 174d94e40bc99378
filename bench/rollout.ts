// Measures rollouts wave by wave: CPU time of rollout() on one add-on over 1,250 to 20,000 clusters in 100 decision
// groups, the best of several runs, and how it grows when the fleet doubles (2 is linear). A rollout with a soak is simulated twice, for
// slow and for quick agents. The time in parentheses is that of the first simulation alone.
//   node --import tsx bench/rollout.ts
import { AddOnClusters } from '../src/compiler/configure/add-on-clusters.ts';
import type { ClusterAddOn, ConfigReference } from '../src/compiler/configure/resolved-add-on.ts';
import { hubVersion } from '../src/ocm/hub-version.ts';
import type { ClusterManagementAddOnV1beta1RolloutStrategy as Strategy } from '../schemas/types.gen.ts';
import { simulateWithQuickAgents } from '../src/compiler/rollout/simulation/quick-agents.ts';
import { simulateRollout } from '../src/compiler/rollout/simulation/simulate-rollout.ts';
import type { AddOnState } from '../src/compiler/rollout/simulation/add-on-state.ts';
import type { ClusterState } from '../src/compiler/rollout/simulation/cluster-state.ts';
import type { TrackedGroup } from '../src/compiler/rollout/decision-tracker.ts';
import { readStrategy } from '../src/compiler/rollout/strategy/strategy.ts';

const fleetSizes = [1_250, 2_500, 5_000, 10_000, 20_000];
const groupCount = 100;
const runs = 5;
const now = Date.parse('2026-11-01T00:00:00Z');
const hub = hubVersion('1.3');

interface Case {
  readonly strategy: Strategy;
  /** Clusters per group; by default there are 100 groups. */
  readonly groupSize?: number;
  /** The interval of failing clusters: one of every `failEvery` clusters fails. */
  readonly failEvery?: number;
  /** Whether all clusters have succeeded a moment ago, each at another time. */
  readonly soaking?: boolean;
}

const progressive = (fields: Strategy['progressive']): Strategy => ({
  type: 'Progressive',
  ...(fields && { progressive: fields }),
});
const perGroup = (fields: Strategy['progressivePerGroup']): Strategy => ({
  type: 'ProgressivePerGroup',
  ...(fields && { progressivePerGroup: fields }),
});

const cases: Readonly<Record<string, Case>> = {
  'all at once': { strategy: { type: 'All' } },
  'one group after the other': { strategy: perGroup({ minSuccessTime: '5m' }) },
  'one cluster at a time': { strategy: progressive({ maxConcurrency: 1 }) },
  'one cluster at a time, in groups of one': { strategy: perGroup({}), groupSize: 1 },
  '10% at a time, soaking': { strategy: progressive({ maxConcurrency: '10%', minSuccessTime: '5m' }) },
  'one at a time after a mandatory group': {
    strategy: progressive({ maxConcurrency: 1, mandatoryDecisionGroups: [{ groupIndex: 0 }] }),
  },
  '50 at a time, one in 50 late': {
    strategy: progressive({ maxConcurrency: 50, maxFailures: '100%', progressDeadline: '10m' }),
    failEvery: 50,
  },
  'half of the fleet soaking since different times': {
    strategy: progressive({ maxConcurrency: '50%', minSuccessTime: '24h' }),
    soaking: true,
  },
};

const wanted: ConfigReference = {
  group: 'addon.open-cluster-management.io',
  resource: 'addondeploymentconfigs',
  namespace: 'default',
  name: 'settings',
  specHash: 'b'.repeat(64),
};

interface Fleet {
  readonly names: readonly string[];
  readonly groups: readonly TrackedGroup[];
}

function fleet(size: number, groupSize: number): Fleet {
  const names = Array.from({ length: size }, (_, index) => `cluster-${String(index).padStart(6, '0')}`);
  const groups: TrackedGroup[] = [];
  for (let start = 0; start < size; start += groupSize) {
    groups.push({ index: groups.length, name: '', clusters: names.slice(start, start + groupSize) });
  }
  return { names, groups };
}

/**
 * Returns the state in which the first half of the fleet has succeeded within the last hours, each cluster at a
 * different time.
 */
function halfSoaking(names: readonly string[]): AddOnState {
  const references = [{ ...wanted, appliedHash: wanted.specHash }];
  return new Map(
    names.slice(0, names.length / 2).map((name, index): [string, ClusterState] => {
      const since = now - 3_600_000 + index * 100;
      return [name, { references, progressing: { reason: 'Completed', since }, reported: true }];
    }),
  );
}

function measure(
  { strategy: written, groupSize, failEvery, soaking = false }: Case,
  size: number,
): [number, number, number] {
  const { names, groups } = fleet(size, groupSize ?? size / groupCount);
  const effective = { kinds: [], references: [wanted], reads: 'first' as const };
  const clusters = new AddOnClusters({
    individual: new Map(
      names.map((cluster): [string, ClusterAddOn] => [
        cluster,
        { cluster, placements: ['default/all'], effective },
      ]),
    ),
  });
  const addOn = {
    name: 'agent',
    delivery: 'hub' as const,
    managed: true,
    supportedConfigs: [],
    template: false,
    reads: 'first' as const,
    defaultReferences: [],
    progressions: [],
    clusters,
  };
  const strategy = readStrategy(written);
  const node = {
    placement: 'default/all',
    position: 0,
    strategy,
    rolloutStrategy: written,
    groups,
    children: clusters,
  };
  const from: AddOnState = soaking ? halfSoaking(names) : new Map();
  const failing = new Set(failEvery === undefined ? [] : names.filter((_, index) => index % failEvery === 0));
  const graph = { nodes: [node], unplaced: [] };
  let waves = 0;
  const bestOf = (simulate: typeof simulateRollout): number => {
    let best = Infinity;
    for (let run = 0; run < runs; run++) {
      const before = process.cpuUsage();
      waves = simulate(addOn, graph, from, { now, hub, failing }).waves.length;
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, (user + system) / 1000);
    }
    return best;
  };
  return [bestOf(simulateWithQuickAgents), bestOf(simulateRollout), waves];
}

const sizes = fleetSizes.map((size) => String(size).padStart(34));
process.stdout.write(`${'clusters'.padEnd(52)}${sizes.join('')}\n`);
for (const [name, sample] of Object.entries(cases)) {
  let last = 0;
  const columns = fleetSizes.map((size) => {
    const [time, once, waves] = measure(sample, size);
    const growth = last === 0 ? '' : ` ×${(time / last).toFixed(1)}`;
    last = time;
    return `${time.toFixed(0)} (${once.toFixed(0)}) ms, ${waves} waves${growth}`.padStart(34);
  });
  process.stdout.write(`${name.padEnd(52) + columns.join('')}\n`);
}
