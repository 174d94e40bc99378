/** When something of a rollout happens, in milliseconds after its start: with quick agents, and if all soaks take their full time. */
export interface TimeRange {
  readonly earliest: number;
  readonly after: number;
}

/** Returns a range of times: `5m` or `5m to 10m`. */
export function rangeWords({ earliest, after }: TimeRange): string {
  if (earliest >= after) return durationWords(after);
  return `${earliest === 0 ? '0' : durationWords(earliest)} to ${durationWords(after)}`;
}

/** Returns `, finished after 10m at the earliest`, or `, finished after 5m to 10m`. Empty if nothing takes time. */
export function finishWords(range: TimeRange): string {
  if (range.after === 0) return '';
  return `, finished after ${rangeWords(range)}${range.earliest < range.after ? '' : ' at the earliest'}`;
}

/** Returns a duration in its two largest units: `1h30m`. */
export function durationWords(milliseconds: number): string {
  let seconds = Math.ceil(milliseconds / 1000);
  const parts: string[] = [];
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const) {
    const count = Math.floor(seconds / size);
    seconds -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.slice(0, 2).join('');
}
