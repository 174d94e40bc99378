import type { Stopwatch } from '../../workspace/stopwatch.ts';
import type { Terminal } from './terminal.ts';

/** Prints the time of each step of a command, the peak memory, and how many add-ons on clusters are alike. */
export function printTimings(
  { times, classes }: Stopwatch,
  { meter, err }: Pick<Terminal, 'meter' | 'err'>,
): void {
  if (meter === undefined) return;
  const total = meter.elapsed();
  const rest = total - [...times.values()].reduce((sum, time) => sum + time, 0);
  const rows = [...times, ['start and everything else', rest], ['total', total]] as const;
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, time]) => `  ${name.padEnd(width)}  ${seconds(time).padStart(8)}`);
  const counts = Array.from(
    classes,
    ([name, count]) => `  ${name}: ${count.classes} of ${count.addOns} add-ons on clusters\n`,
  );
  const memory = `  memory: ${Math.round(meter.peakMemory() / 1e6)} MB at most\n`;
  err(`timings\n${lines.join('\n')}\n${memory}${counts.join('')}`);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
