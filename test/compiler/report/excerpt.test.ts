import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerpt } from '../../../src/compiler/report/text/excerpt.ts';

const line = 'abcdefghijklmnopqrstuvwxyz';

test.each([
  [1, 'abcdefghi…', 0],
  [5, 'abcdefghi…', 4],
  [6, 'abcdefghi…', 5],
  [7, '…cdefghij…', 5],
  [20, '…pqrstuvw…', 5],
  [21, '…qrstuvwx…', 5],
  [22, '…rstuvwxyz', 5],
  [26, '…rstuvwxyz', 9],
  [27, '…rstuvwxyz', 10],
])('around column %i', (column, text, caret) => {
  expect(excerpt(line, column, 10)).toEqual({ text, caret });
});

test('short lines are complete, without trailing spaces', () => {
  expect(excerpt('  name: a   ', 3)).toEqual({ text: '  name: a', caret: 2 });
  expect(excerpt('', 1)).toEqual({ text: '', caret: 0 });
  expect(excerpt('abc', 9)).toEqual({ text: 'abc', caret: 3 });
});

test('tabs are shown, control characters are not obeyed', () => {
  expect(excerpt('\ta:\tb\u001b[31m\u0085', 2)).toEqual({ text: '→a:→b\ufffd[31m\ufffd', caret: 1 });
});

test('the caret is always below its character', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z]{1,300}$/),
      fc.nat(),
      fc.integer({ min: 10, max: 100 }),
      (text, offset, width) => {
        const index = offset % text.length;
        const { text: shown, caret } = excerpt(text, index + 1, width);
        expect(shown.length).toBeLessThanOrEqual(width);
        expect(shown[caret]).toBe(text[index]);
      },
    ),
  );
});
