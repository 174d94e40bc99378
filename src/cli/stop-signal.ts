import { exitCode } from './exit-code.ts';

/** How long the last requests and the release of the lease may take, in milliseconds. */
const grace = 7_000;

/**
 * Returns a signal that is aborted when the process receives SIGTERM or Ctrl-C. A process that still runs `within`
 * plus `grace` milliseconds later, when nothing can be in flight any more, is ended. A second signal, either of the
 * two, ends the process immediately.
 */
export function stopSignal(within: number): AbortSignal {
  const stop = new AbortController();
  const giveUp = (): void => process.exit(exitCode.failure);
  const onSignal = (): void => {
    if (stop.signal.aborted) giveUp();
    stop.abort();
    setTimeout(giveUp, within + grace).unref();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  return stop.signal;
}
