import { setTimeout as sleep } from 'node:timers/promises';
import { changedFiles, type WatchedFiles } from './watched-files.ts';

/** What is repeated, and when. */
export interface Repetition {
  /** Reads the states of the files that count. */
  readonly read: () => Promise<WatchedFiles>;
  /** Runs once. It must not throw for input that the next change can mend. */
  readonly run: () => Promise<void>;
  /** Reports the files that changed, before the next run. */
  readonly onChange: (files: readonly string[]) => void;
  readonly stop: AbortSignal;
  /** The shortest pause between two readings, in milliseconds. @default 250 */
  readonly pause?: number;
}

/**
 * Runs once, and again after each change, until it is stopped. Changes that arrive together are one change: a run begins when two
 * readings in a row are equal. A change during a run is followed by another run. A stop lets the current run end.
 */
export async function repeatOnChange({ read, run, onChange, stop, pause = 250 }: Repetition): Promise<void> {
  let compiled = await read();
  await run();
  let latest = compiled;
  while (!stop.aborted) {
    const begin = performance.now();
    const current = await read();
    const isSettled = changedFiles(latest, current).length === 0;
    const changed = changedFiles(compiled, current);
    latest = current;
    if (isSettled && changed.length > 0) {
      compiled = current;
      onChange(changed);
      await run();
      continue;
    }
    // A reading of many files is repeated less often.
    await sleep(Math.max(pause, 5 * (performance.now() - begin)), undefined, { signal: stop }).catch(
      () => undefined,
    );
  }
}
