import type { Duration } from 'cdk8s';

const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/**
 * A duration as Go's `time.ParseDuration` reads it, as one number and one unit (`90m`, not `1h30m`): the
 * pattern of `progressDeadline` describes no more than that. Days do not exist there.
 */
export function toGoDuration(duration: Duration): string {
  const milliseconds = duration.toMilliseconds();
  if (milliseconds === 0) return '0s';
  for (const [unit, size] of units) {
    if (milliseconds % size === 0) return `${milliseconds / size}${unit}`;
  }
  return `${milliseconds}ms`;
}
