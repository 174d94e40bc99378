import { describe, expect, test } from 'vitest';
import { newRelease } from '../../src/promotion/decide/new-release.ts';
import type { Release } from '../../src/promotion/decide/promotion.ts';
import { fleetOf, resolveText } from '../resolve-text.ts';
import { addOn, resolved } from '../compiler/requirements/required-states.ts';
import { appText } from './app.ts';

const at = { source: 'a'.repeat(40), base: 'b'.repeat(40) };
const names = Array.from({ length: 10 }, (_, index) => `c${index}`);

/** The release of new content for some clusters, of which c0 and c1 are golden. */
function releaseOf(strategy: string, changed: readonly string[] = names, groups = ''): Release {
  const labels = Object.fromEntries(
    names.map((name) => [name, { ring: Number(name.slice(1)) < 3 ? 'first' : 'rest' }]),
  );
  const text = appText('1', strategy).replace(
    'metadata: { name: all, namespace: default }\nspec:\n',
    (found) => found + groups,
  );
  const { resolution } = resolveText(text, { fleet: fleetOf(labels) });
  return newRelease(
    changed.map((cluster) => ({ addOn: 'hello', cluster, hash: '0123456789abcdef' })),
    resolution,
    at,
  );
}

const byRing = `  decisionStrategy:
    groupStrategy:
      decisionGroups:
      - { groupName: first, groupClusterSelector: { labelSelector: { matchLabels: { ring: first } } } }
      - { groupName: rest, groupClusterSelector: { labelSelector: { matchLabels: { ring: rest } } } }
`;

function wavesOf({ waves }: Release): string[] {
  return waves.map((parts) =>
    parts.map(({ gate, clusters }) => `${gate}: ${Object.keys(clusters).join(' ')}`).join('; '),
  );
}

describe('a new release', () => {
  test('has the waves of the strategy and its limits, with percentages of the whole placement', () => {
    const release = releaseOf(
      '{ type: Progressive, progressive: { maxConcurrency: 4, minSuccessTime: 90s, progressDeadline: 1h, maxFailures: 25% } }',
    );
    expect(wavesOf(release)).toEqual([
      'hello default/all: c0 c1 c2 c3',
      'hello default/all: c4 c5 c6 c7',
      'hello default/all: c8 c9',
    ]);
    expect(release.gates).toEqual({
      'hello default/all': { minSuccessTime: '1m30s', progressDeadline: '1h0m0s', maxFailures: 3 },
    });
    expect(release.released).toBe(0);
  });

  test('leaves out clusters that do not change, and waves that become empty, but counts them in percentages', () => {
    const release = releaseOf('{ type: Progressive, progressive: { maxConcurrency: 4, maxFailures: 25% } }', [
      'c1',
      'c9',
    ]);
    expect(wavesOf(release)).toEqual(['hello default/all: c1', 'hello default/all: c9']);
    expect(release.gates).toEqual({ 'hello default/all': { maxFailures: 3 } });
  });

  test('with All is one wave without a budget', () => {
    const release = releaseOf('{ type: All, all: { progressDeadline: 5m } }');
    expect(wavesOf(release)).toEqual([`hello default/all: ${names.join(' ')}`]);
    expect(release.gates).toEqual({ 'hello default/all': { progressDeadline: '5m0s' } });
  });

  test('with ProgressivePerGroup has a budget per group', () => {
    const release = releaseOf(
      '{ type: ProgressivePerGroup, progressivePerGroup: { maxFailures: 30% } }',
      names,
      byRing,
    );
    expect(wavesOf(release)).toEqual([
      'hello default/all group 0: c0 c1 c2',
      'hello default/all group 1: c3 c4 c5 c6 c7 c8 c9',
    ]);
    expect(release.gates).toEqual({
      'hello default/all group 0': { maxFailures: 1 },
      'hello default/all group 1': { maxFailures: 3 },
    });
  });

  test('with mandatory groups tolerates no failure, as the hub', () => {
    const strategy =
      '{ type: Progressive, progressive: { maxConcurrency: 4, maxFailures: 2, mandatoryDecisionGroups: [{ groupName: first }] } }';
    const release = releaseOf(strategy, names, byRing);
    expect(wavesOf(release)).toEqual([
      'hello default/all: c0 c1 c2',
      'hello default/all: c3 c4 c5 c6',
      'hello default/all: c7 c8 c9',
    ]);
    expect(release.gates).toEqual({ 'hello default/all': { maxFailures: 0 } });
  });

  test('has a hash of waves, content and gates, which does not depend on the commits', () => {
    const strategy = '{ type: Progressive, progressive: { maxConcurrency: 4 } }';
    const { hash } = releaseOf(strategy);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(releaseOf(strategy).hash).toBe(hash);
    expect(releaseOf(strategy.replace('4', '5')).hash).not.toBe(hash);
    expect(releaseOf(strategy, names.slice(1)).hash).not.toBe(hash);
  });
});

test('a cluster loses a required add-on after those that require it, and gets it before them', () => {
  const objects = (placement: string): object[] => [
    ...addOn('a', { placement, requires: 'b' }),
    ...addOn('b', { placement, requires: 'c' }),
    ...addOn('c', { placement }),
  ];
  const waves = (placement: string, hash: string): string[][] =>
    newRelease(
      ['a', 'b', 'c'].map((name) => ({ addOn: name, cluster: 'c4', hash })),
      resolved(objects(placement)).resolution,
      at,
    ).waves.map((parts) => parts.map((part) => part.addOn));
  expect(waves('prod', 'absent')).toEqual([['a'], ['b'], ['c']]);
  expect(waves('all', '0123456789abcdef')).toEqual([['c'], ['b'], ['a']]);
});
