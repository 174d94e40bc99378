import { describe, expect, test } from 'vitest';
import { cel026, cel029 } from '../../../src/engines/cel/behaviour.ts';
import { compileSelector } from '../../../src/compiler/place/cel/selector.ts';

/** What is wrong with an expression, without the lines that show it; `compiles` where nothing is. */
function errorOf(expression: string): string {
  const { error, unsupported } = compileSelector(expression);
  const text = error ?? unsupported ?? 'compiles';
  return text
    .split('\n')
    .filter((line) => !line.startsWith(' | '))
    .join('\n');
}

test('an error shows its line and its column, as the hub does', () => {
  const { error } = compileSelector('managedCluster.spec.hubAcceptsClient &&\n  cluster == "é" + 1');
  expect(error).toMatchInlineSnapshot(`
    "compilation failed: ERROR: <input>:2:3: undeclared reference to 'cluster' (in container '')
     |   cluster == "é" + 1
     | ..^
    ERROR: <input>:2:18: found no matching overload for '_+_' applied to '(string, int)'
     |   cluster == "é" + 1
     | ..............．..^"
  `);
});

test.each([
  ['an empty expression', ''],
  ['a missing operand', '1 +'],
  ['a missing parenthesis', 'size(managedCluster.spec.taints'],
  ['a missing quote', '"prod'],
  ['an assignment', 'a = b'],
  ['two expressions', 'true false'],
  ['a wrong escape', '"\\q" == "q"'],
  ['a number that is too large', '9223372036854775808 > 0'],
  ['a reserved word', 'if'],
])('of syntax: %s', (_what, expression) => {
  expect(errorOf(expression)).toMatchSnapshot();
});

test.each([
  ['an unknown name', 'cluster.name == "a"'],
  ['an unknown function', 'managedCluster.metadata.name.length() > 3'],
  ['numbers of different types', '1 < 2.0'],
  ['equality of different types', '1 == 1.0'],
  ['a member function called as a global one', 'lowerAscii("A") == "a"'],
  ['a global function called as a member', '"a".size(1) == 1'],
  ['a macro that is not there', '[1].existsOne(x, x == 1)'],
  ['a macro with too few operands', '[1].all(x, true, false)'],
  ['has() of what is no field', 'has(managedCluster)'],
  ['a loop variable that is no name', '[1].all(x.y, true)'],
  ['math', 'math.greatest(1, 2) == 2'],
  ['sets', 'sets.contains([1], [1])'],
  ['base64', 'base64.encode(b"a") == "YQ=="'],
  ['bindings', 'cel.bind(x, 1, x == 1)'],
  ['a format with too few values', '"%s %s".format(["a"])'],
  ['a format of the wrong type', '"%d".format(["a"])'],
])('of types: %s', (_what, expression) => {
  expect(errorOf(expression)).toMatchSnapshot();
});

describe('compiles', () => {
  test.each([
    ['what is no boolean', '"prod"'],
    ['numbers of different types by dyn', 'dyn(1) < 2.0'],
    ['numbers of different types after a loop', '[1].all(x, x > 0) && 1 < 2.0'],
    ['a comparison with a field', 'managedCluster.spec.leaseDurationSeconds < 60.5'],
    ['elements of different types', '[1, "a"].size() == 2'],
    ['a comma at the end', '[1, 2,].size() == 2'],
    ['a comment', 'true // because'],
  ])('%s', (_what, expression) => {
    expect(errorOf(expression)).toBe('compiles');
  });
});

describe('limits', () => {
  const nested = (levels: number) => `${'('.repeat(levels)}true${')'.repeat(levels)}`;
  const long = (length: number) => `"${'é'.repeat(length - 8)}" != ""`;

  test('100,000 code points are the longest', () => {
    expect(errorOf(long(100_000))).toBe('compiles');
    expect(errorOf(long(100_001))).toMatchInlineSnapshot(
      `"compilation failed: ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000"`,
    );
  });
  test('expressions nest to a depth of 250', () => {
    expect(errorOf(nested(249))).toBe('compiles');
    expect(errorOf(nested(250))).toMatchInlineSnapshot(
      `"compilation failed: ERROR: <input>:-1:0: expression recursion limit exceeded: 250"`,
    );
  });
});

test('a constant pattern must be a regular expression when it is compiled, not when it is matched', () => {
  expect(errorOf('"a".find("[") == ""')).toMatchInlineSnapshot(
    `"instantiation failed: error parsing regexp: missing closing ]: \`[\`"`,
  );
  expect(errorOf('"a".matches("[")')).toBe('compiles');
});

test('messages of Protocol Buffers are left open', () => {
  expect(errorOf('google.protobuf.Int64Value{value: 1} == 1')).toMatchInlineSnapshot(
    `"it names google.protobuf.Int64Value: it is unknown which Protocol Buffers messages a hub supports"`,
  );
});

describe('hubs differ', () => {
  const compiles = (expression: string) =>
    [cel026, undefined, cel029].map(
      (behaviour) => compileSelector(expression, behaviour).program !== undefined,
    );

  test('in names in backticks', () => {
    expect(compiles('managedCluster.metadata.labels.`a-b` == ""')).toEqual([false, true, true]);
  });
  test('in durations of numbers', () => {
    expect(compiles('duration(1) == duration("1s")')).toEqual([true, true, false]);
  });
  test('in the precision of formats', () => {
    expect(compiles('"%.101f".format([1.0]) != ""')).toEqual([true, false, false]);
  });
});
