import { rmSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `use` with a new empty folder that is gone afterwards, also where the command ends meanwhile: by Ctrl-C, or because
 * an app ended the process. The path is the real one, as the paths of loaded modules are.
 */
export async function withTemporaryFolder<T>(
  prefix: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), prefix)));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // The signal comes again, and then ends the process: who started it sees by which signal it ended.
  const end = (signal: NodeJS.Signals): void => {
    remove();
    process.kill(process.pid, signal);
  };
  process.once('exit', remove);
  for (const ending of endings) process.once(ending, end);
  try {
    return await use(folder);
  } finally {
    process.off('exit', remove);
    for (const ending of endings) process.off(ending, end);
    await rm(folder, { recursive: true, force: true });
  }
}
