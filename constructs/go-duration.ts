import type { Duration } from 'cdk8s';

/** The units of Go, their milliseconds, and what cdk8s calls them. */
const units = [
  ['h', 3_600_000, 'hours'],
  ['m', 60_000, 'minutes'],
  ['s', 1000, 'seconds'],
] as const;

/**
 * A duration as Go's `time.ParseDuration` reads it, as one number and one unit (`90m`, not `1h30m`): the
 * pattern of `progressDeadline` describes no more than that. The unit is the duration's own as far as Go has it, which has
 * no days.
 */
export function toGoDuration(duration: Duration): string {
  const milliseconds = duration.toMilliseconds();
  if (milliseconds === 0) return '0s';
  const own = units.find(([, , label]) => label === duration.unitLabel());
  for (const [unit, size] of own === undefined ? units : [own, ...units]) {
    if (milliseconds % size === 0) return `${milliseconds / size}${unit}`;
  }
  return `${milliseconds}ms`;
}
