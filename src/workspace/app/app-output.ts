import { terminalLine } from '../../compiler/report/text/terminal-line.ts';

const mostLines = 200;

/**
 * Returns the output of an app for a terminal or a log. Each line begins with the app, so that no line passes for one
 * of Fleetwright's or for a command to the runner of a CI job.
 */
export function appOutput(file: string, printed: string): string {
  const lines = printed.replace(/\r?\n$/, '').split(/\r?\n/);
  const shown = lines.slice(0, mostLines).map((line) => `${file} | ${line}`);
  if (lines.length > mostLines) shown.push(`${file} | (${lines.length - mostLines} more lines)`);
  return shown.map((line) => `${terminalLine(line)}\n`).join('');
}
