/** Nanoseconds in each of Go's units. */
const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n], // micro sign
  ['\u03bcs', 1_000n], // Greek letter mu
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const limit = 2n ** 63n;
const term = /^(\d*)(?:\.(\d*))?([^.\d]*)/;

/** Returns the milliseconds of a Go duration such as `90s` or `1h30m`, or Go's error. */
export function parseGoDuration(text: string): number | Error {
  const nanoseconds = parseGoNanoseconds(text);
  return nanoseconds instanceof Error ? nanoseconds : Number(nanoseconds) / 1e6;
}

/** Returns the nanoseconds of a Go duration, which fit an int64, or Go's error. As time.ParseDuration. */
export function parseGoNanoseconds(text: string): bigint | Error {
  // Created only when needed: an Error records its stack.
  const invalid = (): Error => new Error(`time: invalid duration ${quotedTime(text)}`);
  const negative = text.startsWith('-');
  let rest = text.replace(/^[-+]/, '');
  if (rest === '0') return 0n;
  if (rest === '') return invalid();
  let total = 0n;
  while (rest !== '') {
    const [matched = '', digits = '', decimals = '', unit = ''] = term.exec(rest) ?? [];
    if (digits === '' && decimals === '') return invalid();
    const whole = BigInt(digits === '' ? '0' : digits);
    if (whole > limit) return invalid();
    if (unit === '') return new Error(`time: missing unit in duration ${quotedTime(text)}`);
    const nanoseconds = units.get(unit);
    if (nanoseconds === undefined) {
      return new Error(`time: unknown unit ${quotedTime(unit)} in duration ${quotedTime(text)}`);
    }
    total += whole * nanoseconds + fraction(decimals, nanoseconds);
    if (total > limit) return invalid();
    rest = rest.slice(matched.length);
  }
  if (!negative && total === limit) return invalid();
  return negative ? -total : total;
}

/** Returns the digits after the point, truncated to whole nanoseconds; digits that an int64 cannot hold do not count. */
function fraction(decimals: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of decimals) {
    const next = value * 10n + BigInt(digit);
    if (next > limit) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** Quotes as package time does: bytes beyond printable ASCII in hexadecimal. */
export function quotedTime(text: string): string {
  let inner = '';
  for (const character of text) {
    if (character === '"' || character === '\\') inner += `\\${character}`;
    else if (character >= ' ' && character < '\u0080') inner += character;
    else
      for (const byte of new TextEncoder().encode(character))
        inner += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `"${inner}"`;
}

/** Formats milliseconds as a Go duration: `1h30m0s`, `1.5s`, `0s`. As time.Duration.String. */
export function formatGoDuration(milliseconds: number): string {
  return formatGoNanoseconds(BigInt(Math.round(milliseconds * 1e6)));
}

/** Formats nanoseconds as a Go duration. As time.Duration.String. */
export function formatGoNanoseconds(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size === 0n) return '0s';
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}\u00b5s`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  const hours = minutes / 60n;
  return `${sign}${hours === 0n ? '' : `${hours}h`}${minutes % 60n}m${seconds}`;
}

/** Formats nanoseconds in a unit with the given number of decimals, without trailing zeros. */
function decimal(nanoseconds: bigint, decimals: number): string {
  const unit = 10n ** BigInt(decimals);
  const rest = String(nanoseconds % unit)
    .padStart(decimals, '0')
    .replace(/0+$/, '');
  return `${nanoseconds / unit}${rest === '' ? '' : `.${rest}`}`;
}
