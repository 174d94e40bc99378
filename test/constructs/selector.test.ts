import { describe, expect, test } from 'vitest';
import { Selector, toClaimSelector, toLabelSelector } from '../../constructs/selector.ts';

describe('a selector', () => {
  test('of pairs can be written as the pairs alone', () => {
    expect(toLabelSelector({ env: 'prod' })).toStrictEqual(toLabelSelector(Selector.of({ env: 'prod' })));
  });

  test('of everything is empty', () => {
    expect(toLabelSelector(Selector.all())).toStrictEqual({});
    expect(toClaimSelector(Selector.all())).toStrictEqual({});
  });

  test('is not modified by further requirements', () => {
    const prod = Selector.of({ env: 'prod' });
    const prodWest = prod.in('region', ['us-west-1']).and({ tier: 'gold' });

    expect(toLabelSelector(prod)).toStrictEqual({ matchLabels: { env: 'prod' } });
    expect(toLabelSelector(prodWest)).toStrictEqual({
      matchLabels: { env: 'prod', tier: 'gold' },
      matchExpressions: [{ key: 'region', operator: 'In', values: ['us-west-1'] }],
    });
  });

  test('of claims selects pairs by expressions, because Placements have no pairs for claims', () => {
    expect(toClaimSelector(Selector.of({ platform: 'aws' }).exists('region'))).toStrictEqual({
      matchExpressions: [
        { key: 'platform', operator: 'In', values: ['aws'] },
        { key: 'region', operator: 'Exists' },
      ],
    });
  });

  test('may select a label that has the name of one of its fields', () => {
    expect(toLabelSelector({ matchLabels: 'yes' })).toStrictEqual({ matchLabels: { matchLabels: 'yes' } });
  });

  test('has each requirement as a start, too', () => {
    const starts = [
      Selector.in('a', ['1', '2']),
      Selector.notIn('a', ['1']),
      Selector.exists('a'),
      Selector.doesNotExist('a'),
    ];

    expect(starts.map(toLabelSelector)).toStrictEqual([
      { matchExpressions: [{ key: 'a', operator: 'In', values: ['1', '2'] }] },
      { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['1'] }] },
      { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
      { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] },
    ]);
  });
});
