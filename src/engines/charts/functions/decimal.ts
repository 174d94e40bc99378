import { FunctionError } from '../../gotemplate/index.ts';

/** A decimal number: `digits × 10^exponent`. As github.com/shopspring/decimal. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** The digits after the point that a division computes. */
const divisionPrecision = 16;

/** Returns the result of an operation on decimals, as a float64. */
export function decimalOperation(operator: '+' | '-' | '*' | '/', values: readonly number[]): number {
  const [first = 0, ...others] = values;
  const result = others.map(fromFloat).reduce((a, b) => apply(operator, a, b), fromFloat(first));
  return Number(`${String(result.digits)}e${String(result.exponent)}`);
}

function fromFloat(value: number): Decimal {
  if (!Number.isFinite(value))
    throw new FunctionError(
      `Cannot create a Decimal from ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`,
    );
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const fraction = mantissa.split('.')[1] ?? '';
  return { digits: BigInt(mantissa.replace('.', '')), exponent: Number(exponent) - fraction.length };
}

function apply(operator: '+' | '-' | '*' | '/', a: Decimal, b: Decimal): Decimal {
  if (operator === '*') return { digits: a.digits * b.digits, exponent: a.exponent + b.exponent };
  if (operator === '/') return divided(a, b);
  const exponent = Math.min(a.exponent, b.exponent);
  const [x, y] = [scaled(a, exponent), scaled(b, exponent)];
  return { digits: operator === '+' ? x + y : x - y, exponent };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}

/** Rounds half away from zero. */
function divided(a: Decimal, b: Decimal): Decimal {
  if (b.digits === 0n) throw new FunctionError('decimal division by 0');
  const shift = a.exponent - b.exponent + divisionPrecision;
  const top = shift >= 0 ? a.digits * 10n ** BigInt(shift) : a.digits;
  const bottom = shift >= 0 ? b.digits : b.digits * 10n ** BigInt(-shift);
  const quotient = top / bottom;
  const rest = top % bottom;
  const isHalf = abs(rest) * 2n >= abs(bottom);
  const isNegative = top < 0n !== bottom < 0n;
  const digits = isHalf ? quotient + (isNegative ? -1n : 1n) : quotient;
  return { digits, exponent: -divisionPrecision };
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
