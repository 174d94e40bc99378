import type { CommandModule } from 'yargs';
import { yamlDocument } from '../compiler/emit/yaml.ts';
import { goJson } from '../compiler/go-json.ts';
import { appOptions, resolveApps, type AppArguments } from './app-resolutions.ts';
import { hubOptions, readHubOptions, type HubArguments } from './options.ts';
import { CommandError, exitCode, type ExitCode, type Terminal } from './terminal.ts';

interface Arguments extends HubArguments, AppArguments {
  readonly cluster: string;
  readonly addon: string;
  readonly output: string;
}

/** `render CLUSTER ADDON`: the manifests that the cluster receives. */
export function renderCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'render <cluster> <addon>',
    describe: 'Print the manifests that an add-on brings to a cluster',
    builder: (command) =>
      appOptions(hubOptions(command))
        .positional('cluster', { describe: 'name of the ManagedCluster', type: 'string', demandOption: true })
        .positional('addon', {
          describe: 'name of the ClusterManagementAddOn',
          type: 'string',
          demandOption: true,
        })
        .option('output', {
          alias: 'o',
          describe: 'manifests as YAML, or the whole ManifestWorks as JSON',
          choices: ['yaml', 'json'],
          default: 'yaml',
        })
        .example('$0 render cluster1 helloworld-template', 'what the work agent applies there')
        .example('$0 render cluster1 helloworld-template | kubectl diff -f -', 'beside what runs there'),
    handler: async (options) => {
      end(await renderAndPrint(options, terminal));
    },
  };
}

async function renderAndPrint(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { cluster, addon } = options;
  const resolutions = await resolveApps(options, readHubOptions(options), terminal);
  const rendered = resolutions.flatMap(
    ({ resolution }) => resolution.rendering.clusterAddOn(addon, cluster) ?? [],
  );
  const [first] = rendered;
  if (first === undefined) {
    const known = resolutions.some(({ resolution }) => resolution.configuration.has(addon));
    throw new CommandError(
      known ? `${addon} is not installed on ${cluster}` : `there is no add-on ${addon}`,
      known ? `fleetwright explain ${cluster} ${addon} says why` : undefined,
    );
  }
  if (options.output === 'json') {
    terminal.out(`${goJson(first.works)}\n`);
    return exitCode.clean;
  }
  const manifests = first.works.flatMap((work) => work.spec?.workload?.manifests ?? []);
  terminal.out(manifests.map((manifest) => yamlDocument(manifest)).join('---\n'));
  if (manifests.length > 0) return exitCode.clean;
  const condition = first.status.conditions.find(({ type }) => type === 'ManifestApplied');
  terminal.err(
    `nothing is delivered to ${cluster}${condition === undefined ? '' : `: ${condition.message}`}\n`,
  );
  return condition?.status === 'False' ? exitCode.findings : exitCode.clean;
}
