import { describe, expect, test } from 'vitest';
import { readStrategy, sizeOf } from '../../../src/compiler/rollout/strategy/strategy.ts';
import { strategyFaults } from '../../../src/compiler/rollout/strategy/strategy-faults.ts';

describe('a strategy as the hub reads it', () => {
  test('is All if nothing is written', () => {
    expect(readStrategy()).toEqual({
      type: 'All',
      mandatoryGroups: [],
      maxConcurrency: 0,
      maxFailures: 0,
      minSuccessTime: 0,
      progressDeadline: Infinity,
    });
  });

  test('of All uses only the deadline', () => {
    const written = {
      type: 'All',
      all: { maxFailures: 2, minSuccessTime: '5m', progressDeadline: '10m' },
    } as const;
    expect(readStrategy(written)).toMatchObject({
      maxFailures: 0,
      minSuccessTime: 0,
      progressDeadline: 600_000,
    });
  });

  test('uses the concurrency of the placement if it has none', () => {
    expect(readStrategy({ type: 'Progressive' }, '25%').maxConcurrency).toBe('25%');
    expect(readStrategy({ type: 'Progressive', progressive: { maxConcurrency: 0 } }, 3).maxConcurrency).toBe(
      3,
    );
    expect(
      readStrategy({ type: 'Progressive', progressive: { maxConcurrency: '0%' } }, 3).maxConcurrency,
    ).toBe('0%');
  });

  test('does not read fields of another type', () => {
    const written = { type: 'ProgressivePerGroup', progressive: { maxFailures: 3 } } as const;
    expect(readStrategy(written).maxFailures).toBe(0);
  });
});

describe('a number of clusters', () => {
  test.each<[number | string, number, number | string]>([
    ['7%', 100, 8],
    ['14%', 50, 8],
    ['28%', 25, 8],
    ['55%', 100, 56],
    ['50%', 5, 3],
    ['100%', 5, 5],
    ['0%', 5, 'default'],
    [3, 5, 3],
    [5, 5, 5],
    [6, 5, 'default'],
    [0, 5, 'default'],
    [-1, 5, 'default'],
  ])('%s of %i is %s', (size, total, expected) => {
    expect(sizeOf(size, total, -99)).toBe(expected === 'default' ? -99 : expected);
  });

  test('in quotes is invalid', () => {
    expect(sizeOf('10', 5, 0)).toEqual(
      new Error("'10' is an invalid maximum threshold value: string is not a percentage"),
    );
  });
});

describe('values that stop the hub', () => {
  test('are found if the type reads them', () => {
    const fields = { maxConcurrency: '10', maxFailures: '2', progressDeadline: '5m|' };
    expect(strategyFaults({ type: 'Progressive', progressive: fields })).toEqual([
      {
        path: ['progressive', 'maxConcurrency'],
        value: '10',
        error:
          "failed to parse the provided maxConcurrency: '10' is an invalid maximum threshold value: string is not a percentage",
      },
      {
        path: ['progressive', 'maxFailures'],
        value: '2',
        error:
          "failed to parse the provided maxFailures: '2' is an invalid maximum threshold value: string is not a percentage",
      },
      {
        path: ['progressive', 'progressDeadline'],
        value: '5m|',
        error: 'time: unknown unit "m|" in duration "5m|"',
      },
    ]);
    expect(strategyFaults({ type: 'All', progressive: fields })).toEqual([]);
    expect(strategyFaults({ type: 'All', all: { maxFailures: '2', progressDeadline: '5' } })).toEqual([
      { path: ['all', 'progressDeadline'], value: '5', error: 'invalid timeout format' },
    ]);
  });

  test('are not valid values', () => {
    const limits = { maxFailures: '10%', minSuccessTime: '1.5h', progressDeadline: '1h30m' };
    expect(strategyFaults({ type: 'Progressive', progressive: { maxConcurrency: 3, ...limits } })).toEqual(
      [],
    );
    expect(strategyFaults()).toEqual([]);
  });
});
