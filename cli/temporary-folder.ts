import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder that is gone after the command, also where the command ends meanwhile by a signal such as Ctrl-C. */
export interface TemporaryFolder {
  /** The real path, as the paths of loaded modules are. */
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** Makes a new empty folder. */
export async function openTemporaryFolder(prefix: string): Promise<TemporaryFolder> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), prefix)));
  const removeNow = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeNow);
  const dismiss = watchOver(folder);
  const remove = async (): Promise<void> => {
    process.off('exit', removeNow);
    await rm(folder, { recursive: true, force: true });
    dismiss();
  };
  return { folder, remove };
}

/** Runs `use` with a new empty folder that is gone afterwards. */
export async function withTemporaryFolder<T>(
  prefix: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const { folder, remove } = await openTemporaryFolder(prefix);
  try {
    return await use(folder);
  } finally {
    await remove();
  }
}

/**
 * Has a shell remove a folder when this process is there no more: the pipe between the two then ends. A handler of signals
 * would run only once a phase of the compiler is over, and Ctrl-C would be of no use until then. Where there is no shell the
 * folder stays behind among the temporary ones.
 *
 * @returns sends the shell away
 */
function watchOver(folder: string): () => void {
  const shell = spawn('sh', ['-c', 'read -r _; rm -rf -- "$1"', 'sh', folder], {
    // In a session of its own: Ctrl-C is meant for the command.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => {});
  return () => shell.kill('SIGKILL');
}
