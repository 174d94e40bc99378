import { expect, test } from 'vitest';
import { Refusals, type RefusedRequest } from '../../../../src/controller/hub/approval/refusals.ts';

const claim = 'cluster1/hello';

function refused(request: string, more: Partial<RefusedRequest> = {}): RefusedRequest {
  return {
    request,
    reason: 'UsagesRefused',
    message: `${request}: no`,
    isFromAgent: true,
    created: '2026-01-31T12:00:00Z',
    ...more,
  };
}

test('the same reason again is not reported, another reason is', () => {
  const refusals = new Refusals();
  expect(refusals.record(claim, refused('a'))).toBe(true);
  expect(refusals.record(claim, refused('a'))).toBe(false);
  expect(refusals.record(claim, refused('a', { reason: 'KeyRefused' }))).toBe(true);
});

test('the latest is reported', () => {
  const refusals = new Refusals();
  refusals.record(claim, refused('a', { created: '2026-01-31T12:00:01Z' }));
  refusals.record(claim, refused('b', { created: '2026-01-31T12:00:02Z' }));
  refusals.record(claim, refused('c', { created: '2026-01-31T12:00:00Z' }));
  expect(refusals.foremost(claim)?.request).toBe('b');
  refusals.clear('b');
  expect(refusals.foremost(claim)?.request).toBe('a');
});

test('requests of others do not hide the reports for the agent of the cluster', () => {
  const refusals = new Refusals();
  refusals.record(claim, refused('a'));
  refusals.record(claim, refused('b', { isFromAgent: false, created: '2026-01-31T13:00:00Z' }));
  expect(refusals.foremost(claim)?.request).toBe('a');
  refusals.clear('a');
  expect(refusals.foremost(claim)?.request).toBe('b');
});

test('a request that now names another add-on counts only there', () => {
  const refusals = new Refusals();
  const notified: string[] = [];
  refusals.subscribe((key) => notified.push(key));
  refusals.record(claim, refused('a'));
  refusals.record('cluster2/hello', refused('a'));
  expect([refusals.foremost(claim), refusals.foremost('cluster2/hello')?.request]).toEqual([undefined, 'a']);
  expect(notified).toEqual([claim, claim, 'cluster2/hello']);
});

test('a new listener gets the current refusals, and one that ended gets none', () => {
  const refusals = new Refusals();
  refusals.record(claim, refused('a'));
  const notified: string[] = [];
  const end = refusals.subscribe((key) => notified.push(key));
  end();
  refusals.clear('a');
  expect(notified).toEqual([claim]);
});
