import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ClusterManagementAddOnV1beta1RolloutStrategy } from '../../../schemas/types.gen.ts';
import { ConcurrentClusters } from '../../../src/compiler/rollout/concurrent-clusters.ts';
import {
  reachableGroups,
  trackGroups,
  type TrackedGroup,
} from '../../../src/compiler/rollout/decision-tracker.ts';
import type { ClusterProgress, Progress } from '../../../src/compiler/rollout/progress.ts';
import { readStrategy } from '../../../src/compiler/rollout/strategy/strategy.ts';
import { decisionOf } from './scenes.ts';

type Written = ClusterManagementAddOnV1beta1RolloutStrategy;

/** The moment at which all vectors were taken, in seconds. */
const now = 1000;

const letters: Readonly<Record<string, Progress>> = {
  A: 'ToApply',
  P: 'Progressing',
  S: 'Succeeded',
  F: 'Failed',
};

/** Statuses as the vectors write them: `c1=P300` is Progressing since second 300, `c2=S` Succeeded at an unknown time. */
function statuses(text: string): ClusterProgress[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const [cluster = '', status = ''] = word.split('=');
      const since = status.length > 1 ? { since: Number(status.slice(1)) * 1000 } : {};
      return { cluster, progress: letters[status.slice(0, 1)] ?? 'ToApply', ...since };
    });
}

/** Groups as the vectors write them: `0:canary c1 c2`. */
function groups(texts: readonly string[]): readonly TrackedGroup[] | Error {
  return trackGroups(
    texts.map((text) => {
      const [label = '', ...clusters] = text.split(' ');
      const [index = '', name = ''] = label.split(':');
      return decisionOf(index, name, clusters);
    }),
  );
}

interface Answer {
  /** Clusters that roll and are led by the placement. */
  readonly roll?: string;
  /** Others that it waits for. */
  readonly foreign?: string;
  readonly timedOut?: number;
  readonly breached?: boolean;
  readonly due?: number;
  readonly error?: string;
}

function step(strategy: Written, grouped: readonly string[], known: string): Answer {
  const tracked = groups(grouped);
  if (tracked instanceof Error) return { error: tracked.message };
  const result = new ConcurrentClusters(readStrategy(strategy), tracked, statuses(known)).step(now * 1000);
  if (result instanceof Error) return { error: result.message };
  const { starting, joining, foreign, timedOut, breached, due } = result;
  return {
    roll: [...starting, ...joining].sort().join(' '),
    ...(foreign.length > 0 && { foreign: [...foreign].sort().join(' ') }),
    ...(timedOut > 0 && { timedOut }),
    ...(breached && { breached }),
    ...(due !== undefined && { due: due / 1000 - now }),
  };
}

describe('the vectors of the rollout library', () => {
  interface Vector {
    readonly strategy: Written;
    readonly groups: readonly string[];
    readonly known: string;
    readonly roll?: string;
    readonly timedOut?: string;
    readonly breached?: boolean;
    readonly due?: number;
    readonly error?: string;
  }
  const text = readFileSync(new URL('../../conformance/rollout-steps.jsonl', import.meta.url), 'utf8');
  const vectors = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Vector);

  /** The answer of the library in our terms. */
  function answerOf(
    { strategy, groups: grouped, known, roll, timedOut, breached, due, error }: Vector,
    ours: Answer,
  ): Answer {
    if (error !== undefined) return { error };
    const children = statuses(known);
    // No placement leads the groups after a gap in the indices.
    const tracked = groups(grouped);
    const led = new Set(
      tracked instanceof Error ? [] : reachableGroups(tracked).flatMap(({ clusters }) => clusters),
    );
    const isChild = (name: string): boolean =>
      led.has(name) && children.some(({ cluster }) => cluster === name);
    const rolling = (roll ?? '').split(' ').filter((name) => name !== '');
    const foreign = rolling.filter((name) => !isChild(name)).join(' ');
    // Rollouts by cluster take others last, when all of their own have started; that delays no cluster and is not reported.
    const isReported = strategy.type === 'ProgressivePerGroup' || ours.foreign !== undefined;
    // The library looks again after a while at clusters whose time it does not know; nothing has changed by then.
    const timeless = children.some(({ progress, since }) => progress !== 'ToApply' && since === undefined);
    return {
      roll: rolling.filter(isChild).join(' '),
      ...(foreign !== '' && isReported && { foreign }),
      ...(timedOut !== undefined && { timedOut: timedOut.split(' ').length }),
      ...(breached && { breached }),
      ...(timeless ? ours.due !== undefined && { due: ours.due } : due !== undefined && { due }),
    };
  }

  test(`agree in all ${vectors.length} cases`, () => {
    const differences = vectors.flatMap((vector) => {
      const ours = step(vector.strategy, vector.groups, vector.known);
      const library = answerOf(vector, ours);
      return isDeepStrictEqual(ours, library) ? [] : [{ vector, ours, library }];
    });
    expect(differences).toEqual([]);
  });
});

