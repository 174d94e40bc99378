import { expect, test } from 'vitest';
import { decodeText } from '../../../src/compiler/load/decode-text.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

test('UTF-8 is decoded, without its byte order mark', () => {
  expect(decodeText('a.yaml', utf8('a: ü€😀\n'))).toEqual({ value: 'a: ü€😀\n', diagnostics: [] });
  expect(decodeText('a.yaml', utf8('\ufeffa: b\n')).value).toBe('a: b\n');
  expect(decodeText('a.yaml', new Uint8Array()).value).toBe('');
});

test.each([
  ['a byte of Latin-1', [...utf8('a: ü\nb: '), 0xeb, 0x0a], 2, 4],
  ['a character cut off at the end', [...utf8('a: '), 0xe2, 0x82], 1, 4],
  ['half a character as UTF-8', [...utf8('a: ok\n\n'), 0xed, 0xa0, 0x80], 3, 1],
  ['an overlong form', [...utf8('é '), 0xc0, 0x80], 1, 3],
])('%s is rejected at its location', (_, bytes, line, column) => {
  const { value, diagnostics } = decodeText('a.yaml', Uint8Array.from(bytes));
  expect(value).toBeUndefined();
  expect(diagnostics).toEqual([
    {
      code: 'FW1013',
      severity: 'error',
      message: 'the text is not UTF-8 from here on',
      location: { file: 'a.yaml', line, column },
      hint: 'save the file as UTF-8',
    },
  ]);
});

test.each([
  ['UTF-16', [0xff, 0xfe, 0x61, 0x00]],
  ['UTF-16', [0xfe, 0xff, 0x00, 0x61]],
  ['UTF-32', [0xff, 0xfe, 0x00, 0x00, 0x61, 0x00, 0x00, 0x00]],
  ['UTF-32', [0x00, 0x00, 0xfe, 0xff, 0x00, 0x00, 0x00, 0x61]],
  ['UTF-16', [...Buffer.from('a: ü€😀\n', 'utf16le')]],
  ['UTF-16', [...Buffer.from('a: ü€😀\n', 'utf16le').swap16()]],
  ['UTF-32', [0x61, 0x00, 0x00, 0x00, 0x3a, 0x00, 0x00, 0x00]],
  ['UTF-32', [0x00, 0x00, 0x00, 0x61, 0x00, 0x00, 0x00, 0x3a]],
])('%s is named, with and without a byte order mark', (encoding, bytes) => {
  expect(decodeText('a.yaml', Uint8Array.from(bytes))).toEqual({
    value: undefined,
    diagnostics: [
      {
        code: 'FW1013',
        severity: 'error',
        message: `the file is in ${encoding}`,
        location: { file: 'a.yaml', line: 1, column: 1 },
        hint: 'save the file as UTF-8',
      },
    ],
  });
});

test('a control character in UTF-8 is left to the reader of the text', () => {
  expect(decodeText('a.yaml', utf8('ab: \u0000\n')).value).toBe('ab: \u0000\n');
  expect(decodeText('a.yaml', utf8('\u0000')).value).toBe('\u0000');
});
