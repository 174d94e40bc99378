import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hubVersion } from '../../ocm/hub-version.ts';
import { rollout } from '../../compiler/rollout/rollout.ts';
import { resolveText } from '../resolve-text.ts';
import { addOn, config, fleet, grouped, onCluster, reference, text, type Rollout } from './scenes.ts';

const groups = { canary: ['c1', 'c5'], prod: ['c2', 'c3'], '': ['c4'] };
const now = Date.parse('2026-06-01T00:00:00Z');
const hub = hubVersion('1.3');
const limits = {
  maxFailures: fc.constantFrom(0, '50%'),
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
        expect(rollouts.get('agent')).toEqual(value.get('agent'));
      },
    ),
    { numRuns: 300 },
  );
});