describe('one step, five clusters', () => {
  const one = ['0: c1 c2 c3 c4 c5'];
  const three = ['0: c1 c2', '1: c3 c4', '2: c5'];
  const fresh = 'c1=A c2=A c3=A c4=A c5=A';
  const progressive = (fields: Written['progressive']): Written => ({
    type: 'Progressive',
    ...(fields && { progressive: fields }),
  });
  const perGroup = (fields: Written['progressivePerGroup']): Written => ({
    type: 'ProgressivePerGroup',
    ...(fields && { progressivePerGroup: fields }),
  });
  const mandatory = { mandatoryDecisionGroups: [{ groupIndex: 0 }] };
  const late = { progressDeadline: '600s' };

  test.each<[string, Written, readonly string[], string, Answer]>([
    [
      'takes as many as may change at the same time',
      progressive({ maxConcurrency: 2 }),
      one,
      fresh,
      { roll: 'c1 c2' },
    ],
    ['takes a share of them', progressive({ maxConcurrency: '40%' }), one, fresh, { roll: 'c1 c2' }],
    ['rounds the share up', progressive({ maxConcurrency: '50%' }), one, fresh, { roll: 'c1 c2 c3' }],
    [
      'counts those under way',
      progressive({ maxConcurrency: 2 }),
      one,
      'c1=S0 c2=P0 c3=A c4=A c5=A',
      { roll: 'c2 c3' },
    ],
    [
      'counts those that soak',
      progressive({ maxConcurrency: 2, minSuccessTime: '300s' }),
      one,
      'c1=S900 c2=S0 c3=A c4=A c5=A',
      { roll: 'c1 c3' },
    ],
    [
      'stops at the first that is late',
      progressive({ maxConcurrency: 2, ...late }),
      one,
      'c1=P0 c2=A c3=A c4=A c5=A',
      { roll: '', timedOut: 1, breached: true },
    ],
    [
      'bears failures',
      progressive({ maxConcurrency: 2, maxFailures: 1, ...late }),
      one,
      'c1=P0 c2=A c3=A c4=A c5=A',
      { roll: 'c2 c3', timedOut: 1 },
    ],
    [
      'bears none where more are allowed than there are clusters',
      progressive({ maxConcurrency: 2, maxFailures: 10, ...late }),
      one,
      'c1=P0 c2=A c3=A c4=A c5=A',
      { roll: '', timedOut: 1, breached: true },
    ],
    [
      'waits indefinitely if the start time is unknown',
      progressive({ maxConcurrency: 2, ...late }),
      one,
      'c1=P c2=A c3=A c4=A c5=A',
      { roll: 'c1 c2' },
    ],
    [
      'begins with the mandatory groups',
      progressive({ maxConcurrency: 2, ...mandatory }),
      three,
      fresh,
      { roll: 'c1 c2' },
    ],
    [
      'goes on in whole batches after mandatory groups',
      progressive({ maxConcurrency: 2, ...mandatory }),
      three,
      'c1=S0 c2=S0 c3=P0 c4=A c5=A',
      { roll: 'c3' },
    ],
    [
      'fills up without mandatory groups',
      progressive({ maxConcurrency: 2 }),
      three,
      'c1=S0 c2=S0 c3=P0 c4=A c5=A',
      { roll: 'c3 c4' },
    ],
    [
      'bears no late cluster at all with mandatory groups',
      progressive({ maxConcurrency: 2, maxFailures: 3, ...mandatory, ...late }),
      three,
      'c1=S0 c2=S0 c3=P0 c4=A c5=A',
      { roll: '', timedOut: 1 },
    ],
    ['takes the first group', perGroup(undefined), three, fresh, { roll: 'c1 c2' }],
    ['takes the next group', perGroup(undefined), three, 'c1=S0 c2=S0 c3=A c4=A c5=A', { roll: 'c3 c4' }],
    [
      'bears a share of each group',
      perGroup({ maxFailures: '50%', ...late }),
      three,
      'c1=P0 c2=S0 c3=A c4=A c5=A',
      { roll: 'c3 c4', timedOut: 1 },
    ],
    [
      'stops at a group with more failures',
      perGroup({ maxFailures: 0, ...late }),
      three,
      'c1=P0 c2=S0 c3=A c4=A c5=A',
      { roll: '', timedOut: 1, breached: true },
    ],
    [
      'takes two groups at once after as many failures',
      perGroup({ maxFailures: '100%', ...late }),
      three,
      'c1=P0 c2=P0 c3=A c4=A c5=A',
      { roll: 'c3 c4 c5', timedOut: 2 },
    ],
    [
      'never passes a group with a cluster of another placement',
      perGroup(undefined),
      three,
      'c1=S0 c3=A c4=A c5=A',
      { roll: '', foreign: 'c2' },
    ],
  ])('%s', (_, strategy, grouped, known, expected) => {
    const { due: _due, ...answer } = step(strategy, grouped, known);
    expect(answer).toEqual(expected);
  });

  test('returns the time at which the answer changes without other events', () => {
    const strategy = progressive({ maxConcurrency: 3, minSuccessTime: '5m', progressDeadline: '10m' });
    expect(step(strategy, one, 'c1=S900 c2=P700 c3=P c4=A c5=A')).toEqual({ roll: 'c1 c2 c3', due: 200 });
    expect(step(strategy, one, 'c1=S c2=P c3=A c4=A c5=A')).toEqual({ roll: 'c1 c2 c3' });
  });
});
