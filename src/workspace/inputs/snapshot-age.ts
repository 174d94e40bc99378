import type { Diagnostic } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { ageWords } from '../../compiler/report/plan-words.ts';
import type { Snapshot } from './inputs.ts';

/** One week: fleets change slowly, and a plan cannot warn of clusters that it does not know. */
const defaultMaxAge = 7 * 24 * 60 * 60_000;

/** Warns of fleet snapshots that are older than the maximum age. */
export function oldSnapshots(
  snapshots: readonly Snapshot[],
  maxAge: number = defaultMaxAge,
  now: number,
): Diagnostic[] {
  return snapshots
    .filter(({ takenAt }) => now - takenAt > maxAge)
    .map(({ file, takenAt }) =>
      diagnostic('FW8007', {
        message: `the fleet snapshot was taken ${ageWords(now - takenAt)} ago, but the maximum age is ${ageWords(maxAge)}`,
        location: { file, line: 1, column: 1 },
        hint: `fleetwright fleet pull --out ${file} takes a new one; fleet.maxAge in fleetwright.yaml sets the maximum age`,
      }),
    );
}
