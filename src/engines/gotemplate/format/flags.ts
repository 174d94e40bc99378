import { runeCount } from '../text.ts';

/** The flags, width and precision of one verb of a format. */
export interface Flags {
  plus: boolean;
  minus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  /** `%+v`: names of fields. */
  plusV: boolean;
  /** `%#v`: Go syntax. */
  sharpV: boolean;
  /** Undefined without a width. */
  width: number | undefined;
  precision: number | undefined;
}

export function noFlags(): Flags {
  return {
    plus: false,
    minus: false,
    sharp: false,
    space: false,
    zero: false,
    plusV: false,
    sharpV: false,
    width: undefined,
    precision: undefined,
  };
}

/** Returns a text with the padding that the flags require; zeros only at its left. */
export function padded(text: string, flags: Flags, zero = flags.zero): string {
  const missing = (flags.width ?? 0) - runeCount(text);
  if (missing <= 0) return text;
  if (flags.minus) return text + ' '.repeat(missing);
  return (zero ? '0' : ' ').repeat(missing) + text;
}
