import { roundedAt, shortest } from '../../../base/go/format-float.ts';
import { padded, type Flags } from './flags.ts';

const precisions: Readonly<Record<string, number>> = { f: 6, F: 6, e: 6, E: 6 };

/** Returns a float64 as a verb prints it; undefined for a verb that is not for floats. */
export function formatFloatVerb(value: number, verb: string, flags: Flags): string | undefined {
  if (!'vbgGxXfFeE'.includes(verb)) return undefined;
  const format = verb === 'v' ? 'g' : verb === 'F' ? 'f' : verb;
  const precision = flags.precision ?? precisions[verb] ?? -1;
  let text = floatText(value, format, precision);
  if (!/^[-+]/.test(text)) text = `+${text}`;
  if (flags.space && text.startsWith('+') && !flags.plus) text = ` ${text.slice(1)}`;
  if (!Number.isFinite(value)) {
    if (Number.isNaN(value) && !flags.space && !flags.plus) text = text.slice(1);
    // The infinite has its sign only where one is asked for.
    else if (text.startsWith('+') && !flags.plus) text = text.slice(1);
    return padded(value === Infinity && text === 'Inf' ? '+Inf' : text, flags, false);
  }
  if (flags.sharp && verb !== 'b') text = withPoint(text, verb === 'v' ? 'g' : verb, precision);
  if (!flags.plus && text.startsWith('+')) return padded(text.slice(1), flags);
  const missing = (flags.width ?? 0) - text.length;
  if (flags.zero && !flags.minus && missing > 0)
    return text.slice(0, 1) + '0'.repeat(missing) + text.slice(1);
  return padded(text, flags);
}

/** The flag `#`: always a decimal point, and the zeros after it. */
function withPoint(text: string, verb: string, precision: number): string {
  const isHex = verb === 'x' || verb === 'X';
  let digits = 'gGx'.includes(verb) ? (precision === -1 ? 6 : precision) : 0;
  const tailAt = text.search(isHex ? /[pP]/ : /[eE]/);
  let body = tailAt < 0 ? text : text.slice(0, tailAt);
  const tail = tailAt < 0 ? '' : text.slice(tailAt);
  let isSignificant = false;
  for (const character of body.slice(1)) {
    if (character === '.') continue;
    if (character !== '0') isSignificant = true;
    if (isSignificant) digits -= 1;
  }
  if (!body.includes('.')) {
    if (body.length === 2 && body[1] === '0') digits -= 1;
    body += '.';
  }
  return body + '0'.repeat(Math.max(0, digits)) + tail;
}

/** As strconv.FormatFloat: the precision -1 is the least that parses to the same float64. */
export function floatText(value: number, format: string, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const magnitude = Math.abs(value);
  switch (format) {
    case 'b':
      return sign + binary(magnitude);
    case 'x':
    case 'X': {
      const text = hexadecimal(magnitude, precision);
      return sign + (format === 'X' ? text.toUpperCase() : text);
    }
    case 'f':
      return sign + fixed(magnitude, precision);
    case 'e':
    case 'E':
      return sign + scientific(digitsOf(magnitude, precision < 0 ? -1 : precision + 1), precision, format);
    default:
      return sign + general(magnitude, precision, format === 'G' ? 'E' : 'e');
  }
}

/** Decimal digits without zeros at the end: `0.digits × 10^point`. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

/** Returns the digits of a number rounded to a count of them; -1 for as many as identify it. */
function digitsOf(value: number, count: number): Decimal {
  if (value === 0) return { digits: '', point: 0 };
  const exact = shortest(value);
  if (count < 0) return { digits: exact.digits.replace(/0+$/, ''), point: exact.exponent };
  let point = exact.exponent;
  let digits = String(roundedAt(value, count - point));
  if (digits.length > count) point += 1;
  if (count === 0) return digits === '0' ? { digits: '', point: 0 } : { digits: '1', point };
  digits = digits.replace(/0+$/, '');
  return { digits, point };
}

function fixed(value: number, precision: number): string {
  if (precision < 0) {
    const { digits, point } = digitsOf(value, -1);
    return decimalText(digits, point, Math.max(0, digits.length - point));
  }
  const digits = String(roundedAt(value, precision)).padStart(precision + 1, '0');
  const whole = digits.slice(0, digits.length - precision);
  return precision === 0 ? whole : `${whole}.${digits.slice(-precision)}`;
}

function decimalText(digits: string, point: number, decimals: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  if (decimals === 0) return whole;
  const fraction = point >= 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  return `${whole}.${fraction.padEnd(decimals, '0').slice(0, decimals)}`;
}

function scientific({ digits, point }: Decimal, precision: number, letter: string): string {
  const decimals = precision < 0 ? Math.max(0, digits.length - 1) : precision;
  const fraction = digits.slice(1).padEnd(decimals, '0').slice(0, decimals);
  const exponent = digits === '' ? 0 : point - 1;
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits[0] ?? '0'}${decimals > 0 ? `.${fraction}` : ''}${letter}${exponent < 0 ? '-' : '+'}${power}`;
}

function general(value: number, precision: number, letter: string): string {
  const isShortest = precision < 0;
  const count = precision === 0 ? 1 : precision;
  const decimal = digitsOf(value, isShortest ? -1 : count);
  const { digits, point } = decimal;
  let limit = isShortest ? 6 : count;
  if (limit > digits.length && digits.length >= point) limit = digits.length;
  if (isShortest) limit = 6;
  const exponent = point - 1;
  if (digits !== '' && (exponent < -4 || exponent >= limit)) {
    return scientific(decimal, Math.min(isShortest ? digits.length : count, digits.length) - 1, letter);
  }
  return decimalText(digits, point, Math.max(0, digits.length - point));
}

/** Returns the 53 bits and the binary exponent of a number. */
function mantissaOf(value: number): { mantissa: bigint; exponent: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const biased = Number((raw >> 52n) & 0x7ffn);
  const mantissa = (raw & 0xf_ffff_ffff_ffffn) | (biased === 0 ? 0n : 1n << 52n);
  return { mantissa, exponent: Math.max(biased, 1) - 1075 };
}

function binary(value: number): string {
  const { mantissa, exponent } = mantissaOf(value);
  return `${String(mantissa)}p${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent))}`;
}

function hexadecimal(value: number, precision: number): string {
  let { mantissa, exponent } = mantissaOf(value);
  if (mantissa === 0n) exponent = 0;
  else {
    exponent += 52;
    while (mantissa < 1n << 52n) {
      mantissa <<= 1n;
      exponent -= 1;
    }
  }
  // 1 and 60 bits after the point, which are 15 digits
  mantissa <<= 8n;
  if (precision >= 0 && precision < 15) {
    const cut = BigInt(60 - precision * 4);
    const extra = mantissa & ((1n << cut) - 1n);
    mantissa >>= cut;
    const half = 1n << (cut - 1n);
    if (extra > half || (extra === half && mantissa % 2n === 1n)) mantissa += 1n;
    mantissa <<= cut;
    if (mantissa >> 61n !== 0n) {
      mantissa >>= 1n;
      exponent += 1;
    }
  }
  const digits = (mantissa & ((1n << 60n) - 1n)).toString(16).padStart(15, '0');
  const fraction =
    precision < 0 ? digits.replace(/0+$/, '') : digits.padEnd(precision, '0').slice(0, precision);
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `0x${String(mantissa >> 60n)}${fraction === '' ? '' : `.${fraction}`}p${exponent < 0 ? '-' : '+'}${power}`;
}
