import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClusterHealth } from '../../src/promotion/decide/cluster-health.ts';
import { decide, type Decision } from '../../src/promotion/decide/decide.ts';
import type { OutsideGateReport } from '../../src/promotion/decide/gate-report.ts';
import type { PromotionSpec, PromotionStatus, Release } from '../../src/promotion/decide/promotion.ts';
import type { Approval } from '../../src/promotion/decide/step-gates.ts';
import { ConcurrentClusters } from '../../src/compiler/rollout/concurrent-clusters.ts';
import type { Progress } from '../../src/compiler/rollout/progress.ts';

const commit = 'c'.repeat(40);
const start = Date.parse('2026-06-01T12:00:00Z');
const minute = 60_000;
const content = '0123456789abcdef';

/** Waves of two clusters: `a b`, `c d`, … */
function releaseOf(released: number, gate: Release['gates'][string] = {}, waves = 2): Release {
  const clusterNames = 'abcdefgh'.slice(0, waves * 2).match(/../g) ?? [];
  return {
    hash: 'f'.repeat(64),
    source: commit,
    base: commit,
    released,
    gates: { 'hello default/all': gate },
    waves: clusterNames.map((names) => [
      {
        addOn: 'hello',
        gate: 'hello default/all',
        clusters: Object.fromEntries(names.split('').map((name) => [name, content])),
      },
    ]),
  };
}

interface State {
  readonly status: PromotionStatus;
  readonly spec?: PromotionSpec;
  readonly health?: Readonly<Record<string, ClusterHealth | undefined>>;
  /** Minutes after the start of all waves. */
  readonly after?: number;
  readonly next?: Release;
  readonly isCommitted?: boolean;
  readonly outside?: readonly OutsideGateReport[];
  readonly approvals?: ReadonlyMap<string, Approval>;
}

const healthy: ClusterHealth = { progress: 'Succeeded', since: start };

function decided({
  status,
  spec = {},
  health = {},
  after = 0,
  next,
  isCommitted = true,
  ...gates
}: State): Decision {
  return decide({
    promotion: { app: 'hello', spec, status },
    now: start + after * minute,
    healthOf: ({ cluster }) => (Object.hasOwn(health, cluster) ? health[cluster] : healthy),
    startOf: () => (isCommitted ? start : undefined),
    next,
    ...gates,
  });
}

const words = (state: State): string => {
  const { outcome, reason } = decided(state);
  return `${outcome}: ${reason}`;
};

