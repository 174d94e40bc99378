import type { CommandModule } from 'yargs';
import { clusterText, codes, explainAddOn, explainCluster, explanationText } from '../../compiler/index.ts';
import { didYouMean } from '../../compiler/model/suggestion.ts';
import { appOptions, nothingResolved, resolveFromRoot, type ResolvedApps } from '../app-resolutions.ts';
import { examples } from '../examples.ts';
import { resolveForHub } from '../hub-resolution.ts';
import { oneHub } from '../hub-selection.ts';
import { hubAddressOptions, hubOptions } from '../options.ts';
import { pageOfCode } from '../../workspace/code-pages.ts';
import { packagedFile } from '../../workspace/packaged-file.ts';
import { outputOption, printResults, textOptions, type OutputArguments } from '../terminal/print-results.ts';
import { readShowSecrets, showSecretsOption } from '../show-secrets.ts';
import { type Terminal } from '../terminal/terminal.ts';
import { unknownAddOn, unknownCluster } from '../unknown-names.ts';
import { UserError } from '../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import type { HubAddress } from '../../workspace/hub/connect-to-hub.ts';
import { workspacePolicies } from '../../workspace/workspace.ts';

interface Arguments extends OutputArguments, HubAddress {
  readonly against: string | undefined;
  readonly cluster: string;
  readonly addon: string | undefined;
  readonly field: string | undefined;
  readonly 'show-secrets': boolean;
}

/**
 * `explain CLUSTER [ADDON [FIELD]]`: what a cluster receives, why it has an add-on, and the source of each of its
 * values. `explain CODE` prints the page of a diagnostic.
 */
export function explainCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'explain <cluster> [addon] [field]',
    describe:
      'Explain what a cluster gets, why it has an add-on, where each value comes from, or a diagnostic',
    builder: (command) =>
      appOptions(hubAddressOptions(hubOptions(command)))
        .positional('cluster', {
          describe: 'name of a ManagedCluster, or a code such as FW7001',
          type: 'string',
          demandOption: true,
        })
        .positional('addon', {
          describe: 'name of a ClusterManagementAddOn',
          type: 'string',
          defaultDescription: 'all add-ons',
        })
        .positional('field', {
          describe: 'a field of the configuration, or a manifest and one of its fields',
          type: 'string',
          defaultDescription: 'all values',
        })
        .option('against', {
          describe: 'explain the working tree for the fleet of the hub of the kubeconfig',
          choices: ['hub'],
        })
        .option('output', outputOption)
        .option('show-secrets', showSecretsOption)
        .epilogue(
          examples(terminal, {
            'fleetwright explain cluster1': 'everything that a cluster gets',
            'fleetwright explain cluster1 helloworld': 'everything about one add-on on one cluster',
            'fleetwright explain cluster1 helloworld LOG_LEVEL': 'one variable, with the overridden values',
            "fleetwright explain cluster1 helloworld 'Deployment/agent .spec.template.spec.containers[0].image'":
              'the source of a rendered value',
            'fleetwright explain cluster1 --against hub':
              'with the labels, taints and statuses that the hub has now',
            'fleetwright explain FW7001': 'a diagnostic and its remedy',
          }),
        ),
    handler: async (options) => {
      const { cluster, addon } = options;
      if (/^FW\d+$/i.test(cluster) && addon === undefined) await printPage(cluster.toUpperCase(), terminal);
      else if (addon === undefined) await printCluster(options, terminal);
      else await printAddOn({ ...options, addon }, terminal);
      end(exitCode.clean);
    },
  };
}

/** @throws UserError if there is no such code. */
async function printPage(code: string, terminal: Terminal): Promise<void> {
  if (!Object.hasOwn(codes, code)) {
    throw new UserError(
      `unknown diagnostic ${code}`,
      didYouMean(code, Object.keys(codes), 'the diagnostics are'),
    );
  }
  terminal.out(await packagedFile(pageOfCode(code)));
}

/** Resolves the apps for their fleet snapshots, or for the hub. @throws UserError if options contradict each other */
async function resolveApps(options: Arguments, terminal: Terminal): Promise<ResolvedApps> {
  const { against, context, fleet, kubeconfig, path } = options;
  if (against === undefined) {
    if ((kubeconfig ?? context) !== undefined)
      throw new UserError('--kubeconfig and --context select a hub to read', 'add --against hub');
    return await resolveFromRoot(options, terminal);
  }
  if (path.length + fleet.length > 0)
    throw new UserError('--against hub reads the apps, and the fleet of the hub', 'omit --path and --fleet');
  const what = 'explain --against hub reads one hub, and the workspace has several';
  const resolved = await resolveForHub(options, await oneHub(terminal, options, what));
  if (resolved === undefined) throw nothingResolved();
  const { resolution, target } = resolved;
  return { resolved: [{ app: '', target, resolution }], failed: [] };
}

/** @throws UserError if the fleet has no such cluster. */
async function printCluster(options: Arguments, terminal: Terminal): Promise<void> {
  const { cluster } = options;
  const apps = await resolveApps(options, terminal);
  const explained = apps.resolved.flatMap(({ app, hub, target, resolution }) => {
    const explanation = explainCluster(resolution, cluster, target.hub);
    return explanation === undefined ? [] : [{ app, ...(hub && { hub }), ...explanation }];
  });
  if (explained.length === 0) throw unknownCluster(cluster, apps);
  printResults(explained, options, terminal, (part) => clusterText(part, textOptions(terminal)));
}

/** @throws UserError if the fleet has no such cluster, or if the add-on or field does not exist. */
async function printAddOn(
  options: Arguments & { readonly addon: string },
  terminal: Terminal,
): Promise<void> {
  const { cluster, addon, field = '' } = options;
  const showSecrets = readShowSecrets(options, terminal);
  const { sensitive } = await workspacePolicies(terminal);
  const apps = await resolveApps(options, terminal);
  const hubs = new Set(
    apps.resolved.flatMap(({ hub, resolution }) => (resolution.decisions.clusters.has(cluster) ? [hub] : [])),
  );
  if (hubs.size === 0) throw unknownCluster(cluster, apps);
  // The cluster is in none of the other hubs.
  const ofHubs = apps.resolved.filter(({ hub }) => hubs.has(hub));
  const explained = ofHubs.flatMap(({ app, hub, target, resolution }) => {
    const explanation = explainAddOn(resolution, addon, cluster, field, target.hub, {
      showSecrets,
      sensitive,
    });
    return explanation === undefined ? [] : [{ app, ...(hub && { hub }), ...explanation }];
  });
  if (explained.length === 0) throw unknownAddOn(addon, apps);
  const [unknown] = explained.flatMap(({ unknown }) => unknown ?? []);
  const understood = explained.filter((part) => part.unknown === undefined);
  if (unknown !== undefined && understood.length === 0) throw new UserError(unknown.message, unknown.hint);
  printResults(understood, options, terminal, (part) => explanationText(part, textOptions(terminal)));
}
