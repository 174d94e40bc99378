import { compileLater } from './compile-later.ts';
import { brokenPipeCode, exitCode } from '../exit-code.ts';
import { hasWorkingFolder } from './has-working-folder.ts';
import { quickAnswer } from './quick-answer.ts';
import { answersEdits, collectEarly } from './resident-process.ts';

/** The code of all commands. */
export interface CommandProgram {
  /** Runs the command line of this process, and ends the process. */
  readonly main: () => Promise<void>;
}

/**
 * Runs the command line of this process.
 *
 * @param loadCommand loads the code of all commands, which takes long
 */
export async function start(loadCommand: () => Promise<CommandProgram>): Promise<void> {
  if (hasWorkingFolder()) {
    const argv = process.argv.slice(2);
    const answer = await quickAnswer(argv);
    if (answer === undefined) {
      if (answersEdits(argv)) collectEarly();
      else compileLater();
      const { main } = await loadCommand();
      await main();
    } else {
      // As in other commands: a reader that stops early is no fault.
      process.stdout.on('error', () => process.exit(brokenPipeCode));
      process.stdout.write(answer);
    }
  } else {
    // yargs reads the working folder as soon as it is loaded.
    const { workingFolderFailure } = await import('./working-folder.ts');
    process.stderr.write(workingFolderFailure());
    process.exitCode = exitCode.failure;
  }
}
