import { expect, test } from 'vitest';
import { CauseHistory, type CauseChange } from '../../../src/controller/status/cause-history.ts';
import type { ReadClass } from '../../../src/controller/status/reading.ts';
import { addOnWith, classOf, readingOf } from './readings.ts';

const words = ({ addOn, cluster, state, cause, before }: CauseChange): string =>
  `${addOn} ${cluster}: ${before} -> ${state}${cause === undefined ? '' : `, ${cause.code}`}`;

const minute = 60_000;
const midnight = '2026-05-31T00:00:00Z';

test('the first reading reports no change', () => {
  const history = new CauseHistory();
  const reading = readingOf(addOnWith('hello', 1, classOf('different manifest-conflict: c1')));
  expect(history.add(reading, 0).changes).toEqual([]);
  expect(history.add(reading, minute).changes).toEqual([]);
});

test('a change of the cause is reported once, also within a state and back to the prediction', () => {
  const history = new CauseHistory();
  history.add(readingOf(addOnWith('hello', 2)), 0);
  const faulty = readingOf(addOnWith('hello', 1, classOf('on the way workload-starting: c1')));
  expect(history.add(faulty, 1).changes.map(words)).toEqual([
    'hello c1: as predicted -> on the way, workload-starting',
  ]);
  expect(history.add(faulty, 2).changes).toEqual([]);
  const waiting = readingOf(addOnWith('hello', 1, classOf('on the way wave-not-reached: c1')));
  expect(history.add(waiting, 3).changes.map(words)).toEqual([
    'hello c1: on the way, workload-starting -> on the way, wave-not-reached',
  ]);
  expect(history.add(readingOf(addOnWith('hello', 2)), 4).changes.map(words)).toEqual([
    'hello c1: on the way, wave-not-reached -> as predicted',
  ]);
});

test('another message of the same cause is not a change', () => {
  const history = new CauseHistory();
  const unhealthy = classOf('unhealthy degraded: c1');
  history.add(readingOf(addOnWith('hello', 1, unhealthy)), 0);
  const other = { ...unhealthy, cause: { ...unhealthy.cause, message: 'behind by 6 min' } };
  expect(history.add(readingOf(addOnWith('hello', 1, other)), 1).changes).toEqual([]);
});

test('an add-on that is gone is not reported, and a new one is', () => {
  const history = new CauseHistory();
  history.add(readingOf(addOnWith('old', 1, classOf('different manifest-conflict: c1'))), 0);
  const next = readingOf(addOnWith('new', 0, classOf('on the way hub-pending: c1')));
  expect(history.add(next, 1).changes.map(words)).toEqual([
    'new c1: as predicted -> on the way, hub-pending',
  ]);
});

test('the oldest time is that of the hub at first, and then that of the first reading with the state', () => {
  const history = new CauseHistory();
  const since = Date.parse(midnight);
  const now = since + 60 * minute;
  const oldest = (at: number, ...classes: readonly ReadClass[]): object =>
    Object.fromEntries(
      history.add(readingOf(addOnWith('hello', 0, ...classes)), at).oldest.get('hello') ?? [],
    );
  const first = classOf('different manifest-conflict: c1 c2', midnight);
  expect(oldest(now, first)).toEqual({ 'manifest-conflict': since });
  const later = [
    classOf('different manifest-conflict: c2', midnight),
    classOf('unhealthy degraded: c1', midnight),
  ];
  expect(oldest(now + minute, ...later)).toEqual({ 'manifest-conflict': since, degraded: now + minute });
  // Another cause within the state does not begin it anew.
  expect(oldest(now + 2 * minute, classOf('unhealthy lease-missing: c1'))).toEqual({
    'lease-missing': now + minute,
  });
});

test('a cause on the way is as old as its first reading', () => {
  const history = new CauseHistory();
  const oldest = (at: number, text: string): object =>
    Object.fromEntries(
      history.add(readingOf(addOnWith('hello', 0, classOf(text))), at).oldest.get('hello') ?? [],
    );
  oldest(0, 'on the way wave-not-reached: c1');
  expect(oldest(minute, 'on the way workload-starting: c1')).toEqual({ 'workload-starting': minute });
  expect(oldest(2 * minute, 'on the way workload-starting: c1')).toEqual({ 'workload-starting': minute });
});
