import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseGoDuration } from '../../compiler/rollout/go-duration.ts';

const vectors = JSON.parse(
  readFileSync(new URL('../conformance/go-durations.json', import.meta.url), 'utf8'),
) as [string, number | string][];

test(`reads ${vectors.length} texts as Go's time.ParseDuration, errors word by word`, () => {
  const read = vectors.map(([text]) => {
    const duration = parseGoDuration(text);
    return [text, duration instanceof Error ? duration.message : duration];
  });
  expect(read).toEqual(vectors);
});

test('gives milliseconds', () => {
  expect(parseGoDuration('1h30m')).toBe(5_400_000);
  expect(parseGoDuration('-1.5s')).toBe(-1500);
  expect(parseGoDuration('5 minutes')).toEqual(
    new Error('time: unknown unit " minutes" in duration "5 minutes"'),
  );
});
