import { expect, test } from 'vitest';
import { goQuote } from '../../../src/base/go/quote.ts';

// the right-hand sides are what fmt.Sprintf("%q", …) gives
test.each([
  ['plain text', '"plain text"'],
  ['say "hi" \\ bye', '"say \\"hi\\" \\\\ bye"'],
  ['a\tb\nc\rd', '"a\\tb\\nc\\rd"'],
  ['\u0007\b\f\v', '"\\a\\b\\f\\v"'],
  ['\u0000\u001b\u007f', '"\\x00\\x1b\\x7f"'],
  ['straße 日本 🚀', '"straße 日本 🚀"'],
  ['\u00a0\u200b\u2028', '"\\u00a0\\u200b\\u2028"'],
  ['\u{e0001}', '"\\U000e0001"'],
])('%j is quoted as %s', (text, quoted) => {
  expect(goQuote(text)).toBe(quoted);
});
