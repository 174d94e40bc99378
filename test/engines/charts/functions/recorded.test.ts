import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { unsupportedFunctions } from '../../../../src/engines/charts/functions/unsupported.ts';
import type { ChartCase } from '../case.ts';
import { functionNames } from '../function-cases.ts';
import { readRecording } from '../recording.ts';
import { renderCase } from '../render-chart.ts';

/** Helm renders functions that Fleetwright does not support, too. */
const recorded = readRecording<ChartCase>('functions').filter(
  ({ request }) => !((functionOf(request) ?? '') in unsupportedFunctions),
);

function functionOf({ chart }: ChartCase): string | undefined {
  return /^\{\{ \$r := (\w+)/.exec(chart.templates[1]?.text ?? '')?.[1];
}

test("functions return, or fail with, what Helm's engine does", () => {
  const different = recorded
    .map(({ request, answer }) => ({ request, expected: answer, actual: renderCase(request) }))
    .filter(({ expected, actual }) => !isDeepStrictEqual(actual, expected));
  expect(different.slice(0, 5)).toEqual([]);
});

test('every function that renders has recorded cases', () => {
  const called = new Set(recorded.map(({ request }) => functionOf(request)));
  expect(functionNames().filter((name) => !called.has(name))).toEqual([]);
});
