import { describe, expect, test } from 'vitest';
import { isOpen, nextOpening, timeWords } from '../../src/promotion/decide/time-window.ts';

const at = (text: string): number => Date.parse(text);
const opening = (...parameters: Parameters<typeof nextOpening>): string | undefined => {
  const time = nextOpening(...parameters);
  return time === undefined ? undefined : new Date(time).toISOString();
};

const berlin = {
  timeZone: 'Europe/Berlin',
  open: [{ days: ['Mon', 'Fri'], from: '09:00', to: '16:30' }],
} as const;

describe('a time window', () => {
  test('opens and closes by the clock of its time zone, in summer and in winter', () => {
    expect(isOpen(berlin, at('2026-06-01T06:59:59Z'))).toBe(false);
    expect(isOpen(berlin, at('2026-06-01T07:00:00Z'))).toBe(true);
    expect(isOpen(berlin, at('2026-06-01T14:30:00Z'))).toBe(false);
    expect(isOpen(berlin, at('2026-11-30T07:30:00Z'))).toBe(false);
    expect(isOpen(berlin, at('2026-11-30T08:00:00Z'))).toBe(true);
    expect(isOpen(berlin, at('2026-06-02T08:00:00Z'))).toBe(false);
  });

  test('names its next opening', () => {
    expect(opening(berlin, at('2026-06-01T05:00:00Z'))).toBe('2026-06-01T07:00:00.000Z');
    expect(opening(berlin, at('2026-06-01T15:00:00Z'))).toBe('2026-06-05T07:00:00.000Z');
    // The offset changes between Friday and Monday.
    expect(opening(berlin, at('2026-10-23T15:00:00Z'))).toBe('2026-10-26T08:00:00.000Z');
  });

  test('stays closed on days of the calendar, including the last one', () => {
    const closed = { ...berlin, closed: ['2026-12-25', '2026-12-28/2027-01-01'] };
    expect(opening(closed, at('2026-12-24T12:00:00Z'))).toBe('2027-01-04T08:00:00.000Z');
    expect(isOpen({ closed: ['2026-12-25'] }, at('2026-12-25T23:59:00Z'))).toBe(false);
    expect(isOpen({ closed: ['2026-12-25'] }, at('2026-12-26T00:00:00Z'))).toBe(true);
  });

  test('opens an hour later if the clock skips its beginning, and once if the clock repeats it', () => {
    const early = { timeZone: 'Europe/Berlin', open: [{ from: '02:30', to: '24:00' }] };
    expect(opening(early, at('2026-03-28T23:30:00Z'))).toBe('2026-03-29T01:30:00.000Z');
    expect(opening(early, at('2026-10-24T22:30:00Z'))).toBe('2026-10-25T00:30:00.000Z');
  });

  test('never opens if all of its days are closed', () => {
    expect(opening({ closed: ['2026-01-01/2036-01-01'] }, at('2026-06-01T00:00:00Z'))).toBe(undefined);
  });

  test('is the time zone of reports', () => {
    const now = at('2026-06-01T12:00:00Z');
    expect(timeWords(at('2026-06-01T12:05:00Z'), now, undefined)).toBe('12:05 UTC');
    expect(timeWords(at('2026-06-01T22:05:00Z'), now, berlin)).toBe('2026-06-02 00:05 Europe/Berlin');
  });
});
