import { describe, expect, test } from 'vitest';
import {
  binding,
  cluster,
  clusters,
  decide,
  decisionOf,
  earlier,
  now,
  placement,
  selectedOf,
} from './hub-fixture.ts';

const noon = '2026-08-15T12:00:00Z';

function accepts(
  taint: object,
  tolerations: readonly object[],
  before: readonly string[] = [],
  at = now,
): boolean {
  const objects = [
    cluster('c', { taints: [taint] }),
    binding('default'),
    placement({ tolerations }),
    earlier('pl', before),
  ];
  return selectedOf(objects, at).length === 1;
}

function tolerating(...keys: string[]): object {
  return placement({ tolerations: keys.map((key) => ({ key, operator: 'Exists' })) });
}

function lasting(tolerationSeconds: number): object[] {
  return [{ key: 'gpu', operator: 'Exists', tolerationSeconds }];
}

function misconfigured(objects: readonly object[]): unknown {
  const { status } = decisionOf(decide(objects).decisions);
  return status.conditions?.find(({ type }) => type === 'PlacementMisconfigured');
}

describe('a taint', () => {
  test('keeps a cluster out', () => {
    expect(accepts({ key: 'gpu', effect: 'NoSelect' }, [])).toBe(false);
  });
  test('with effect PreferNoSelect does nothing', () => {
    expect(accepts({ key: 'gpu', effect: 'PreferNoSelect' }, [])).toBe(true);
  });
  test('with effect NoSelectIfNew keeps new clusters out only', () => {
    expect(accepts({ key: 'gpu', effect: 'NoSelectIfNew' }, [])).toBe(false);
    expect(accepts({ key: 'gpu', effect: 'NoSelectIfNew' }, [], ['c'])).toBe(true);
  });
  test('of several must be tolerated each', () => {
    const two = cluster('c', {
      taints: [
        { key: 'gpu', effect: 'NoSelect' },
        { key: 'edge', effect: 'NoSelect' },
      ],
    });
    expect(selectedOf([two, binding('default'), tolerating('gpu')])).toEqual([]);
    expect(selectedOf([two, binding('default'), tolerating('edge', 'gpu')])).toEqual(['c']);
  });
});

describe('a toleration', () => {
  const taint = { key: 'gpu', value: 'a100', effect: 'NoSelect' };
  test.each([
    [{ key: 'gpu', operator: 'Equal', value: 'a100' }, true],
    [{ key: 'gpu', value: 'a100' }, true],
    [{ key: 'gpu', value: 'h100' }, false],
    [{ key: 'gpu' }, false],
    [{ key: 'gpu', operator: 'Exists' }, true],
    [{ key: 'tpu', operator: 'Exists' }, false],
    [{ operator: 'Exists' }, true],
    [{ operator: 'Exists', effect: 'NoSelect' }, true],
    [{ operator: 'Exists', effect: 'NoSelectIfNew' }, false],
    [{ key: 'gpu', operator: 'exists' }, false],
  ])('%j: %s', (toleration, expected) => {
    expect(accepts(taint, [toleration])).toBe(expected);
  });
});

describe('a toleration with a time', () => {
  const taint = { key: 'gpu', effect: 'NoSelect', timeAdded: '2026-08-15T11:59:00Z' };

  test.each([
    [61, true],
    [60, false],
    [0, false],
    [-1, false],
    [9_223_372_036, true],
    [9_223_372_037, false],
    [9_999_999_999, false],
    [20_000_000_000, true],
  ])('of %d seconds, a minute after the taint: %s', (seconds, expected) => {
    expect(accepts(taint, lasting(seconds))).toBe(expected);
  });
  test('counts from the taint on, not from the selection', () => {
    expect(accepts(taint, lasting(3600), ['c'], now + 3_600_000)).toBe(false);
  });
  test('counts from now on if the taint is new', () => {
    expect(accepts({ key: 'gpu', effect: 'NoSelect' }, lasting(1))).toBe(true);
    expect(accepts({ key: 'gpu', effect: 'NoSelect', timeAdded: noon }, lasting(0))).toBe(false);
  });
  test('does not stop another one', () => {
    expect(accepts(taint, [...lasting(1), { operator: 'Exists' }])).toBe(true);
  });
});

describe('a toleration that the hub refuses', () => {
  test.each([
    [{ operator: 'Equal' }, 'TaintToleration:If the key is empty, operator must be Exists.'],
    [
      { key: 'a', operator: 'Exists', value: 'b' },
      'TaintToleration:If the operator is Exists, the value should be empty.',
    ],
  ])('%j', (toleration, message) => {
    expect(
      misconfigured([...clusters('c'), binding('default'), placement({ tolerations: [toleration] })]),
    ).toEqual({
      type: 'PlacementMisconfigured',
      status: 'True',
      reason: 'Misconfigured',
      message,
    });
  });
  test('is not even read if no cluster passes the predicates', () => {
    const predicates = [{ requiredClusterSelector: { labelSelector: { matchLabels: { env: 'prod' } } } }];
    const spec = { predicates, tolerations: [{ operator: 'Equal' }] };
    expect(misconfigured([...clusters('c'), binding('default'), placement(spec)])).toMatchObject({
      status: 'False',
    });
  });
});
