import type { Diagnostic } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { ageWords } from '../../compiler/report/plan-words.ts';
import { takenAtAnnotation } from '../../ocm/fleetwright-annotations.ts';

/** A fleet snapshot as `fleet pull` writes it. */
export interface Snapshot {
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
}

/** Reports a fleet snapshot whose time is in another form than `fleet pull` writes. */
export function unreadableTime(file: string): Diagnostic {
  return diagnostic('FW8076', {
    message: `the time of the fleet snapshot (${takenAtAnnotation}) cannot be read, so its age and its scope are not checked`,
    location: { file, line: 1, column: 1 },
    hint: `fleetwright fleet pull --out ${file} takes a new one`,
  });
}

/** Warns of fleet snapshots that are older than the maximum age. */
export function oldSnapshots(snapshots: readonly Snapshot[], maxAge: number, now: number): Diagnostic[] {
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
