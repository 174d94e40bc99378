import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { ChartCase } from '../case.ts';
import { functionNames } from '../function-cases.ts';
import { readRecording } from '../recording.ts';
import { renderCase } from '../render-chart.ts';

const recorded = readRecording<ChartCase>('functions');

test("functions return, or fail with, what Helm's engine does", () => {
  const different = recorded
    .map(({ request, answer }) => ({ request, expected: answer, actual: renderCase(request) }))
    .filter(({ expected, actual }) => !isDeepStrictEqual(actual, expected));
  expect(different.slice(0, 5)).toEqual([]);
});

test('every function that renders has recorded cases', () => {
  const called = new Set(
    recorded.map(({ request }) => /^\{\{ \$r := (\w+)/.exec(request.chart.templates[1]?.text ?? '')?.[1]),
  );
  expect(functionNames().filter((name) => !called.has(name))).toEqual([]);
});
