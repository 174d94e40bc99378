import type { Duration } from 'cdk8s';

/** The units of Go, with their milliseconds and their names in cdk8s. */
const units = [
  ['h', 3_600_000, 'hours'],
  ['m', 60_000, 'minutes'],
  ['s', 1000, 'seconds'],
] as const;

/**
 * Returns a duration in the format of Go's `time.ParseDuration`, as one number and one unit (`90m`, not `1h30m`),
 * because the pattern of `progressDeadline` allows only that. Keeps the unit of the duration if Go has it. Go has no
 * days.
 */
export function toGoDuration(duration: Duration): string {
  const milliseconds = duration.toMilliseconds();
  if (milliseconds === 0) return '0s';
  const matchingUnit = units.find(([, , label]) => label === duration.unitLabel());
  for (const [unit, size] of matchingUnit === undefined ? units : [matchingUnit, ...units]) {
    if (milliseconds % size === 0) return `${milliseconds / size}${unit}`;
  }
  return `${milliseconds}ms`;
}
