import { exitCode } from '../terminal.ts';

/** How long the last requests may take to end, and the lease to be given back, in milliseconds. */
const grace = 7_000;

/**
 * Aborted when the process is told to stop, by SIGTERM or Ctrl-C. A process that then still runs so long after `within`
 * milliseconds that nothing can be under way any more is ended, as it is at once on the second signal, whichever of the two.
 */
export function stopSignal(within: number): AbortSignal {
  const stop = new AbortController();
  const giveUp = (): void => process.exit(exitCode.failure);
  const told = (): void => {
    if (stop.signal.aborted) giveUp();
    stop.abort();
    setTimeout(giveUp, within + grace).unref();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, told);
  return stop.signal;
}
