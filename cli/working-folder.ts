import type { Diagnostic } from '../compiler/index.ts';
import { diagnostic } from '../compiler/diagnostic.ts';
import { describeThrown } from '../workspace/failure.ts';

/**
 * Returns the reason why no command can run here: the working folder of the process was deleted, or may not be read.
 * Undefined if it is available.
 */
export function workingFolderFailure(): Diagnostic | undefined {
  try {
    process.cwd();
    return undefined;
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return diagnostic('FW9011', {
      message: isGone
        ? 'the folder that the command was started in no longer exists'
        : `the folder that the command was started in cannot be read: ${describeThrown(error)}`,
      hint: 'change to a folder that exists, or run cd "$PWD" if this folder was created again',
    });
  }
}
