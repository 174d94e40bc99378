import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hubVersion } from '../../../src/ocm/hub-version.ts';
import type { ConfigReference } from '../../../src/compiler/configure/resolved-add-on.ts';
import {
  freshState,
  released,
  succeeded,
  underWay,
  type ClusterState,
} from '../../../src/compiler/rollout/simulation/cluster-state.ts';
import { rollout } from '../../../src/compiler/rollout/rollout.ts';
import type { Rollout as RolloutResult } from '../../../src/compiler/rollout/simulation/simulate-rollout.ts';
import type { AddOnState } from '../../../src/compiler/rollout/simulation/add-on-state.ts';
import { resolveText } from '../../resolve-text.ts';
import { addOn, config, fleet, grouped, onCluster, reference, text, type Rollout } from './scenes.ts';

/** A rollout with all states that it reaches, which are computed when somebody asks. */
function plain(result: RolloutResult | undefined): object | undefined {
  if (result === undefined) return undefined;
  const { reached } = result;
  return {
    ...result,
    reached: new Map(Array.from(reached.keys(), (cluster) => [cluster, reached.get(cluster)])),
  };
}

const groups = { canary: ['c1', 'c5'], prod: ['c2', 'c3'], '': ['c4'] };
const now = Date.parse('2026-06-01T00:00:00Z');
const hub = hubVersion('1.3');
const limits = {
  maxFailures: fc.constantFrom(0, '50%', '2'),
  minSuccessTime: fc.constantFrom('0s', '5m'),
  progressDeadline: fc.constantFrom('None', '0s', '10m', '5mins'),
  mandatoryDecisionGroups: fc.constantFrom([], [{ groupName: 'canary' }], [{ groupIndex: 1 }]),
};
const strategy: fc.Arbitrary<Rollout> = fc.oneof(
  fc.record({
    type: fc.constant('All' as const),
    all: fc.record({ progressDeadline: limits.progressDeadline }),
  }),
  fc.record({
    type: fc.constant('Progressive' as const),
    progressive: fc.record({ maxConcurrency: fc.constantFrom(1, 2, '100%', '2'), ...limits }),
  }),
  fc.record({
    type: fc.constant('ProgressivePerGroup' as const),
    progressivePerGroup: fc.record(limits),
  }),
);
/** What one cluster says itself: nothing, a configuration, the same twice, or one that does not exist. */
const own = fc.constantFrom(
  [],
  [reference('own')],
  [reference('own'), reference('own')],
  [reference('gone')],
);

test('add-ons that are installed in the same way are simulated once, with the result of each', () => {
  fc.assert(
    fc.property(
      strategy,
      fc.constantFrom<readonly string[]>(['pl'], ['pl', 'special'], ['special', 'pl']),
      own,
      fc.constantFrom('settings', 'gone'),
      fc.boolean(),
      (written, placements, configs, second, runs) => {
        const install = Object.fromEntries(placements.map((name) => [name, written]));
        const { resolution } = resolveText(
          text(
            ...fleet(groups),
            grouped(groups),
            grouped({ canary: ['c1', 'c5'] }, 'special'),
            addOn(install, 'first', 'a-first'),
            addOn(install, second, 'agent'),
            config('first'),
            config('settings', '2'),
            config('own', '3'),
            onCluster('c2', { configs, ...(runs ? { status: { configReferences: [] } } : {}) }),
          ),
          { now },
        );
        const { configuration, rollouts } = resolution;
        const alone = new Map([...configuration].filter(([name]) => name === 'agent'));
        const { value } = rollout({ ...resolution, configuration: alone }, { now, hub });
        expect(plain(rollouts.get('agent'))).toEqual(plain(value.get('agent')));
      },
    ),
    { numRuns: 150 },
  );
});

/** What a cluster has at the start: nothing, the desired configuration since some time, or another one. */
type Start = 'nothing' | 'long done' | 'just done' | 'other' | 'under way';
const start = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom<Start>('long done', 'just done') },
  { weight: 6, arbitrary: fc.constantFrom<Start>('nothing', 'other') },
  { weight: 1, arbitrary: fc.constant<Start>('under way') },
);

function startState(kind: Start, desired: readonly ConfigReference[]): ClusterState {
  if (kind === 'nothing') return freshState;
  if (kind === 'under way') return underWay(released(freshState, desired), now - 60_000, false);
  const references = kind === 'other' ? desired.map((each) => ({ ...each, specHash: 'old' })) : desired;
  return succeeded(released(freshState, references), kind === 'long done' ? 0 : now - 60_000);
}

/** An agent that fails on some cluster makes every rollout a simulation. */
const simulated = new Set(['a cluster that does not exist']);

