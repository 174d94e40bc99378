import { assert, nat, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toGoDuration } from '../../constructs/go-duration.ts';
import { DecisionGroup, Duration, Rollout } from '../../constructs/index.ts';

describe('a rollout', () => {
  test('of all clusters at once sets nothing else', () => {
    expect(Rollout.all().strategy).toStrictEqual({ type: 'All' });
  });

  test('of all clusters at once may have a deadline', () => {
    expect(Rollout.all({ progressDeadline: Duration.hours(1) }).strategy).toStrictEqual({
      type: 'All',
      all: { progressDeadline: '1h' },
    });
  });

  test('by steps writes all its props', () => {
    const west = DecisionGroup.named('prod-canary-west', {});

    const { strategy } = Rollout.progressive({
      mandatoryGroups: [west, 'prod-canary-east', 0],
      maxConcurrency: '25%',
      minSuccessTime: Duration.minutes(5),
      progressDeadline: Duration.minutes(10),
      maxFailures: 2,
    });

    expect(strategy).toStrictEqual({
      type: 'Progressive',
      progressive: {
        mandatoryDecisionGroups: [
          { groupName: 'prod-canary-west' },
          { groupName: 'prod-canary-east' },
          { groupIndex: 0 },
        ],
        maxConcurrency: '25%',
        minSuccessTime: '5m',
        progressDeadline: '10m',
        maxFailures: 2,
      },
    });
  });

  test('by steps has its object even when that is empty, so that the hub fills in the defaults', () => {
    expect(Rollout.progressive().strategy).toStrictEqual({ type: 'Progressive', progressive: {} });
    expect(Rollout.progressivePerGroup().strategy).toStrictEqual({
      type: 'ProgressivePerGroup',
      progressivePerGroup: {},
    });
  });

  test('by groups has no concurrency', () => {
    expect(
      Rollout.progressivePerGroup({ maxFailures: '10%', minSuccessTime: Duration.seconds(90) }).strategy,
    ).toStrictEqual({
      type: 'ProgressivePerGroup',
      progressivePerGroup: { maxFailures: '10%', minSuccessTime: '90s' },
    });
  });
});

describe('a duration for Go', () => {
  test.each([
    [Duration.seconds(0), '0s'],
    [Duration.millis(1500), '1500ms'],
    [Duration.seconds(90), '90s'],
    [Duration.minutes(90), '90m'],
    [Duration.minutes(120), '120m'],
    [Duration.hours(1.5), '90m'],
    [Duration.days(2), '48h'],
    [Duration.millis(120_000), '2m'],
  ])('has one unit: its own if Go has that unit, otherwise the largest that fits', (duration, text) => {
    expect(toGoDuration(duration)).toBe(text);
  });

  test('is accepted by the pattern of progressDeadline and means the same time', () => {
    const pattern = /^(([0-9])+[h|m|s])|None$/;
    const factors: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
    assert(
      property(nat(1_000_000_000), (milliseconds) => {
        const text = toGoDuration(Duration.millis(milliseconds));
        const [, amount, unit = ''] = /^(\d+)(h|ms|m|s)$/.exec(text) ?? [];
        expect(text).toMatch(pattern);
        expect(Number(amount) * (factors[unit] ?? Number.NaN)).toBe(milliseconds);
      }),
    );
  });
});

describe('a value of the wrong type, as in an app that runs without a type check', () => {
  test('names the prop and its valid values', () => {
    expect(() => Rollout.progressive({ minSuccessTime: '10m' as unknown as Duration })).toThrow(
      'Rollout.progressive takes a Duration as minSuccessTime, not "10m": use Duration.millis, Duration.seconds',
    );
  });
});
