import type { CommandModule } from 'yargs';
import {
  compareHubs,
  type HubComparison,
  hubComparisonJson,
  hubComparisonMarkdown,
  hubComparisonText,
  hubProfile,
  readableAnswer,
  type Resolution,
} from '../../compiler/index.ts';
import { hasFleet } from '../../compiler/model/needs-fleet.ts';
import { readPolicies } from '../../workspace/settings/policies.ts';
import { settingsFile } from '../../workspace/settings/settings.ts';
import { selectedHubs } from '../../workspace/settings/hubs.ts';
import { UserError } from '../../workspace/user-error.ts';
import { openWorkspace } from '../../workspace/workspace.ts';
import { resolveFromRoot, type ResolvedApps } from '../app-resolutions.ts';
import { examples } from '../examples.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { appsOption, hubOptions, listOption, type AppsArgument, type HubArguments } from '../options.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface Arguments extends HubArguments, AppsArgument {
  readonly 'hub-a': string;
  readonly 'hub-b': string;
  readonly app: readonly string[];
  readonly by: string | undefined;
  readonly output: string;
}

const formats: Readonly<Record<string, (comparison: HubComparison) => string>> = {
  text: (comparison) => hubComparisonText(readableAnswer(comparison)),
  json: hubComparisonJson,
  markdown: (comparison) => hubComparisonMarkdown(readableAnswer(comparison)),
};

/** `diff HUB-A HUB-B`: the effective configurations of two hubs compared. */
export function diffCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'diff <hub-a> <hub-b>',
    describe: 'Compare the effective configurations of two hubs of the workspace',
    builder: (command) =>
      appsOption(hubOptions(command))
        .positional('hub-a', { describe: 'name of a hub', type: 'string', demandOption: true })
        .positional('hub-b', { describe: 'name of another hub', type: 'string', demandOption: true })
        .option('app', { ...listOption, describe: 'names or folders of apps', defaultDescription: 'all' })
        .option('by', {
          describe: 'cluster labels by which clusters of the hubs correspond to each other',
          type: 'string',
          defaultDescription: `plan.by of ${settingsFile}, else all clusters correspond`,
        })
        .option('output', {
          alias: 'o',
          describe: 'format',
          choices: Object.keys(formats),
          default: 'text',
        })
        .epilogue(
          examples(terminal, {
            'fleetwright diff staging prod': 'the values that differ; exits 3 if there are any',
            'fleetwright diff prod-eu prod-us --by env,canary': 'clusters with the same labels compared',
          }),
        ),
    handler: async (options) => {
      end(await diff(options, terminal));
    },
  };
}

async function diff(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { 'hub-a': a, 'hub-b': b, output } = options;
  if (a === b) throw new UserError(`diff compares two hubs, and both are ${a}`, 'name two hubs');
  const { host, settings } = await openWorkspace(terminal);
  selectedHubs(
    settings.hubs.map(({ name }) => name),
    [a, b],
  );
  const by = options.by?.split(',').filter((label) => label !== '') ?? settings.by;
  const { sensitive } = await readPolicies({ policy: undefined }, host);
  const profileOf = async (hub: string) => {
    const apps = await resolveFromRoot({ ...options, hub: [hub], path: [], fleet: [] }, terminal);
    return { hub, profile: hubProfile(resolutionsOf(hub, apps), { by, sensitive }) };
  };
  const comparison = compareHubs(await profileOf(a), await profileOf(b), by);
  terminal.out(formats[output]?.(comparison) ?? '');
  return comparison.equal ? exitCode.clean : exitCode.changes;
}

/** @throws UserError if apps do not resolve, or the hub has no fleet: every comparison would be equal */
function resolutionsOf(hub: string, { resolved, failed }: ResolvedApps): readonly Resolution[] {
  if (failed.length > 0)
    throw new UserError(
      `${failed.join(', ')} cannot be resolved for hub ${hub}, so there is nothing to compare`,
    );
  const resolutions = resolved.map(({ resolution }) => resolution);
  if (!resolutions.some(({ inventory }) => hasFleet(inventory)))
    throw new UserError(
      `hub ${hub} has no fleet snapshot, so there is nothing to compare`,
      `fleetwright fleet pull --hub ${hub}`,
    );
  return resolutions;
}
