#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { run } from './run.ts';
import { hasColors, isInteractive, showsProgress } from './terminal-abilities.ts';

// A reader that stops early, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const { stdin, stdout, stderr, env } = process;

process.exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  now: () => Date.now(),
  readInput: () => text(stdin),
  out: (written) => stdout.write(written),
  err: (written) => stderr.write(written),
  color: hasColors(stderr, env),
  colorOut: hasColors(stdout, env),
  ...(stdout.isTTY && { columns: stdout.columns }),
  ...(showsProgress(stderr, env) && { progress }),
  // Only init asks, and most runs need not wait for readline.
  ...(isInteractive(stdin, stderr, env) && {
    ask: async (...asked) => await (await import('./ask.ts')).ask(...asked),
  }),
  meter: {
    elapsed: () => performance.now(),
    peakMemory: () => process.resourceUsage().maxRSS * 1024,
  },
});

function progress(line: string): void {
  stderr.write(`\r\u001b[K${line}`);
}
