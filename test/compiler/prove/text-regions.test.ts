import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matches } from '../../../src/engines/cel/values/regular-expression.ts';
import { compareVersions, parseVersion } from '../../../src/engines/cel/values/semantic-version.ts';
import { Automaton } from '../../../src/compiler/prove/automaton.ts';
import { parsePattern, type TextPattern } from '../../../src/compiler/prove/text-pattern.ts';
import { labelValueSyntax, textRegions } from '../../../src/compiler/prove/text-regions.ts';
import { anyVersion, comparisonsWith } from '../../../src/compiler/prove/version-patterns.ts';

function isFound(pattern: TextPattern, text: string): boolean {
  const automaton = new Automaton(pattern);
  let states = automaton.start();
  for (const character of text) states = automaton.next(states, character.codePointAt(0) ?? 0);
  return automaton.accepts(states, text === '');
}

const piece = fc.constantFrom(
  'a',
  'b',
  '.',
  '^',
  '$',
  '\\d',
  '\\w',
  '\\W',
  '\\.',
  '[ab]',
  '[^a]',
  '[a-c0-9]',
  '[]a]',
  '[-b]',
  '[\\d.]',
  '-',
  '\\n',
);
const { source } = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    piece,
    fc.tuple(tie('source'), tie('source')).map((parts) => parts.join('')),
    fc.tuple(tie('source'), tie('source')).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie('source'), fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,2}', '*?'))
      .map(([a, b]) => `(?:${a})${b}`),
  ),
}));
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '0', '.', '-', '\n', 'é', '_'), maxLength: 6 });

describe('patterns', () => {
  test('are found as by RE2', () => {
    fc.assert(
      fc.property(source, text, (pattern, each) => {
        const parsed = parsePattern(pattern);
        const found = matches(each, pattern);
        expect(parsed === undefined ? found : isFound(parsed, each)).toBe(found);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    '(?i)a',
    '\\bword',
    '\\pL',
    '[[:alpha:]]',
    '\\Qa\\E',
    'a**',
    'a{2}{3}',
    '(',
    '[a',
    'a{1001}',
    '[b-a]',
    '*a',
    '\\8',
  ])('with more than the subset are not parsed: %s', (pattern) => {
    expect(parsePattern(pattern)).toBeUndefined();
  });

  test.each(['a{', '{', 'a{,2}', 'a{x}', ']', '}'])(
    'have literal braces and brackets as RE2 has: %s',
    (pattern) => {
      const parsed = parsePattern(pattern);
      expect(parsed !== undefined && isFound(parsed, pattern)).toBe(true);
    },
  );
});

const number = fc.constantFrom(
  '0',
  '1',
  '2',
  '9',
  '10',
  '19',
  '20',
  '99',
  '100',
  '18446744073709551615',
  '18446744073709551616',
  '01',
);
const part = fc.constantFrom('0', '1', '2', '10', 'a', 'b', 'alpha', 'rc', '-', '1a', 'A', '01', 'x-y');
const version = fc
  .tuple(
    fc.tuple(number, number, number),
    fc.array(part, { maxLength: 3 }),
    fc.constantFrom('', '+k3s1', '+a.b', '+'),
  )
  .map(
    ([core, parts, build]) => `${core.join('.')}${parts.length === 0 ? '' : `-${parts.join('.')}`}${build}`,
  );

describe('patterns of versions', () => {
  test('accept versions', () => {
    fc.assert(
      fc.property(fc.oneof(version, text), (each) => {
        expect(isFound(anyVersion, each)).toBe(typeof parseVersion(each) !== 'string');
      }),
      { numRuns: 3000 },
    );
  });

  test('compare versions as the hub does', () => {
    fc.assert(
      fc.property(version, version, (one, other) => {
        const [a, b] = [parseVersion(one), parseVersion(other)];
        if (typeof a === 'string' || typeof b === 'string') return;
        const patterns = comparisonsWith(other);
        const answers = [...patterns.values()].map((pattern) => isFound(pattern, one));
        expect(answers).toEqual([compareVersions(a, b) < 0, compareVersions(a, b) === 0]);
      }),
      { numRuns: 3000 },
    );
  });

  test('say nothing about a text that is no version', () => {
    expect(comparisonsWith('v1.30')).toEqual(new Map());
  });
});

describe('regions', () => {
  const pattern = (each: string): TextPattern => {
    const parsed = parsePattern(each);
    if (parsed === undefined) throw new Error(`no pattern: ${each}`);
    return parsed;
  };

  test('have one label value for each combination of answers', () => {
    const patterns = ['^prod-', '-eu$'].map(pattern);
    const regions = textRegions(
      { literals: new Set(['prod-x-eu', 'not a label']), patterns },
      labelValueSyntax,
    );
    expect(regions?.texts).toMatchInlineSnapshot(`
      [
        "prod-x-eu",
        "x",
        "x-eu",
        "prod-x",
        "prod-eu",
      ]
    `);
    expect(
      ['prod-x-eu', 'prod-us', 'stage-eu', 'prod-2-eu', 'dev', 'a b'].map((each) => regions?.regionOf(each)),
    ).toMatchInlineSnapshot(`
      [
        0,
        3,
        2,
        4,
        1,
        1,
      ]
    `);
  });

  test('do not contain what is too long', () => {
    const patterns = [pattern('^a{64}$')];
    expect(textRegions({ literals: new Set(), patterns }, labelValueSyntax)?.texts).toEqual(['x']);
  });

  test('are unknown if there are too many combinations', () => {
    const patterns = Array.from({ length: 16 }, (_, index) =>
      pattern(`[a-p]{${index}}${String.fromCharCode(97 + index)}`),
    );
    expect(textRegions({ literals: new Set(), patterns }, labelValueSyntax)).toBeUndefined();
  });
});
