import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder that is removed after the command, also if a signal such as Ctrl-C ends the command. */
export interface TemporaryFolder {
  /** The real path, like the paths of loaded modules. */
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

/** Runs `use` with a new empty folder, and removes the folder afterwards. */
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
 * Starts a shell that removes a folder when this process has ended: the pipe between the two closes then. A signal
 * handler would run only after the current phase of the compiler, and Ctrl-C would have no effect until then. Without
 * a shell, the folder stays among the temporary ones.
 *
 * @returns a function that ends the shell
 */
function watchOver(folder: string): () => void {
  const shell = spawn('sh', ['-c', 'read -r _; rm -rf -- "$1"', 'sh', folder], {
    // In a separate session: Ctrl-C is meant for the command.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => {});
  return () => shell.kill('SIGKILL');
}