describe('a promotion', () => {
  test('releases the next wave once all clusters of the wave are healthy', () => {
    const decision = decided({ status: { release: releaseOf(1) } });
    expect(decision.outcome).toBe('advanced');
    const openedBy = ['2 of 2 healthy'];
    expect(decision.status).toEqual({ release: { ...releaseOf(2), openedBy } });
    expect(
      words({
        status: { release: releaseOf(1) },
        health: { b: { progress: 'Progressing', why: 'is in progress' } },
      }),
    ).toBe('waiting: wave 1 of 2: 1 of 2 healthy; b is in progress');
  });

  test('soaks since the last cluster of the wave became healthy', () => {
    const status = { release: releaseOf(1, { minSuccessTime: '10m0s' }) };
    const health = { b: { progress: 'Succeeded', since: start + 5 * minute } } as const;
    expect(words({ status, health, after: 14 })).toBe(
      'waiting: wave 1 of 2: 2 of 2 healthy, soak ends 12:15 UTC',
    );
    expect(words({ status, health, after: 15 })).toBe('advanced: wave 2 of 2 of ffffffffffff starts');
  });

  test('counts a cluster as failed after its deadline, and stops above the budget', () => {
    const status = { release: releaseOf(1, { progressDeadline: '30m', maxFailures: 1 }) };
    const late = { progress: 'Progressing', why: 'is in progress' } as const;
    expect(words({ status, health: { a: late }, after: 29 })).toBe(
      'waiting: wave 1 of 2: 1 of 2 healthy, budget 0 of 1 failure used; a is in progress',
    );
    expect(words({ status, health: { a: late }, after: 30 })).toBe(
      'advanced: wave 2 of 2 of ffffffffffff starts',
    );
    expect(words({ status, health: { a: late, b: late }, after: 30 })).toBe(
      'stopped: wave 1 of 2: 0 of 2 healthy, budget 2 of 1 failure used; "a", "b" failed, more than the strategy of hello default/all allows',
    );
  });

  test('waits for a cluster of an earlier wave that is no longer healthy', () => {
    const health = {
      a: { progress: 'Progressing', since: start + minute, why: 'is not available' },
    } as const;
    expect(words({ status: { release: releaseOf(2, {}, 3) }, health })).toBe(
      'waiting: wave 2 of 3: 2 of 2 healthy; a is not available',
    );
  });

  test('does not wait for a cluster that has left', () => {
    expect(words({ status: { release: releaseOf(1) }, health: { a: undefined, b: undefined } })).toMatch(
      /^advanced/,
    );
  });

  test('does not go on before its last step is committed', () => {
    expect(words({ status: { release: releaseOf(1) }, isCommitted: false })).toBe(
      'waiting: wave 1 of 2: it is not committed yet',
    );
  });

  test('completes a release after its last wave', () => {
    const { outcome, status } = decided({ status: { release: releaseOf(2) } });
    expect(outcome).toBe('finished');
    const hash = 'f'.repeat(64);
    expect(status).toEqual({
      completed: { source: commit, hash },
      history: [{ hash, source: commit, result: 'completed' }],
    });
  });

  test('needs the approval of the release, or of each wave', () => {
    const { hash } = releaseOf(1);
    const status = { release: releaseOf(1) };
    const waits = `waiting: wave 1 of 2: waits for an approval: add ${hash}/2 to spec.approved`;
    expect(words({ status, spec: { approval: 'waves' } })).toBe(waits);
    expect(words({ status, spec: { approval: 'waves', approved: [`${hash}/1`] } })).toBe(waits);
    for (const approved of [hash, `${hash}/2`])
      expect(words({ status, spec: { approval: 'waves', approved: [approved] } })).toMatch(/^advanced/);
    expect(words({ status, spec: { approval: 'release', approved: [`${hash}/2`] } })).not.toMatch(
      /^advanced/,
    );
  });

  test('waits for gates outside of Git before each wave and before its end, but not to roll back', () => {
    const query = { name: 'errors', isOpen: false, text: 'errors is 1, and must be < 0.01' };
    const outside = [query];
    const waits = `waiting: wave 1 of 2: ${query.text}`;
    expect(words({ status: { release: releaseOf(1) }, outside })).toBe(waits);
    expect(words({ status: { release: releaseOf(2) }, outside })).toBe(`waiting: wave 2 of 2: ${query.text}`);
    const begun = decided({ status: {}, next: releaseOf(0), outside });
    expect(begun.status?.release).toEqual(releaseOf(0));
    expect(begun.reason).toBe(`release ffffffffffff begins: ${query.text}`);
    const restoring = { ...releaseOf(1), restores: 'e'.repeat(64) };
    expect(words({ status: { release: restoring }, outside })).toMatch(/^advanced/);
  });

  test('waits for the Job of a wave after it, and stops if the Job has failed', () => {
    const job = { name: 'smoke', text: 'Job ci/smoke', isAfterWave: true };
    const waiting = [{ ...job, isOpen: false }];
    expect(words({ status: { release: releaseOf(1) }, outside: waiting })).toBe(
      'waiting: wave 1 of 2: Job ci/smoke',
    );
    expect(words({ status: {}, next: releaseOf(0), outside: waiting })).toMatch(/^advanced: wave 1 of 2/);
    const failed = [{ ...job, isOpen: false, hasFailed: true }];
    expect(words({ status: { release: releaseOf(1) }, outside: failed })).toBe(
      'stopped: wave 1 of 2: Job ci/smoke',
    );
  });

  test('reports each gate in one line, also those after the one that it waits for, and records them', () => {
    const outside = [{ name: 'errors', isOpen: true, text: 'errors is 0 (< 0.01)' }];
    const spec: PromotionSpec = { approval: 'release', approved: ['f'.repeat(64)], window: {} };
    const status = { release: releaseOf(1, { maxFailures: 1 }) };
    const late = { b: { progress: 'Progressing', why: 'is in progress' } } as const;
    const { gates, status: unchanged } = decided({ status, spec, outside, health: late });
    expect(gates).toEqual([
      { name: 'health', isOpen: false, text: '1 of 2 healthy' },
      { name: 'maxFailures hello default/all', isOpen: true, text: 'budget 0 of 1 failure used' },
      { name: 'errors', isOpen: true, text: 'errors is 0 (< 0.01)' },
      { name: 'approval', isOpen: true, text: 'approved' },
      { name: 'window', isOpen: true, text: 'window open' },
    ]);
    expect(unchanged).toBe(undefined);
    expect(decided({ status, spec, outside }).status?.release?.openedBy).toEqual([
      '2 of 2 healthy',
      'budget 0 of 1 failure used',
      'errors is 0 (< 0.01)',
      'approved',
      'window open',
    ]);
  });

  test('counts the approvals of allowed authors only', () => {
    const hash = 'f'.repeat(64);
    const spec: PromotionSpec = {
      approval: 'waves',
      approvers: { emails: ['alice@example.com'] },
      approved: [hash, `${hash}/2`],
    };
    const status = { release: releaseOf(1) };
    const refused = { isCounted: false, text: 'the approval is by mallory' };
    const counted = { isCounted: true, text: 'approved by alice' };
    expect(words({ status, spec, approvals: new Map([[hash, refused]]) })).toBe(
      'waiting: wave 1 of 2: the approval is by mallory',
    );
    const approvals = new Map([
      [hash, refused],
      [`${hash}/2`, counted],
    ]);
    expect(decided({ status, spec, approvals }).status?.release?.openedBy).toContain('approved by alice');
  });

  test('starts no wave while it is paused, nor outside of its window', () => {
    const status = { release: releaseOf(1) };
    expect(words({ status, spec: { paused: true } })).toBe('waiting: wave 1 of 2: paused');
    const window = { open: [{ from: '13:00', to: '14:00' }] };
    expect(words({ status, spec: { window } })).toBe('waiting: wave 1 of 2: window opens 13:00 UTC');
    expect(words({ status, spec: { window }, after: 60 })).toMatch(/^advanced/);
  });

  test('lets a change wait for the release, or supersedes the release', () => {
    const next = { ...releaseOf(0), hash: 'e'.repeat(64) };
    const waiting = { b: { progress: 'Progressing', why: 'is in progress' } } as const;
    const status = { release: releaseOf(1) };
    expect(words({ status, next, health: waiting })).toMatch(/^waiting: wave 1 of 2: 1 of 2 healthy/);
    const superseded = decided({ status, next, health: waiting, spec: { whenBusy: 'supersede' } });
    expect(superseded.status?.release).toEqual({ ...next, released: 1 });
    expect(superseded.status?.history).toEqual([
      { hash: 'f'.repeat(64), source: commit, result: 'superseded' },
    ]);
    // No cluster has it yet.
    expect(decided({ status: { release: releaseOf(0) }, next }).status?.release?.hash).toBe(next.hash);
    expect(decided({ status: { release: releaseOf(0) }, next: { ...next, waves: [] } }).status?.release).toBe(
      undefined,
    );
  });

  test('never changes its mind about the same state', () => {
    const state: State = { status: { release: releaseOf(1) } };
    expect(decided(state)).toEqual(decided(state));
  });
});

