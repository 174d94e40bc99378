import { canBackquote, quoted } from '../quote.ts';
import { bytesOf, normalized } from '../text.ts';
import { padded, type Flags } from './flags.ts';

/** Returns a string as a verb prints it; undefined for a verb that is not for strings. */
export function formatText(text: string, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case 'v':
      return flags.sharpV ? quotedText(text, flags) : padded(truncated(text, flags), flags);
    case 's':
      return padded(truncated(text, flags), flags);
    case 'q':
      return quotedText(text, flags);
    case 'x':
    case 'X':
      return hexadecimal(bytesOf(text), verb, flags);
    default:
      return undefined;
  }
}

function truncated(text: string, { precision }: Flags): string {
  if (precision === undefined || text.length <= precision) return text;
  return Array.from(normalized(text)).slice(0, precision).join('');
}

function quotedText(text: string, flags: Flags): string {
  const shown = truncated(normalized(text), flags);
  if (flags.sharp && canBackquote(shown)) return padded(`\`${shown}\``, flags);
  return padded(quoted(shown, flags.plus), flags);
}

/** Returns bytes in hexadecimal: `#` writes 0x, a space separates the bytes. */
export function hexadecimal(bytes: Uint8Array, verb: string, flags: Flags): string {
  const shown = flags.precision === undefined ? bytes : bytes.subarray(0, flags.precision);
  if (shown.length === 0) return padded('', flags);
  const digits = Array.from(shown, (byte) => byte.toString(16).padStart(2, '0'));
  const prefix = flags.sharp ? '0x' : '';
  const text = flags.space ? digits.map((each) => prefix + each).join(' ') : prefix + digits.join('');
  return padded(verb === 'X' ? text.toUpperCase() : text, flags);
}
