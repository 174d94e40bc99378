/** Returns the shortest decimal that parses to the same double, never with an exponent: Go's `FormatFloat(value, 'f', -1)`. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const { digits, exponent } = shortest(Math.abs(value));
  if (exponent >= digits.length) return `${sign}${digits.padEnd(exponent, '0')}`;
  if (exponent > 0) return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
  return `${sign}0.${'0'.repeat(-exponent)}${digits}`;
}

/** Go's `%g`: with an exponent below 1e-4 and from a million on. */
export function formatGeneral(value: number): string {
  const magnitude = Math.abs(value);
  if (!Number.isFinite(value) || value === 0) return formatDouble(value);
  const { digits, exponent } = shortest(magnitude);
  if (exponent - 1 >= -4 && exponent - 1 < 6) return formatDouble(value);
  return (value < 0 ? '-' : '') + scientific(digits, exponent - 1);
}

/** Returns the digits of a double, and the position of its decimal point: `0.digits × 10^exponent`. */
export function shortest(value: number): { digits: string; exponent: number } {
  if (value === 0) return { digits: '0', exponent: 1 };
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  return { digits: mantissa.replace('.', ''), exponent: Number(exponent) + 1 };
}

function scientific(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits.slice(0, 1)}${fraction}e${exponent < 0 ? '-' : '+'}${power}`;
}

/** Go's `%.nf`, rounded half to even from the exact value of the double. */
export function formatFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return formatDouble(value).replace('Inf', 'Infinity').replace('+', '');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const digits = String(roundedAt(Math.abs(value), precision)).padStart(precision + 1, '0');
  const whole = digits.slice(0, digits.length - precision);
  return precision === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-precision)}`;
}

/** Go's `%1.ne`. */
export function formatScientific(value: number, precision: number): string {
  if (!Number.isFinite(value)) return formatFixed(value, precision);
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const magnitude = Math.abs(value);
  let exponent = magnitude === 0 ? 0 : shortest(magnitude).exponent - 1;
  let digits = String(roundedAt(magnitude, precision - exponent));
  // rounding up can reach the next power of ten
  if (digits.length > precision + 1) {
    exponent += 1;
    digits = String(roundedAt(magnitude, precision - exponent));
  }
  return sign + scientific(digits.padEnd(precision + 1, '0'), exponent);
}

/** Returns `value × 10^places`, rounded half to even from the exact value. */
export function roundedAt(value: number, places: number): bigint {
  const [numerator, denominator] = exactFraction(value);
  const scale = 10n ** BigInt(Math.abs(places));
  const [top, bottom] = places < 0 ? [numerator, denominator * scale] : [numerator * scale, denominator];
  const quotient = top / bottom;
  const twice = (top % bottom) * 2n;
  return twice > bottom || (twice === bottom && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** Returns the value of a double as a fraction, from its bits. */
function exactFraction(value: number): [bigint, bigint] {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const biased = Number((raw >> 52n) & 0x7ffn);
  const mantissa = (raw & 0xf_ffff_ffff_ffffn) | (biased === 0 ? 0n : 1n << 52n);
  const exponent = Math.max(biased, 1) - 1075;
  return exponent < 0 ? [mantissa, 1n << BigInt(-exponent)] : [mantissa << BigInt(exponent), 1n];
}
