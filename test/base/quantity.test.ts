import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  approximateFloat,
  asInteger,
  canonicalString,
  compareTo,
  fromInteger,
  parseQuantity,
  signOf,
  subtract,
} from '../../src/base/quantity.ts';
import type { Quantity } from '../../src/base/quantity.ts';

/** What k8s.io/apimachinery 0.35.4 answers for `a`, and for `a` with `b` where both are quantities. */
interface Vector {
  readonly a: string;
  readonly b: string;
  readonly error?: string;
  readonly is?: Described;
  readonly cmp?: number;
  readonly add?: Described;
  readonly sub?: Described;
}

interface Described {
  readonly string: string;
  readonly float: string;
  readonly sign: number;
  readonly int?: string;
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../conformance/quantity-vectors.json', import.meta.url), 'utf8'),
);

function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (parsed.error !== undefined) throw new Error(`${text}: ${parsed.error}`);
  return parsed.quantity;
}

const canonical = (text: string) => canonicalString(quantity(text));

function describeQuantity(value: Quantity) {
  const int = asInteger(value);
  return {
    string: canonicalString(value),
    float: approximateFloat(value),
    sign: signOf(value),
    ...(int !== undefined && { int: int.toString() }),
  };
}

const expected = (described: Described) => ({ ...described, float: Number(described.float) });

describe('a quantity', () => {
  it.each([
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['0.5', '500m'],
    ['1.500', '1.500'],
    ['1024Mi', '1Gi'],
    ['1000Mi', '1000Mi'],
    ['1.5Gi', '1536Mi'],
    ['15.5Gi', '15872Mi'],
    ['16777216Ki', '16Gi'],
    ['1000', '1k'],
    ['1e3', '1e3'],
    ['0500m', '0500m'],
    ['0.1Ki', '102400m'],
    ['100Ei', '9223372036854775807'],
    ['-0', '0'],
  ])('written %s is stored as %s', (written, stored) => {
    expect(canonical(written)).toBe(stored);
  });

  it('reports errors in the words of the API server', () => {
    expect(parseQuantity('').error).toBe(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
    expect(parseQuantity('1x').error).toBe(parseQuantity('').error);
    expect(parseQuantity('1KB').error).toBe(parseQuantity('').error);
    expect(parseQuantity('1K').error).toBe("unable to parse quantity's suffix");
    expect(parseQuantity('.e-10').error).toBe('unable to parse numeric part of quantity');
  });

  it('refuses numbers that would take gigabytes to write out', () => {
    expect(parseQuantity('1234567890123456789e2000000000').error).toBe(
      'unable to parse numeric part of quantity',
    );
  });

  it('is cut off at the largest int64 with a binary suffix only', () => {
    expect(asInteger(quantity('7Ei'))).toBeUndefined();
    expect(canonical('8Ei')).toBe(canonical('9Ei'));
    expect(canonical('9E')).not.toBe(canonical('10E'));
  });

  it('becomes a float by the reciprocal of its power of ten, as in Go', () => {
    expect(approximateFloat(quantity('15.5Gi'))).toBe(16_642_998_272.000_002);
    expect(approximateFloat(quantity('16642998272'))).toBe(16_642_998_272);
    expect(approximateFloat(quantity('1n'))).toBe(1.000_000_000_000_000_1e-9);
    expect(approximateFloat(quantity('1e400'))).toBe(Infinity);
  });
});

describe('apimachinery returns the same', () => {
  it('text, float, sign and integer for each of its answers', () => {
    const answers = vectors.map(({ a }) => {
      const parsed = parseQuantity(a);
      return parsed.error === undefined
        ? { a, is: describeQuantity(parsed.quantity) }
        : { a, error: parsed.error };
    });
    expect(answers).toEqual(
      vectors.map(({ a, is, error }) => (is === undefined ? { a, error } : { a, is: expected(is) })),
    );
  });

  it('order, sum and difference for each of its pairs', () => {
    const pairs = vectors.filter((vector) => vector.cmp !== undefined);
    const answers = pairs.map(({ a, b }) => {
      const [left, right] = [quantity(a), quantity(b)];
      return {
        a,
        b,
        cmp: compareTo(left, right),
        add: describeQuantity(add(left, right)),
        sub: describeQuantity(subtract(left, right)),
      };
    });
    expect(pairs.length).toBeGreaterThan(250);
    expect(answers).toEqual(
      pairs.map(({ a, b, cmp, ...answer }) => ({
        a,
        b,
        cmp,
        add: answer.add && expected(answer.add),
        sub: answer.sub && expected(answer.sub),
      })),
    );
  });
});

describe('quantities', () => {
  const written = fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
      fc.option(fc.nat(999_999), { nil: undefined }),
      fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e2', 'e-3'),
    )
    .map(
      ([sign, digits, fraction, suffix]) =>
        `${sign}${digits}${fraction === undefined ? '' : `.${fraction}`}${suffix}`,
    );
  const any = written.map(quantity);

  it('add in any order, and subtracting reverses an addition', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(compareTo(add(a, b), add(b, a))).toBe(0);
        expect(compareTo(subtract(add(a, b), b), a)).toBe(0);
      }),
    );
  });

  it('are ordered consistently with their differences', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(compareTo(a, b)).toBe(signOf(subtract(a, b)));
      }),
    );
  });

  it('mean the same number after being printed and read again', () => {
    fc.assert(
      fc.property(any, (value) => {
        // Go prints multiples of 10^21 without a suffix, because it has none.
        const [least, most] = [quantity('-1e21'), quantity('1e21')];
        fc.pre(compareTo(value, least) > 0 && compareTo(value, most) < 0);
        const printed = canonicalString(value);
        expect(compareTo(quantity(printed), value)).toBe(0);
        expect(canonical(printed)).toBe(printed);
      }),
    );
  });

  it('of integers are returned as these integers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(asInteger(fromInteger(value))).toBe(value);
      }),
    );
  });
});
