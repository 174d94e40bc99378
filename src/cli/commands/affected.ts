import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import { affectedBy, affectedText, sourceFilesOf } from '../../compiler/index.ts';
import { didYouMean } from '../../compiler/model/suggestion.ts';
import { appOptions, resolveFromRoot, type ResolvedApps } from '../app-resolutions.ts';
import { examples } from '../examples.ts';
import { hubOptions } from '../options.ts';
import { outputOption, printResults, textOptions, type OutputArguments } from '../terminal/print-results.ts';
import { type Terminal } from '../terminal/terminal.ts';
import { namesIn } from '../unknown-names.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import { UserError } from '../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';

interface Arguments extends OutputArguments {
  readonly file: readonly string[];
}

/** `affected FILE…`: the clusters that the objects of some files affect. */
export function affectedCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'affected <file..>',
    describe: 'List the add-ons and clusters that the objects of files affect',
    builder: (command) =>
      appOptions(hubOptions(command))
        .positional('file', {
          describe: 'files, or folders with files',
          type: 'string',
          array: true,
          demandOption: true,
          defaultDescription: 'none',
        })
        .option('output', outputOption)
        .epilogue(
          examples(terminal, {
            'git diff --name-only --diff-filter=d main | xargs fleetwright affected':
              'what the files of a branch affect',
          }),
        ),
    handler: async (options) => {
      const apps = await resolveFromRoot(options, terminal);
      const files = await existingFiles(options.file, apps, terminal);
      const answers = apps.resolved.map(({ app, hub, resolution }) => ({
        app,
        ...(hub && { hub }),
        ...affectedBy(resolution, files),
      }));
      // A file belongs to one app: the others have nothing to report.
      const reached = answers.filter(({ objects }) => objects.length > 0);
      printResults(reached.length > 0 ? reached : answers.slice(0, 1), options, terminal, (affected) =>
        affectedText(affected, textOptions(terminal)),
      );
      // The answer is incomplete without the other apps.
      end(apps.failed.length > 0 ? exitCode.findings : exitCode.clean);
    },
  };
}

/**
 * Returns the files, named as diagnostics name them.
 *
 * @throws UserError if one does not exist.
 */
async function existingFiles(
  files: readonly string[],
  apps: ResolvedApps,
  terminal: Terminal,
): Promise<readonly string[]> {
  const { root } = await openWorkspace(terminal);
  const named = files.map((file) => path.relative(root, path.resolve(terminal.cwd, file)));
  for (const file of named) {
    const existing = await stat(path.resolve(root, file)).catch(() => undefined);
    if (existing !== undefined) continue;
    const sourceFiles = namesIn(apps, sourceFilesOf);
    throw new UserError(
      `${file}: no such file or folder`,
      didYouMean(file, sourceFiles, 'objects are written in') ?? 'plan shows what a deleted file changes',
    );
  }
  return named;
}
