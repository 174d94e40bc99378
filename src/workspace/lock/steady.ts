import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareText } from '../../base/collections/compare-text.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { DiagnosedError } from '../diagnosed-error.ts';
import { lockedFolder } from './writing.ts';
import { runningWriter } from './run-lock.ts';

/** How a command reads an output folder that another run may be writing. */
export interface SteadyOptions<T> {
  /** The folder with the outputs of all apps, as an absolute path. */
  readonly out: string;
  /** Reads it. */
  readonly read: () => Promise<T>;
  /** Whether a result may come from a half-written folder. A failure always may. */
  readonly isSuspect: (result: T) => boolean;
}

const mostReadings = 5;
const longestWait = 120_000;

/**
 * Reads an output folder without a lock. If another run wrote there in the meantime, a suspect result or failure is not one of the
 * output: this waits until that run has ended, and reads again.
 *
 * @throws DiagnosedError if other runs write there all the time
 */
export async function readSteadily<T>({ out, read, isSuspect }: SteadyOptions<T>): Promise<T> {
  const folder = await lockedFolder(out);
  const deadline = performance.now() + longestWait;
  for (let reading = 1; ; reading++) {
    const before = await versionOf(out);
    const settled = await read().then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    const isSettled = 'result' in settled && !isSuspect(settled.result);
    const isSteady =
      isSettled || (before === (await versionOf(out)) && (await runningWriter(folder)) === undefined);
    if (isSteady) {
      if ('error' in settled) throw settled.error;
      return settled.result;
    }
    if (reading === mostReadings || performance.now() >= deadline) throw unsteady(out);
    while ((await runningWriter(folder)) !== undefined && performance.now() < deadline) await sleep(100);
  }
}

function unsteady(out: string): DiagnosedError {
  return new DiagnosedError(
    diagnostic('FW9130', {
      message: `other runs write in ${out} all the time, so it cannot be read as a whole`,
      hint: 'run the command again when they have ended',
    }),
  );
}

/** Returns a text that changes with each swap of the output of an app. */
async function versionOf(out: string): Promise<string> {
  const names: readonly string[] = await readdir(out).catch(() => []);
  const stats = await Promise.all(
    ['.', ...names.toSorted(compareText)].map(async (name) => {
      const each = await lstat(path.join(out, name), { bigint: true }).catch(() => undefined);
      return each === undefined ? '' : `${name} ${each.ino} ${each.mtimeNs}`;
    }),
  );
  return stats.join('\n');
}
