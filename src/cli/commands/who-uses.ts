import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import {
  affectedBy,
  affectedText,
  type AffectedByFiles,
  objectKey,
  type ObjectUses,
  sourceFilesOf,
  whoUses,
  whoUsesText,
} from '../../compiler/index.ts';
import { placingObjects } from '../../compiler/explain/placed-uses.ts';
import { usableObjects } from '../../compiler/compare/usable-objects.ts';
import { didYouMean } from '../../compiler/model/suggestion.ts';
import { appOptions, resolveFromRoot, type AppResolution, type ResolvedApps } from '../app-resolutions.ts';
import { examples } from '../examples.ts';
import { hubOptions } from '../options.ts';
import { outputOption, printResults, textOptions, type OutputArguments } from '../terminal/print-results.ts';
import { type Terminal } from '../terminal/terminal.ts';
import { namesIn, unknownName } from '../unknown-names.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import { UserError } from '../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';

interface Arguments extends OutputArguments {
  readonly name: readonly string[];
}

/** `who-uses NAME…`: the clusters that configurations, Placements, or the objects of files affect. */
export function whoUsesCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'who-uses <name..>',
    describe:
      'List what uses a configuration or a Placement, and the clusters that a Policy, an ApplicationSet or a file affects',
    builder: (command) =>
      appOptions(hubOptions(command))
        .positional('name', {
          describe:
            'configurations, Placements, policies or ApplicationSets, by name or namespace/name, optionally with the kind: placement/default/prod; or files and folders',
          type: 'string',
          array: true,
          demandOption: true,
          defaultDescription: 'none',
        })
        .option('output', outputOption)
        .epilogue(
          examples(terminal, {
            'fleetwright who-uses default/global-config': 'before editing a configuration',
            'fleetwright who-uses placement/prod': 'every Placement with this name',
            'fleetwright who-uses policy/etcd': 'the clusters of a Policy, and where it is enforced',
            'git diff --name-only --diff-filter=d main | xargs fleetwright who-uses':
              'what the files of a branch affect',
          }),
        ),
    handler: async (options) => {
      const apps = await resolveFromRoot(options, terminal);
      const { objects, files } = await namedThings(options.name, apps, terminal);
      const parts: readonly (ObjectPart | FilePart)[] = [
        ...(objects.length > 0 ? objectParts(objects, apps) : []),
        ...(files.length > 0 ? fileParts(files, apps) : []),
      ];
      printResults(parts, options, terminal, (part) =>
        'addOns' in part
          ? affectedText(part, textOptions(terminal))
          : whoUsesText(part.objects, textOptions(terminal)),
      );
      // The answer is incomplete without the other apps.
      end(apps.failed.length > 0 ? exitCode.findings : exitCode.clean);
    },
  };
}

type Source = Pick<AppResolution, 'app' | 'hub'>;

interface ObjectPart extends Source {
  readonly objects: readonly ObjectUses[];
}

type FilePart = Source & AffectedByFiles;

/**
 * Divides the words of a command line into objects, and files named as diagnostics name them.
 *
 * @throws UserError for a word that is neither, or both
 */
async function namedThings(
  words: readonly string[],
  apps: ResolvedApps,
  terminal: Terminal,
): Promise<{ objects: readonly string[]; files: readonly string[] }> {
  const { root } = await openWorkspace(terminal);
  const objects: string[] = [];
  const files: string[] = [];
  for (const word of words) {
    const file = path.resolve(terminal.cwd, word);
    const isFile = (await stat(file).catch(() => undefined)) !== undefined;
    const isObject = apps.resolved.some(({ resolution }) => whoUses(resolution, word).length > 0);
    if (isFile && isObject)
      throw new UserError(
        `${word} is a file or folder, and the name of a configuration or Placement`,
        `use ./${word} for the file, or put the kind in front of the name: placement/${word}`,
      );
    if (!isFile && !isObject) throw unknownWord(word, path.relative(root, file), apps);
    if (isFile) files.push(path.relative(root, file));
    else objects.push(word);
  }
  return { objects, files };
}

function unknownWord(word: string, file: string, apps: ResolvedApps): UserError {
  const sourceFiles = namesIn(apps, sourceFilesOf);
  if (/\.[a-z]+$/i.test(word))
    return new UserError(
      `${file}: no such file or folder`,
      didYouMean(file, sourceFiles, 'objects are written in') ?? 'plan shows what a deleted file changes',
    );
  const names = namesIn(apps, (resolution) =>
    [...usableObjects(resolution), ...placingObjects(resolution)].map(({ namespace, name }) =>
      word.includes('/') ? objectKey(namespace, name) : name,
    ),
  );
  return unknownName(
    `there is no configuration, Placement or file ${word}`,
    didYouMean(word, names, 'there are'),
    apps,
  );
}

function objectParts(names: readonly string[], { resolved }: ResolvedApps): readonly ObjectPart[] {
  const answers = resolved.map(({ app, hub, resolution }) => ({
    app,
    ...(hub && { hub }),
    objects: names.flatMap((name) => whoUses(resolution, name)),
  }));
  // An object that one app defines and another one uses is used.
  const used = new Set(
    answers.flatMap(({ objects }) => objects.flatMap((uses) => (isUnused(uses) ? [] : [uses.object]))),
  );
  return answers
    .map(({ objects, ...source }) => ({
      ...source,
      objects: objects.filter((uses) => !isUnused(uses) || !used.has(uses.object)),
    }))
    .filter(({ objects }) => objects.length > 0);
}

function isUnused({ uses, lost, followers, placed = [] }: ObjectUses): boolean {
  return uses.length + lost.length + followers.length + placed.length === 0;
}

function fileParts(files: readonly string[], { resolved }: ResolvedApps): readonly FilePart[] {
  const answers = resolved.map(({ app, hub, resolution }) => ({
    app,
    ...(hub && { hub }),
    ...affectedBy(resolution, files),
  }));
  // A file belongs to one app: the others have nothing to report.
  const reached = answers.filter(({ objects }) => objects.length > 0);
  return reached.length > 0 ? reached : answers.slice(0, 1);
}
