import { describe, expect, test } from 'vitest';
import { shortenedSides, valueDiff } from '../../../src/compiler/report/value-diff.ts';

const shown = (before: unknown, after: unknown): string[] =>
  valueDiff({ before, after }).map(({ sign, text }) => sign + text);

describe('a difference', () => {
  test('of short values is both of them', () => {
    expect(shown('info', 'debug')).toEqual(['-"info"', '+"debug"']);
    expect(shown(undefined, [1n, 'a'])).toEqual(['+["1","a"]']);
    expect(shown(false, undefined)).toEqual(['-false']);
  });

  test('of texts is shown by lines, with two equal ones around it', () => {
    const script = 'a\nb\nc\nd\ne\nf\ng\n';
    expect(shown(script, script.replace('d', 'D\nDD'))).toEqual([
      ' …',
      ' b',
      ' c',
      '-d',
      '+D',
      '+DD',
      ' e',
      ' f',
      ' …',
    ]);
    expect(shown('a\n', 'a')).toEqual([' a', '-']);
  });

  test('of texts is the shortest, and omits equal parts between two edits', () => {
    const lines = Array.from({ length: 12 }, (_, line) => `line ${line}`);
    const edited = lines.map((line, index) => (index === 1 || index === 10 ? `${line}!` : line));
    expect(shown(lines.join('\n'), edited.join('\n'))).toEqual([
      ' line 0',
      '-line 1',
      '+line 1!',
      ' line 2',
      ' line 3',
      ' …',
      ' line 8',
      ' line 9',
      '-line 10',
      '+line 10!',
      ' line 11',
    ]);
  });

  test('of lines shows tabs, and line breaks of other systems', () => {
    expect(shown('a\tb\nc', 'a\tb\r\nc')).toEqual(['-a→b', '+a→b\\r', ' c']);
  });

  test('of structures is YAML', () => {
    const tolerations = [{ key: 'infra', operator: 'Exists' }];
    expect(shown(undefined, { nodeSelector: { infra: '' }, tolerations })).toEqual([
      '+nodeSelector:',
      '+  infra: ""',
      '+tolerations:',
      '+- key: infra',
      '+  operator: Exists',
    ]);
    expect(shown('none', { tolerations })).toEqual([
      '-"none"',
      '+tolerations:',
      '+- key: infra',
      '+  operator: Exists',
    ]);
    expect(shown({}, [])).toEqual(['-{}', '+[]']);
  });

  test('of secrets shows that they are', () => {
    const diff = valueDiff({ before: '(secret)', after: '(secret, changed)', secret: true });
    expect(diff).toEqual([
      { sign: '-', text: '(secret)' },
      { sign: '+', text: '(secret, changed)' },
    ]);
  });

  test('of repeated equal lines uses none of them twice', () => {
    expect(shown('a\na\na', 'a\na')).toEqual([' a', ' a', '-a']);
  });

  test('of many or long lines is cut', () => {
    const lines = Array.from({ length: 1000 }, (_, line) => `${line}`.padEnd(1000, '.')).join('\n');
    const diff = shown('x\ny', lines);
    expect(diff).toHaveLength(2 + 61);
    expect(diff.at(-1)).toBe('+… and 940 more lines');
    expect(Math.max(...diff.map(({ length }) => length))).toBe(301);
  });
});

describe('two values on one line each', () => {
  test('are complete if they fit', () => {
    expect(shortenedSides([1], [2], 3)).toEqual({ gone: '[1]', there: '[2]' });
  });

  test('show the different parts, not the equal ones', () => {
    const long = 'registry.example.com/a/very/long/path/'.repeat(4);
    expect(shortenedSides(`${long}agent:v1`, `${long}agent:v2`, 80)).toEqual({
      gone: '…very/long/path/agent:v1"'.replace('very/long', 'ry/long'),
      there: '…ry/long/path/agent:v2"',
    });
    const { gone, there } = shortenedSides(`a${long}`, `b${long}`, 80);
    expect([gone?.slice(0, 10), gone?.length, there?.slice(0, 10)]).toEqual(['"aregistry', 80, '"bregistry']);
  });

  test('are never cut through the middle of a character', () => {
    const { gone, there } = shortenedSides('😀'.repeat(60), `${'😀'.repeat(59)}😁`, 40);
    for (const text of [gone, there]) expect(text).toMatch(/^…[^\uDC00-\uDFFF]/u);
    expect(Buffer.from(gone ?? '').toString()).toBe(gone);
    expect(Buffer.from(there ?? '').toString()).toBe(there);
  });
});
