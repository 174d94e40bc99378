import { expect, test } from 'vitest';
import { SchemaCheck } from '../src/compiler/admit/schema/schema-check.ts';
import { undecodable } from '../src/compiler/admit/schema/undecodable.ts';
import { toDouble } from '../src/engines/cel/values/conversion.ts';
import { matches } from '../src/engines/cel/values/regular-expression.ts';
import { tagsIn } from '../src/compiler/check/templates/variable-in-value.ts';
import { literalBlock } from '../src/compiler/emit/yaml-scalar.ts';
import { groupLength } from '../src/compiler/place/decision-groups.ts';

// Regular expressions of JavaScript go back. Texts of others must not make them go back again and again: each of these took
// minutes.

const megabyte = 1_000_000;
const duration = {
  type: 'object',
  properties: { minSuccessTime: { type: 'string' } },
} as const;

test.each([
  ['a duration', () => undecodable({ minSuccessTime: `${'11m'.repeat(1000)}x` }, duration)],
  ['a duration of one number', () => undecodable({ minSuccessTime: '1'.repeat(megabyte) }, duration)],
  ['a number', () => toDouble(`${'1'.repeat(megabyte)}x`)],
  ['a hexadecimal number', () => toDouble(`0x${'1'.repeat(megabyte)}`)],
  ['a percentage', () => groupLength(`${'1'.repeat(megabyte)}x%`, 10)],
  ['braces in a value', () => tagsIn('{{'.repeat(megabyte))],
  ['braces in lines', () => tagsIn(`${'{{\n'.repeat(100_000)}}}`)],
  ['line breaks', () => literalBlock(`a${'\n'.repeat(megabyte)}b`)],
  [
    'a text with a pattern',
    () => {
      const pattern = '^(deployments|pods):.+:.+$';
      new SchemaCheck({ type: 'string', pattern }).run(`pods${':'.repeat(megabyte)}\nx`, [], []);
    },
  ],
  // Each backtracks exponentially in JavaScript.
  ['repetitions of repetitions in CEL', () => matches(`${'a'.repeat(100_000)}!`, '^(a+)+$')],
  ['alternatives of the same in CEL', () => matches(`${'a'.repeat(100_000)}!`, '^(a|a|aa)*$')],
  ['optional parts in CEL', () => matches('a'.repeat(30), `^${'a?'.repeat(30)}${'a'.repeat(31)}$`)],
  ['any text again and again in CEL', () => matches('a'.repeat(50_000), '^(.*,){11}P')],
  [
    'a pattern of CEL that repeats a thousand times a thousand',
    () => matches('a', '((a{1000}){1000}){1000}'),
  ],
  ['brackets in a pattern of CEL', () => matches('a', `(?P<a>a)(?P<a>b)${'[[:'.repeat(2000)}`)],
])('%s of a million characters takes no time worth mentioning', (_, run) => {
  const started = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(started);
  // In microseconds.
  expect(user + system).toBeLessThan(5_000_000);
});

test('text between braces is found unchanged', () => {
  const byExpression = (text: string): readonly string[] =>
    [...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, tag = '']) => tag);
  for (const text of [
    '{{a}}',
    '{{{{a}}',
    '{{a\n}}{{b}}',
    'a{{}}b}}',
    '{{a}}{{b',
    '{{a}\n}}{{c}}{{d}}\n{{e\n{{f}}',
  ])
    expect(tagsIn(text)).toEqual(byExpression(text));
});
