import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { unexpectedFailure } from '../../workspace/failure.ts';
import { run } from '../run.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import { hasColors, isInteractive, showsProgress } from '../terminal/abilities.ts';
import { brokenPipeCode, exitCode } from '../exit-code.ts';

const { stdin, stdout, stderr, env } = process;

/** Runs the command line of this process, and ends the process. */
export async function main(): Promise<void> {
  // A reader that stops early, such as `head`, is no fault: files and objects that are being written or applied are
  // finished.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }

  // The output of a library is no result: it would break JSON output.
  const result = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);

  const progress = showsProgress(stderr, env) ? new ProgressLine(stderr) : undefined;

  process.on('uncaughtException', (error) => {
    progress?.giveWay();
    stderr.write(`fleetwright: ${unexpectedFailure(error)}\n`, () => process.exit(exitCode.failure));
  });

  const ended = await run(process.argv.slice(2), {
    cwd: process.cwd(),
    now: () => Date.now(),
    env,
    readInput: () => buffer(stdin),
    out: (text) => {
      if (stdout.isTTY) progress?.giveWay();
      result(text);
    },
    taken,
    err: (text) => {
      progress?.giveWay();
      stderr.write(text);
    },
    color: hasColors(stderr, env),
    colorOut: hasColors(stdout, env),
    ...(stdout.isTTY && { columns: stdout.columns }),
    ...(progress && { progress: (line) => progress.show(line) }),
    // Only init prompts, and most runs need not wait for readline.
    ...(isInteractive(stdin, stderr, env) && {
      ask: async (...asked) => await (await import('../terminal/ask.ts')).ask(...asked),
    }),
    meter: {
      elapsed: () => performance.now(),
      peakMemory: () => process.resourceUsage().maxRSS * 1024,
    },
  });

  // A library may have left a timer or a connection. The result is complete, so the process waits for none of them.
  result('', () => stderr.write('', () => process.exit(isReaderGone() ? brokenPipeCode : ended)));
}

async function taken(): Promise<void> {
  if (stdout.writableNeedDrain && !isReaderGone()) await once(stdout, 'drain').catch(() => undefined);
  if (isReaderGone()) process.exit(brokenPipeCode);
}

function isReaderGone(): boolean {
  const error: NodeJS.ErrnoException | null = stdout.errored;
  return error?.code === 'EPIPE';
}
