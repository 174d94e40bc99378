const unitMilliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  'µs': 1e-3,
  'μs': 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const term = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

/** Milliseconds of a Go duration such as `90s` or `1h30m`; undefined where Go's ParseDuration gives an error. */
export function parseGoDuration(text: string): number | undefined {
  const sign = text.startsWith('-') ? -1 : 1;
  const rest = text.replace(/^[+-]/, '');
  if (rest === '0') return 0;
  if (rest === '') return undefined;
  let total = 0;
  term.lastIndex = 0;
  while (term.lastIndex < rest.length) {
    const match = term.exec(rest);
    if (match === null) return undefined;
    total += Number(match[1]) * (unitMilliseconds[match[2] ?? ''] ?? NaN);
  }
  // As Go: an int64 of nanoseconds holds about 292 years.
  return total * 1e6 > 2 ** 63 - 1 ? undefined : sign * total;
}
