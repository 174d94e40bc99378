import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatGoDuration, parseGoDuration } from '../../../src/base/time/duration.ts';

const vectors = JSON.parse(
  readFileSync(new URL('../../conformance/go-durations.json', import.meta.url), 'utf8'),
) as [string, number | string][];

test(`reads ${vectors.length} texts as Go's time.ParseDuration, errors word by word`, () => {
  const read = vectors.map(([text]) => {
    const duration = parseGoDuration(text);
    return [text, duration instanceof Error ? duration.message : duration];
  });
  expect(read).toEqual(vectors);
});

test('returns milliseconds', () => {
  expect(parseGoDuration('1h30m')).toBe(5_400_000);
  expect(parseGoDuration('-1.5s')).toBe(-1500);
  expect(parseGoDuration('5 minutes')).toEqual(
    new Error('time: unknown unit " minutes" in duration "5 minutes"'),
  );
});

test.each([
  ['0', '0s'],
  ['5m', '5m0s'],
  ['90m', '1h30m0s'],
  ['24h', '24h0m0s'],
  ['90.5s', '1m30.5s'],
  ['1500ms', '1.5s'],
  ['-1h', '-1h0m0s'],
  ['100us', '100\u00b5s'],
  ['1.5ms', '1.5ms'],
  ['7ns', '7ns'],
])('%s is written by Go as %s', (text, written) => {
  const duration = parseGoDuration(text);
  expect(duration instanceof Error ? duration : formatGoDuration(duration)).toBe(written);
});
