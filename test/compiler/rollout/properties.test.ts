import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  ClusterAddOn,
  ConfigReference,
  ResolvedAddOn,
} from '../../../src/compiler/configure/resolved-add-on.ts';
import { AddOnClusters } from '../../../src/compiler/configure/add-on-clusters.ts';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import type { AddOnState } from '../../../src/compiler/rollout/simulation/add-on-state.ts';
import type { TrackedGroup } from '../../../src/compiler/rollout/decision-tracker.ts';
import type { RolloutGraph } from '../../../src/compiler/rollout/graph.ts';
import type { ClusterProgress } from '../../../src/compiler/rollout/progress.ts';
import { simulateRollout, type Rollout } from '../../../src/compiler/rollout/simulation/simulate-rollout.ts';
import { ConcurrentClusters } from '../../../src/compiler/rollout/concurrent-clusters.ts';
import { readStrategy, sizeOf } from '../../../src/compiler/rollout/strategy/strategy.ts';
import { plainStep } from './plain-step.ts';
import type { Rollout as Strategy } from './scenes.ts';

const size = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.integer({ min: 0, max: 100 }).map((n) => `${n}%`),
);
const duration = fc.constantFrom('0s', '1m', '5m', '1h');
const mandatoryDecisionGroups = fc.array(
  fc.oneof(fc.record({ groupIndex: fc.nat(5) }), fc.record({ groupName: fc.constantFrom('a', 'b', 'z') })),
  { maxLength: 2 },
);
const limits = {
  maxFailures: size,
  minSuccessTime: duration,
  progressDeadline: fc.oneof(fc.constant('None'), duration),
  mandatoryDecisionGroups,
};
const strategy: fc.Arbitrary<Strategy> = fc.oneof(
  fc.record({ type: fc.constant('All' as const) }),
  fc.record({
    type: fc.constant('Progressive' as const),
    progressive: fc.record({ maxConcurrency: size, ...limits }, { requiredKeys: [] }),
  }),
  fc.record({
    type: fc.constant('ProgressivePerGroup' as const),
    progressivePerGroup: fc.record(limits, { requiredKeys: [] }),
  }),
);

