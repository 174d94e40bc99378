import { describe, expect, test } from 'vitest';
import type { Rollout as Simulated } from '../../../src/compiler/rollout/simulation/simulate-rollout.ts';
import { addOn, config, fleet, grouped, text, type Rollout } from './scenes.ts';
import { predictText } from './predict-text.ts';

const groups = { dev: ['d1', 'd2'], prod: ['p1', 'p2', 'p3'] };
const soak = { minSuccessTime: '5m', progressDeadline: '1m' };
const strategies = {
  all: { type: 'Progressive', progressive: { maxConcurrency: 2 } },
  dev: { type: 'ProgressivePerGroup', progressivePerGroup: soak },
} as const;

function promoted(revision: string, ofDev: Rollout = strategies.dev): object[] {
  const written = addOn({ ...strategies, dev: ofDev }) as { readonly metadata: object };
  const annotations = { 'fleetwright.dev/rollout': 'promoted' };
  return [
    ...fleet(groups),
    grouped(groups, 'all'),
    grouped({ dev: groups.dev }, 'dev'),
    { ...written, metadata: { ...written.metadata, annotations } },
    config('settings', revision),
  ];
}

function waves({ waves: simulated }: Simulated): string[] {
  return simulated.map(
    ({ earliest, after, clusters }) => `${earliest / 1000} ${after / 1000} ${clusters.join(' ')}`,
  );
}

describe('a rollout that a promotion releases', () => {
  test('takes the last placement first, and holds its soak before the next one', () => {
    const { install, update } = predictText(text(...promoted('1')), {
      update: text(config('settings', '2')),
    });
    const [installed] = install.values();
    const [updated] = update?.values() ?? [];
    expect(installed && waves(installed)).toEqual(['0 0 d1 d2', '300 300 p1 p2', '300 300 p3']);
    expect(updated && waves(updated)).toEqual(['0 0 d1 d2', '300 300 p1 p2', '300 300 p3']);
    expect(updated).toMatchObject({ stops: [], settledAfter: 300_000, settledEarliest: 300_000 });
  });

  test('stops before a placement while a cluster of the one before fails', () => {
    const { update } = predictText(text(...promoted('1')), {
      update: text(config('settings', '2')),
      failing: ['d2'],
    });
    const [updated] = update?.values() ?? [];
    expect(updated && waves(updated)).toEqual(['0 0 d1 d2']);
    expect(updated).toMatchObject({ unready: ['d2'] });
    expect(updated?.stops.at(-1)).toEqual({
      reason: 'under way',
      message: 'the promotion waits until the placement before is complete',
      culprits: ['d2'],
      left: ['p1', 'p2', 'p3'],
    });
  });

  test('goes on after the deadline of clusters that the strategy allows to fail', () => {
    const update = (ofDev: Rollout, failing: readonly string[]): Simulated | undefined =>
      predictText(text(...promoted('1', ofDev)), { update: text(config('settings', '2')), failing })
        .update?.values()
        .next().value;
    const perGroup = (maxFailures: number): Rollout => ({
      type: 'ProgressivePerGroup',
      progressivePerGroup: { progressDeadline: '20m', maxFailures },
    });
    const tolerated = update(perGroup(1), ['d2']);
    expect(tolerated && waves(tolerated)).toEqual(['0 0 d1 d2', '1200 1200 p1 p2', '1200 1200 p3']);
    expect(tolerated).toMatchObject({ stops: [], unready: ['d2'] });
    expect(update({ type: 'All', all: { progressDeadline: '20m' } }, ['d1', 'd2'])?.waves).toHaveLength(3);
    const stopped = (ofDev: Rollout, failing: readonly string[]): readonly string[] | undefined =>
      update(ofDev, failing)?.stops.at(-1)?.left;
    expect(stopped(perGroup(1), ['d1', 'd2'])).toEqual(['p1', 'p2', 'p3']);
    expect(stopped({ type: 'All' }, ['d2'])).toEqual(['p1', 'p2', 'p3']);
    const progressive = (fields: Rollout['progressive']): Rollout => ({
      type: 'Progressive',
      progressive: { progressDeadline: '20m', maxFailures: 1, ...fields },
    });
    expect(stopped(progressive({}), ['d2'])).toBeUndefined();
    const mandatory = { mandatoryDecisionGroups: [{ groupName: 'dev' }] };
    expect(stopped(progressive(mandatory), ['d2'])).toEqual(['p1', 'p2', 'p3']);
  });
});
