import { expect, test } from 'vitest';
import type { TemplateCase } from '../charts/case.ts';
import { executeCase } from '../charts/execute.ts';
import { readRecording } from '../charts/recording.ts';

test('templates render, or fail, as in Go', () => {
  const recorded = readRecording<TemplateCase>('templates');
  const different = recorded
    .map(({ request, answer }) => ({ request, expected: answer, actual: executeCase(request) }))
    .filter(({ expected, actual }) => expected.output !== actual.output || expected.error !== actual.error);
  expect(different.slice(0, 5)).toEqual([]);
  expect(recorded.length).toBeGreaterThan(2500);
  expect(recorded.filter(({ answer }) => answer.error === undefined).length).toBeGreaterThan(1000);
});
