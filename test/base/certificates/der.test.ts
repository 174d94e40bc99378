import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DerReader,
  MalformedDer,
  readBoolean,
  readObjectIdentifier,
  readOctetAlignedBits,
} from '../../../src/base/certificates/der-reader.ts';
import {
  element,
  namedBits,
  objectIdentifier,
  octetString,
  setOf,
  time,
  unsignedInteger,
} from '../../../src/base/certificates/der-writer.ts';

const hex = (text: string): DerReader => new DerReader(Buffer.from(text, 'hex'));

test('an element of any length is read as it was written', () => {
  fc.assert(
    fc.property(fc.constantFrom(0, 1, 127, 128, 255, 256, 65_535, 65_536), (length) => {
      const content = Buffer.alloc(length, 1);
      const reader = new DerReader(octetString(content));
      expect(reader.read(0x04).equals(content)).toBe(true);
      reader.end();
    }),
  );
});

test('an object identifier is read as it was written', () => {
  const rest = fc.array(fc.nat(2 ** 40));
  const top = fc.oneof(fc.tuple(fc.constantFrom(0, 1), fc.nat(39)), fc.tuple(fc.constant(2), fc.nat(1000)));
  fc.assert(
    fc.property(top, rest, (first, others) => {
      const dotted = [...first, ...others].join('.');
      expect(readObjectIdentifier(new DerReader(objectIdentifier(dotted)))).toBe(dotted);
    }),
  );
});

describe('is refused', () => {
  test.each([
    ['an object identifier without arcs', '0600', 'an object identifier is not complete'],
    ['one that ends within an arc', '060188', 'an object identifier is not complete'],
    ['one with an arc that is too long', '06022a8001', undefined],
    ['an arc with leading zeros', '06032a8001', 'an object identifier is not in its shortest form'],
    ['an enormous arc', '060a2affffffffffffffff7f', 'an object identifier is too large'],
  ])('%s', (_, bytes, message) => {
    expect(() => readObjectIdentifier(hex(bytes))).toThrow(
      message === undefined ? MalformedDer : new MalformedDer(message),
    );
  });

  test.each(['010101', '01020000', '0100'])('the boolean %s', (bytes) => {
    expect(() => readBoolean(hex(bytes))).toThrow('a boolean is neither true nor false');
  });

  test.each(['030107', '0300'])('the bits %s in place of octets', (bytes) => {
    expect(() => readOctetAlignedBits(hex(bytes))).toThrow('a bit string does not fill its last octet');
  });
});

test('numbers, bits, sets and times are encoded as DER requires', () => {
  const written = (bytes: Buffer): string => bytes.toString('hex');
  expect(written(unsignedInteger(Buffer.from([0, 0])))).toBe('020100');
  expect(written(unsignedInteger(Buffer.from([0, 0x7f])))).toBe('02017f');
  expect(written(unsignedInteger(Buffer.from([0x80])))).toBe('02020080');
  expect(written(namedBits([0, 2]))).toBe('030205a0');
  expect(written(namedBits([0, 8]))).toBe('0303078080');
  expect(written(setOf([element(4, Buffer.from([2])), element(4, Buffer.from([1]))]))).toBe(
    '3106040101040102',
  );
  expect(time(Date.parse('2049-12-31T23:59:59.999Z')).subarray(2).toString()).toBe('491231235959Z');
  expect(time(Date.parse('2050-01-01T00:00:00Z')).subarray(2).toString()).toBe('20500101000000Z');
});
