import { isPrintable, quotedRune } from '../quote.ts';
import { padded, type Flags } from './flags.ts';

const bases: Readonly<Record<string, number>> = { v: 10, d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 };

/** Returns an integer as a verb prints it; undefined for a verb that is not for integers. */
export function formatInteger(
  value: bigint,
  isUnsigned: boolean,
  verb: string,
  flags: Flags,
): string | undefined {
  const bits = BigInt.asUintN(64, value);
  switch (verb) {
    case 'c':
      return padded(runeText(bits), flags);
    case 'q':
      return padded(quotedRune(bits > 0x10ffffn ? 0xfffd : Number(bits), flags.plus), flags);
    case 'U':
      return unicode(bits, flags);
  }
  const base = bases[verb];
  if (base === undefined) return undefined;
  if (verb === 'v' && flags.sharpV && isUnsigned) return inBase(value, 16, verb, { ...flags, sharp: true });
  return inBase(value, base, verb, flags);
}

function runeText(bits: bigint): string {
  const isValid = bits <= 0x10ffffn && !(bits >= 0xd800n && bits <= 0xdfffn);
  return String.fromCodePoint(isValid ? Number(bits) : 0xfffd);
}

/** `%U`: at least four digits; with `#` the character too. */
function unicode(bits: bigint, flags: Flags): string {
  const digits = bits
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(4, flags.precision ?? 0), '0');
  const isShown = flags.sharp && bits <= 0x10ffffn && isPrintable(Number(bits));
  const character = isShown ? ` '${String.fromCodePoint(Number(bits))}'` : '';
  return padded(`U+${digits}${character}`, flags, false);
}

function inBase(value: bigint, base: number, verb: string, flags: Flags): string {
  const isNegative = value < 0n;
  const magnitude = isNegative ? -value : value;
  let least = flags.precision ?? 0;
  if (flags.precision === 0 && value === 0n) return ' '.repeat(flags.width ?? 0);
  if (flags.precision === undefined && flags.zero && !flags.minus && flags.width !== undefined)
    least = flags.width - (isNegative || flags.plus || flags.space ? 1 : 0);
  let text = magnitude.toString(base).padStart(least, '0');
  if (verb === 'X') text = text.toUpperCase();
  if (flags.sharp) text = prefixed(text, base, verb);
  if (verb === 'O') text = `0o${text}`;
  const sign = isNegative ? '-' : flags.plus ? '+' : flags.space ? ' ' : '';
  return padded(sign + text, flags, false);
}

function prefixed(digits: string, base: number, verb: string): string {
  if (base === 2) return `0b${digits}`;
  if (base === 8) return digits.startsWith('0') ? digits : `0${digits}`;
  return base === 16 ? (verb === 'X' ? '0X' : '0x') + digits : digits;
}
