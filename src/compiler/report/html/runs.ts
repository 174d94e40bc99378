import type { Runs } from './plan-page-data.ts';

/** Returns numbers as runs. */
export function runsOf(numbers: readonly number[]): Runs {
  const sorted = [...numbers].sort((a, b) => a - b);
  const runs: number[] = [];
  for (const [index, number] of sorted.entries()) {
    const last = runs.at(-1);
    if (last === undefined || number !== (sorted[index - 1] ?? 0) + 1) runs.push(number);
    else if (last < 0) runs[runs.length - 1] = last - 1;
    else runs.push(-1);
  }
  return runs;
}
