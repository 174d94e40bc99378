import type { CommandModule } from 'yargs';
import { objectKey, type ObjectUses, whoUses, whoUsesText } from '../../compiler/index.ts';
import { usableObjects } from '../../compiler/compare/usable-objects.ts';
import { didYouMean } from '../../compiler/model/suggestion.ts';
import { appOptions, resolveFromRoot } from '../app-resolutions.ts';
import { examples } from '../examples.ts';
import { hubOptions } from '../options.ts';
import { outputOption, printResults, textOptions, type OutputArguments } from '../terminal/print-results.ts';
import { type Terminal } from '../terminal/terminal.ts';
import { namesIn, unknownName } from '../unknown-names.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';

interface Arguments extends OutputArguments {
  readonly object: string;
}

/** `who-uses OBJECT`: the clusters that a configuration or a Placement affects. */
export function whoUsesCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'who-uses <object>',
    describe: 'List the add-ons that use a configuration or a Placement, and on which clusters',
    builder: (command) =>
      appOptions(hubOptions(command))
        .positional('object', {
          describe: 'name or namespace/name, optionally with the kind: placement/default/prod',
          type: 'string',
          demandOption: true,
        })
        .option('output', outputOption)
        .epilogue(
          examples(terminal, {
            'fleetwright who-uses default/global-config': 'before editing a configuration',
            'fleetwright who-uses placement/prod': 'every Placement with this name',
          }),
        ),
    handler: async (options) => {
      const { object } = options;
      const apps = await resolveFromRoot(options, terminal);
      const answers = apps.resolved.map(({ app, hub, resolution }) => ({
        app,
        ...(hub && { hub }),
        objects: whoUses(resolution, object),
      }));
      if (answers.every(({ objects }) => objects.length === 0)) {
        const names = namesIn(apps, (resolution) =>
          usableObjects(resolution).map(({ namespace, name }) =>
            object.includes('/') ? objectKey(namespace, name) : name,
          ),
        );
        const hint = didYouMean(object, names, 'there are');
        throw unknownName(`there is no configuration or Placement ${object}`, hint, apps);
      }
      // An object that one app defines and another one uses is used.
      const used = new Set(
        answers.flatMap(({ objects }) => objects.flatMap((uses) => (isUnused(uses) ? [] : [uses.object]))),
      );
      const shown = answers
        .map(({ objects, ...asked }) => ({
          ...asked,
          objects: objects.filter((uses) => !isUnused(uses) || !used.has(uses.object)),
        }))
        .filter(({ objects }) => objects.length > 0);
      printResults(shown, options, terminal, ({ objects }) => whoUsesText(objects, textOptions(terminal)));
      // The answer is incomplete without the other apps.
      end(apps.failed.length > 0 ? exitCode.findings : exitCode.clean);
    },
  };
}

function isUnused({ uses, lost, followers }: ObjectUses): boolean {
  return uses.length + lost.length + followers.length === 0;
}
