import { expect, test } from 'vitest';
import { moment, normalizeTime, parseTime } from '../../src/base/time/rfc3339.ts';

// what Go's time.Parse(time.RFC3339, …) takes, printed in UTC
test.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z'],
  ['2026-01-31T12:00:00.999999999Z', '2026-01-31T12:00:00Z'],
  ['2026-01-31T9:00:00,5Z', '2026-01-31T09:00:00Z'],
  ['2026-01-31T23:30:00-02:00', '2026-02-01T01:30:00Z'],
  ['2024-02-29T00:00:00+00:30', '2024-02-28T23:30:00Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
])('%s is %s', (text, normal) => {
  expect(normalizeTime(text)).toBe(normal);
});

test.each([
  '2026-01-31',
  '2026-01-31 12:00:00Z',
  '2026-01-31T12:00:00',
  '2026-01-31t12:00:00z',
  '2026-02-29T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T12:00:60Z',
  '2026-01-31T12:00:00+25:00',
])('%s is not a time for Go', (text) => {
  expect(normalizeTime(text)).toBeUndefined();
  expect(moment(text)).toBeUndefined();
});

test('the zone and the fraction are separate from the moment', () => {
  expect(parseTime('2026-01-31T12:00:00.25-01:30')).toEqual({
    seconds: Date.UTC(2026, 0, 31, 13, 30) / 1000,
    nanoseconds: 250_000_000,
    secondsEastOfUtc: -5400,
  });
});