test('stops and goes on where the rollout on a hub does', () => {
  const progress = fc.constantFrom<Progress>('Progressing', 'Failed', 'Succeeded');
  const cluster = fc.record({ progress, minutes: fc.integer({ min: 0, max: 40 }) });
  const inputs = fc.tuple(
    fc.tuple(cluster, cluster),
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: 0, max: 40 }),
  );
  fc.assert(
    fc.property(inputs, ([[a, b], maxFailures, after]) => {
      const now = start + 40 * minute + after * minute;
      const children = [a, b].map((each, index) => ({
        cluster: 'ab'.charAt(index),
        progress: each.progress,
        since: start + each.minutes * minute,
      }));
      const waiting = ['c', 'd'].map((name) => ({ cluster: name, progress: 'ToApply' as const }));
      // The hub lets each cluster soak separately. The promotion lets all of them soak since the last one.
      const limits = { minSuccessTime: 0, progressDeadline: 30 * minute };
      const strategy = {
        type: 'Progressive',
        mandatoryGroups: [],
        maxConcurrency: 2,
        maxFailures,
        ...limits,
      } as const;
      const group = { index: 0, name: '', clusters: ['a', 'b', 'c', 'd'] };
      const handler = new ConcurrentClusters(strategy, [group], [...children, ...waiting]);
      const step = handler.step(now);
      if (step instanceof Error) throw step;
      const { outcome } = decided({
        status: { release: releaseOf(1, { progressDeadline: '30m', maxFailures }) },
        health: Object.fromEntries(children.map(({ cluster: name, ...health }) => [name, health])),
        after: 40 + after,
      });
      expect(outcome === 'advanced').toBe(step.starting.join() === 'c,d');
      expect(outcome === 'stopped' && step.starting.length > 0).toBe(false);
    }),
    { numRuns: 300 },
  );
});