/** Groups of clusters c0, c1, … */
const groups: fc.Arbitrary<TrackedGroup[]> = fc
  .array(
    fc.record({ name: fc.constantFrom('', 'a', 'b'), clusters: fc.array(fc.nat(30), { maxLength: 6 }) }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((drawn) => {
    const taken = new Set<number>();
    return drawn.map(({ name, clusters }, index) => {
      const mine = clusters.filter((cluster) => !taken.has(cluster) && taken.add(cluster));
      return { index, name, clusters: mine.map((cluster) => `c${cluster}`).sort() };
    });
  });

const wanted: ConfigReference = {
  group: 'example.com',
  resource: 'configs',
  name: 'settings',
  specHash: 'new',
};
const hub = hubVersion('1.3');

function addOnOn(clusters: readonly string[]): ResolvedAddOn {
  const effective = { kinds: [], references: [wanted], reads: 'first' as const };
  return {
    name: 'agent',
    delivery: 'hub',
    managed: true,
    supportedConfigs: [],
    template: false,
    reads: 'first',
    defaultReferences: [],
    progressions: [],
    clusters: new AddOnClusters({
      individual: new Map(
        clusters.map((cluster): [string, ClusterAddOn] => [
          cluster,
          { cluster, placements: ['p'], effective },
        ]),
      ),
    }),
  };
}

function graphOf(addOn: ResolvedAddOn, written: Strategy, tracked: readonly TrackedGroup[]): RolloutGraph {
  const node = {
    placement: 'p',
    position: 0,
    strategy: readStrategy(written),
    rolloutStrategy: written,
    groups: tracked,
  };
  return { nodes: [{ ...node, children: addOn.clusters }], unplaced: [] };
}

function installed(
  written: Strategy,
  tracked: readonly TrackedGroup[],
  from: AddOnState = new Map(),
): Rollout {
  const addOn = addOnOn(tracked.flatMap(({ clusters }) => clusters).sort());
  return simulateRollout(addOn, graphOf(addOn, written, tracked), from, { now: 0, hub });
}

function mandatoryClusters(written: Strategy, tracked: readonly TrackedGroup[]): Set<string> {
  const { mandatoryGroups } = readStrategy(written);
  const isMandatory = ({ index, name }: TrackedGroup): boolean =>
    mandatoryGroups.some(({ groupName = '', groupIndex = 0 }) =>
      groupName === '' ? groupIndex === index : groupName === name,
    );
  return new Set(tracked.filter(isMandatory).flatMap(({ clusters }) => clusters));
}

/** A deadline of zero makes clusters late before they can succeed. */
const patient = strategy.filter((written) => readStrategy(written).progressDeadline !== 0);

describe('a rollout in which every cluster succeeds', () => {
  test('takes every selected cluster into exactly one wave', () => {
    fc.assert(
      fc.property(patient, groups, (written, tracked) => {
        const { waves, stops, unready } = installed(written, tracked);
        expect(waves.flatMap(({ clusters }) => clusters).sort()).toEqual(
          tracked.flatMap(({ clusters }) => clusters).sort(),
        );
        expect({ stops, unready }).toEqual({ stops: [], unready: [] });
      }),
      { numRuns: 500 },
    );
  });

  test('never takes more clusters at a time than may change', () => {
    fc.assert(
      fc.property(patient, groups, (written, tracked) => {
        fc.pre(written.type === 'Progressive');
        const first = mandatoryClusters(written, tracked);
        const rest = tracked.flatMap(({ clusters }) => clusters).filter((cluster) => !first.has(cluster));
        const places = sizeOf(readStrategy(written).maxConcurrency, rest.length, rest.length);
        for (const { clusters } of installed(written, tracked).waves) {
          expect(clusters.filter((cluster) => !first.has(cluster)).length).toBeLessThanOrEqual(
            Number(places),
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  test('is through with the mandatory groups before any other cluster changes', () => {
    fc.assert(
      fc.property(patient, groups, (written, tracked) => {
        const first = mandatoryClusters(written, tracked);
        const { waves } = installed(written, tracked);
        const last = waves.findLastIndex(({ clusters }) => clusters.some((cluster) => first.has(cluster)));
        const early = waves.slice(0, last + 1).flatMap(({ clusters }) => clusters);
        expect(early.sort()).toEqual([...first].sort());
      }),
      { numRuns: 500 },
    );
  });

  test('processes the groups of ProgressivePerGroup in their order', () => {
    fc.assert(
      fc.property(groups, (tracked) => {
        const { waves } = installed({ type: 'ProgressivePerGroup' }, tracked);
        const filled = tracked.filter(({ clusters }) => clusters.length > 0);
        expect(waves.map(({ clusters }) => clusters)).toEqual(filled.map(({ clusters }) => clusters));
      }),
    );
  });

  test('waits out the soak between waves', () => {
    fc.assert(
      fc.property(patient, groups, (written, tracked) => {
        const soak = readStrategy(written).minSuccessTime;
        const { waves, settledAfter } = installed(written, tracked);
        expect(waves.map(({ after }) => after)).toEqual(waves.map((_, index) => index * soak));
        expect(settledAfter).toBe(waves.length * soak);
      }),
    );
  });

  test('has nothing to do once it is through', () => {
    fc.assert(
      fc.property(patient, groups, (written, tracked) => {
        const { reached } = installed(written, tracked);
        expect(installed(written, tracked, reached).waves).toEqual([]);
      }),
    );
  });

  test('is reported as completed, if it has clusters', () => {
    fc.assert(
      fc.property(patient, groups, (written, tracked) => {
        const [progression] = installed(written, tracked).progressions;
        const any = tracked.some(({ clusters }) => clusters.length > 0);
        expect(progression?.completed).toBe(any);
      }),
    );
  });
});

describe('a handler that forgets completed clusters', () => {
  const status = fc.record(
    {
      progress: fc.constantFrom('ToApply', 'Progressing', 'Succeeded', 'Failed'),
      since: fc.integer({ min: -3600, max: 60 }),
    },
    { requiredKeys: ['progress'] },
  );

  test('answers as one that looks at all clusters each time', () => {
    const script = fc.array(
      fc.record({ share: fc.integer({ min: 1, max: 3 }), fails: fc.boolean(), wait: fc.nat(600) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(
        strategy,
        groups,
        fc.array(status, { minLength: 31, maxLength: 31 }),
        fc.nat(4),
        script,
        (written, tracked, drawn, strangers, moves) => {
          const clusters = tracked.flatMap((group) => group.clusters).slice(strangers);
          const children = new Map(
            clusters.map((cluster, index): [string, ClusterProgress] => {
              const { progress, since } = drawn[index] ?? { progress: 'ToApply' };
              return [
                cluster,
                { cluster, progress, ...(since === undefined ? {} : { since: since * 1000 }) },
              ];
            }),
          );
          const read = readStrategy(written);
          const remembering = new ConcurrentClusters(read, tracked, [...children.values()]);
          let now = 0;
          for (const { share, fails, wait } of moves) {
            const step = remembering.step(now);
            if (step instanceof Error) throw step;
            const plain = plainStep(read, tracked, [...children.values()], now);
            const rolling = plain.rolling.flatMap((cluster) => children.get(cluster) ?? []);
            const number = (progress: string): number =>
              rolling.filter((child) => child.progress === progress).length;
            expect({ ...step, due: undefined, joining: undefined, foreign: undefined }).toEqual({
              starting: rolling
                .filter(({ progress }) => progress === 'ToApply')
                .map(({ cluster }) => cluster),
              rolling: rolling.length,
              soaking: number('Succeeded'),
              failing: number('Failed'),
              timedOut: plain.timedOut.length,
              breached: plain.breached,
            });
            // All that may start do. Each, or each second or third, of those that roll comes to its end.
            for (const [index, child] of rolling.entries()) {
              const ends = index % share === 0;
              if (child.progress === 'Succeeded' || (child.progress !== 'ToApply' && !ends)) continue;
              const progress = !ends ? 'Progressing' : fails ? 'Failed' : 'Succeeded';
              const next: ClusterProgress = { cluster: child.cluster, progress, since: now };
              children.set(child.cluster, next);
              remembering.update(next);
            }
            now += wait * 1000;
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});
