#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { createColors } from 'picocolors';
import { run } from './run.ts';

// A reader that stops early, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  now: () => Date.now(),
  readInput: () => text(process.stdin),
  out: (written) => process.stdout.write(written),
  err: (written) => process.stderr.write(written),
  color: hasColors(process.stderr),
  colorOut: hasColors(process.stdout),
  ...(showsProgress() && { progress }),
  meter: {
    elapsed: () => performance.now(),
    peakMemory: () => process.resourceUsage().maxRSS * 1024,
  },
});

/** CI systems keep every line that is written, also those that were meant to be replaced. */
function showsProgress(): boolean {
  return process.stderr.isTTY && (process.env['CI'] ?? '') === '';
}

function progress(line: string): void {
  process.stderr.write(`\r\u001b[K${line}`);
}

/** Pipes get no colours, whatever the environment says: Node leaves `isTTY` undefined there. */
function hasColors({ isTTY }: { readonly isTTY?: boolean }): boolean {
  return isTTY === true && createColors().isColorSupported;
}
