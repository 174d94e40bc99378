import { exitCode } from '../terminal.ts';

/**
 * Aborted when the process is told to stop, by SIGTERM or Ctrl-C. What then is still under way after `within` milliseconds
 * is given up, as at once on the second signal.
 */
export function stopSignal(within: number): AbortSignal {
  const stop = new AbortController();
  const giveUp = (): void => process.exit(exitCode.failure);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      stop.abort();
      process.once(signal, giveUp);
      setTimeout(giveUp, within).unref();
    });
  }
  return stop.signal;
}