test('add-ons that change in one wave are not simulated, with the result of the simulation', () => {
  const names = Object.values(groups).flat();
  const all = fc.record({
    type: fc.constant('All' as const),
    all: fc.record({ progressDeadline: fc.constantFrom('None', '0s', '10m', '5mins') }),
  });
  // One other limit can require more waves, so most strategies have none.
  const maxConcurrency = fc.constantFrom(1, 2, 3, '40%', '100%', '2');
  const progressive = fc.record({
    type: fc.constant('Progressive' as const),
    progressive: fc.oneof(
      { weight: 2, arbitrary: fc.record({ maxConcurrency }) },
      fc.record({ maxConcurrency, ...limits }, { requiredKeys: ['maxConcurrency'] }),
    ),
  });
  const written = fc.oneof(all, { weight: 3, arbitrary: progressive }, strategy);
  fc.assert(
    fc.property(
      fc.tuple(written, written),
      fc.constantFrom<readonly string[]>(['pl'], ['pl', 'special'], ['special', 'pl'], ['pl', 'nothing']),
      fc.array(start, { minLength: names.length + 1, maxLength: names.length + 1 }),
      own,
      fc.constantFrom('settings', 'settings', 'gone'),
      (strategies, placements, starts, configs, settings) => {
        const install = Object.fromEntries(
          placements.map((name, index) => [name, strategies[index === 0 ? 0 : 1]]),
        );
        const { resolution } = resolveText(
          text(
            ...fleet(groups),
            grouped(groups),
            grouped({ canary: ['c1', 'c5'] }, 'special'),
            grouped({}, 'nothing'),
            addOn(install, settings, 'agent'),
            config('settings', '2'),
            config('own', '3'),
            onCluster('c2', { configs }),
          ),
          { now },
        );
        const desired = resolution.configuration.get('agent')?.clusters.get('c1')?.effective.references ?? [];
        const states = new Map(
          [...names, 'left'].map((cluster, index): [string, ClusterState] => [
            cluster,
            startState(starts[index] ?? 'nothing', desired),
          ]),
        );
        for (const from of [new Map([['agent', states]]), new Map<string, AddOnState>()]) {
          const options = { now, hub, from };
          expect(plain(rollout(resolution, options).value.get('agent'))).toEqual(
            plain(rollout(resolution, { ...options, failing: simulated }).value.get('agent')),
          );
        }
      },
    ),
    { numRuns: 600 },
  );
});

test('add-ons that change in the same way are simulated once, with the result of each', () => {
  const names = Object.values(groups).flat();
  fc.assert(
    fc.property(
      strategy,
      fc.constantFrom<readonly string[]>(['pl'], ['pl', 'special'], ['special', 'pl']),
      fc.array(start, { minLength: names.length + 1, maxLength: names.length + 1 }),
      fc.option(fc.record({ at: fc.nat(names.length), start })),
      fc.oneof(fc.constant([]), fc.subarray(names)),
      fc.option(fc.constantFrom(...names)),
      fc.subarray(['c1', 'c2', 'c3']),
      (written, placements, starts, difference, refusing, otherRefusing, configured) => {
        const install = Object.fromEntries(placements.map((name) => [name, written]));
        const { resolution } = resolveText(
          text(
            ...fleet(groups),
            grouped(groups),
            grouped({ canary: ['c1', 'c5'] }, 'special'),
            addOn(install, 'first', 'a-first'),
            addOn(install, 'settings', 'agent'),
            config('first'),
            config('settings', '2'),
            config('own', '3'),
            ...configured.flatMap((cluster) =>
              ['a-first', 'agent'].map((name) => onCluster(cluster, { configs: [reference('own')], name })),
            ),
          ),
          { now },
        );
        const { configuration } = resolution;
        const stateOf = (name: string, kinds: readonly Start[]): AddOnState => {
          const clusters = configuration.get(name)?.clusters;
          const desired = clusters?.get('c4')?.effective.references ?? [];
          // The last is on a cluster that loses the add-on.
          return new Map(
            [...names, 'left'].map((cluster, index) => [
              cluster,
              startState(kinds[index] ?? 'nothing', clusters?.get(cluster)?.effective.references ?? desired),
            ]),
          );
        };
        const others = starts.map((kind, index) => (difference?.at === index ? difference.start : kind));
        const from = new Map([
          ['a-first', stateOf('a-first', starts)],
          ['agent', stateOf('agent', others)],
        ]);
        const refusals = new Map([
          ['a-first', new Set(refusing)],
          ['agent', new Set([...refusing, ...(otherRefusing === null ? [] : [otherRefusing])])],
        ]);
        const options = { now, hub, from, refusals };
        const together = rollout(resolution, options).value;
        const alone = new Map([...configuration].filter(([name]) => name === 'agent'));
        const { value } = rollout({ ...resolution, configuration: alone }, options);
        expect(plain(together.get('agent'))).toEqual(plain(value.get('agent')));
      },
    ),
    { numRuns: 150 },
  );
});
