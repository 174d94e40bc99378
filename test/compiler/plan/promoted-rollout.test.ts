import { describe, expect, test } from 'vitest';
import type { AddOnPlan } from '../../../src/compiler/compare/add-on-plan.ts';
import type { ChangeGroup } from '../../../src/compiler/compare/change.ts';
import type { PlannedRollout } from '../../../src/compiler/compare/placements/waves.ts';
import { PromotedRollouts } from '../../../src/compiler/plan/promoted-rollout.ts';
import type { PromotedGate, PromotedPart, PromotedWave } from '../../../src/compiler/plan/promoted-change.ts';

const minute = 60_000;
const soak = 10 * minute;

const patient: PromotedGate = { name: 'logs default/all', maxFailures: 0 };
const limited = (maxFailures?: number): PromotedGate => ({
  name: 'logs default/all',
  deadline: 30 * minute,
  ...(maxFailures !== undefined && { maxFailures }),
});

const part = (clusters: string, gate = patient, addOn = 'logs', isByHub = false): PromotedPart => ({
  addOn,
  clusters: clusters.split(' '),
  gate,
  isByHub,
});

/** Waves of one release, with a soak of ten minutes each. */
const waves = (...parts: readonly (readonly PromotedPart[])[]): readonly PromotedWave[] =>
  parts.map((ofWave, index) => ({
    release: 'new',
    after: index * soak,
    soak,
    parts: ofWave,
    isOfChange: true,
  }));

const answer = { kind: 'refused', object: 'Job a/b', words: 'refused', hint: 'rename', clusters: 1 } as const;

/** The change of an add-on that some clusters refuse. */
function changed(addOn: string, refusing: string, stops: PlannedRollout['stops'] = []): AddOnPlan {
  const clusters = refusing.split(' ').filter((name) => name !== '');
  const group: ChangeGroup = {
    effect: 'changed',
    clusters,
    causes: [],
    configs: [],
    values: [],
    moreValues: 0,
    answers: [answer],
  };
  return {
    app: 'shop',
    addOn,
    before: 5,
    after: 5,
    effects: { uninstalled: 0, installed: 0, changed: clusters.length, rerolled: 0, moved: 0 },
    groups: clusters.length === 0 ? [] : [group],
    permissions: [],
    registrations: [],
    strategies: [],
    rollout: { waves: [], stops, finishedAfter: 0, finishedEarliest: 0 },
  };
}

function rollout(
  addOns: readonly AddOnPlan[],
  ofWaves: readonly PromotedWave[],
  {
    released = [],
    addOn = 'logs',
  }: { readonly released?: readonly PromotedWave[]; readonly addOn?: string } = {},
): { readonly waves: readonly string[]; readonly end: unknown; readonly finishedAfter: number } {
  const promotion = { app: 'shop', held: [], waves: ofWaves, released, started: [] };
  const planned = new PromotedRollouts(promotion, addOns).of(addOn);
  return {
    waves: planned.waves.map(
      ({ after, clusters, refusing = [] }) =>
        `${after / minute}: ${clusters.join(' ')}${refusing.length === 0 ? '' : `, refused by ${refusing.join(' ')}`}`,
    ),
    end: planned.stops[0] ?? planned.incomplete,
    finishedAfter: planned.finishedAfter / minute,
  };
}

describe('the promotion of a change that clusters refuse', () => {
  test('waits in its wave without a progressDeadline', () => {
    expect(rollout([changed('logs', 'b')], waves([part('a b')], [part('c')], [part('d e')]))).toEqual({
      waves: ['0: a b, refused by b'],
      end: {
        wave: 1,
        message: 'the promotion waits for "b", which refuses the change, and there is no progressDeadline',
        left: ['c', 'd', 'e'],
      },
      finishedAfter: 10,
    });
  });

  test('goes on after the deadline while maxFailures allows it', () => {
    const gate = limited(1);
    const all = waves([part('a b', gate)], [part('c', gate)], [part('d e', gate)]);
    expect(rollout([changed('logs', 'b')], all)).toEqual({
      waves: ['0: a b, refused by b', '30: c', '40: d e'],
      end: undefined,
      finishedAfter: 50,
    });
    expect(rollout([changed('logs', 'b c')], all)).toEqual({
      waves: ['0: a b, refused by b', '30: c, refused by c'],
      end: {
        wave: 2,
        message:
          '"b", "c", which refuse the change, failed, more than the strategy of logs default/all allows',
        left: ['d', 'e'],
      },
      finishedAfter: 60,
    });
  });

  test('counts the failures of each gate', () => {
    const [one, other] = [limited(1), { ...limited(0), name: 'logs default/gold' }];
    const all = waves([part('a b', one)], [part('c', other)], [part('d', one)]);
    expect(rollout([changed('logs', 'b')], all).end).toBeUndefined();
    expect(rollout([changed('logs', 'c')], all).end).toMatchObject({ wave: 2, left: ['d'] });
  });

  test('goes on whatever fails if the strategy has no budget', () => {
    const gate = limited();
    const all = waves([part('a', gate)], [part('b', gate)]);
    expect(rollout([changed('logs', 'a b')], all)).toEqual({
      // No cluster is healthy, so nothing soaks.
      waves: ['0: a, refused by a', '30: b, refused by b'],
      end: undefined,
      finishedAfter: 60,
    });
  });

  test('never completes if the last wave refuses it', () => {
    expect(rollout([changed('logs', 'c')], waves([part('a b')], [part('c')]))).toMatchObject({
      waves: ['0: a b', '10: c, refused by c'],
      end: 'the promotion waits for "c", which refuses the change, and there is no progressDeadline',
    });
  });

  test('holds up the other add-ons of the app', () => {
    const metrics = { ...patient, name: 'metrics default/all' };
    const addOns = [changed('logs', 'b'), changed('metrics', '')];
    const all = waves([part('b'), part('a', metrics, 'metrics')], [part('c'), part('d', metrics, 'metrics')]);
    expect(rollout(addOns, all, { addOn: 'metrics' })).toMatchObject({
      waves: ['0: a'],
      end: {
        message:
          'the promotion waits for add-on "logs" on "b", which refuses the change, and there is no progressDeadline',
        left: ['d'],
      },
    });
  });

  test('stops before its next wave if clusters of a started one refuse it', () => {
    const released = waves([part('a b')]);
    expect(rollout([changed('logs', 'b')], waves([part('c')]), { released })).toMatchObject({
      waves: [],
      end: { message: expect.stringContaining('waits for "b"'), left: ['c'] },
    });
  });

  test('does not stop the waves of an earlier release', () => {
    const [first, second] = waves([part('b')], [part('a b')]);
    if (first === undefined || second === undefined) throw new Error('two waves');
    const all = [{ ...first, release: 'old', isOfChange: false }, second];
    expect(rollout([changed('logs', 'b')], all)).toMatchObject({
      waves: ['0: b', '10: a b, refused by b'],
      end: expect.stringContaining('the promotion waits for "b"'),
    });
  });

  test('leaves the clusters that the hub does not start in the placement', () => {
    const byHub = (clusters: string): PromotedPart => part(clusters, patient, 'logs', true);
    const stops = [{ message: 'waits for "a"', left: ['b', 'c'] }];
    expect(rollout([changed('logs', 'a b c d', stops)], waves([byHub('a b c')], [byHub('d')]))).toMatchObject(
      {
        waves: ['0: a, refused by a'],
        end: {
          wave: 1,
          message: 'the promotion waits for "a", which refuses the change, and there is no progressDeadline',
          left: ['b', 'c', 'd'],
        },
      },
    );
  });
});
