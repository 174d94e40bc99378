import { expect, test } from 'vitest';
import { cel } from '../../constructs/index.ts';

test('a value in a CEL expression becomes a literal', () => {
  expect(cel`a == ${'it\'s "x"\n'} && b == ${3} && c == ${true} && d == ${null} && e == ${12n}`).toBe(
    String.raw`a == "it's \"x\"\n" && b == 3 && c == true && d == null && e == 12`,
  );
});

test('a list in a CEL expression becomes a list of literals', () => {
  expect(cel`x in ${['a', 1, [false]]}`).toBe('x in ["a", 1, [false]]');
});

test('the text of a CEL expression keeps its backslashes', () => {
  expect(cel`name.matches(r'^\d+$')`).toBe(String.raw`name.matches(r'^\d+$')`);
});

test('a name in backquotes is valid in a CEL expression', () => {
  expect(cel`managedCluster.metadata.labels.\`a-b\` == 'x'`).toBe(
    "managedCluster.metadata.labels.`a-b` == 'x'",
  );
});

test('a number that CEL cannot write is refused', () => {
  expect(() => cel`x < ${Number.POSITIVE_INFINITY}`).toThrow(new Error('CEL has no literal for Infinity'));
});
