import { createColors } from 'picocolors';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { diagnosticsAsText } from '../../compiler/report/text/text.ts';
import { describeThrown } from '../../workspace/failure.ts';
import { hasColors } from '../terminal/abilities.ts';

/**
 * Returns the report of the reason why no command can run here, for standard error: the working folder of the process was deleted,
 * or may not be read.
 */
export function workingFolderFailure(): string {
  const colors = createColors(hasColors(process.stderr, process.env));
  return diagnosticsAsText([failure()], { textOf: () => undefined, colors });
}

function failure(): ReturnType<typeof diagnostic> {
  let cause: unknown;
  try {
    process.cwd();
  } catch (error) {
    cause = error;
  }
  const isGone = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  return diagnostic('FW9011', {
    message: isGone
      ? 'the folder that the command was started in no longer exists'
      : `the folder that the command was started in cannot be read: ${describeThrown(cause)}`,
    hint: 'change to a folder that exists, or run cd "$PWD" if this folder was created again',
  });
}
