#!/usr/bin/env node
import { compileLater } from './compile-later.ts';
import { brokenPipeCode, exitCode } from '../exit-code.ts';
import { hasWorkingFolder } from './has-working-folder.ts';
import { loadCommand } from './load-command.ts';
import { quickAnswer } from './quick-answer.ts';

if (hasWorkingFolder()) {
  const answer = await quickAnswer(process.argv.slice(2));
  if (answer === undefined) {
    compileLater();
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
