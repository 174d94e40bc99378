import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { type Diagnostic, hasErrors } from '../../../compiler/index.ts';
import { asTemplate, type PlacementName, type TemplateTarget } from '../../../importer/as-template.ts';
import { isDnsLabel, isDnsSubdomain } from '../../../base/names/name-syntax.ts';
import { connectToHub, type HubAddress } from '../../../workspace/hub/connect-to-hub.ts';
import { readHub } from '../../../workspace/hub/hub-state.ts';
import { asAppAndFleet } from '../../../workspace/hub/imported-objects.ts';
import { readInputs, type Inputs } from '../../../workspace/inputs/inputs.ts';
import { printDiagnostics } from '../../terminal/print-diagnostics.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { maskOf } from '../../../workspace/masked-findings.ts';
import { workspaceInputs, workspacePolicies } from '../../../workspace/workspace.ts';
import { isChart } from '../../../workspace/charts/read-chart.ts';
import { writing } from '../../../workspace/lock/writing.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { hubAddressOptions } from '../../options.ts';
import { importedChartOptions, refuseChartOptions, type ImportedChartArguments } from './chart-options.ts';
import { defaultFolder } from './destination.ts';
import { importChart } from './import-chart.ts';
import { writeObjectsApp } from './objects-app.ts';

interface Arguments extends HubAddress, ImportedChartArguments {
  readonly path: readonly string[];
  readonly 'from-hub': boolean;
  readonly 'as-template': string | undefined;
  readonly placement: string | undefined;
  readonly parameters: boolean;
  readonly out: string | undefined;
  readonly overwrite: boolean;
}

/** `import PATH…`, `import --from-hub`: writes existing objects as an app. */
export function importCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'import [path..]',
    describe: 'Convert YAML files, a Helm chart, or the objects of a hub, into an app',
    builder: (command) =>
      importedChartOptions(hubAddressOptions(command))
        .positional('path', {
          describe:
            'a YAML file, a folder, a Helm chart (folder, .tgz, oci:// or https:// address), or - for standard input',
          type: 'string',
          array: true,
          default: [] as string[],
          defaultDescription: 'none',
        })
        .option('from-hub', {
          describe: 'read the hub of a kubeconfig instead of files',
          type: 'boolean',
          default: false,
        })
        .option('as-template', {
          describe:
            'name of a new add-on that delivers the objects to the clusters; by default, a chart has its own name',
          type: 'string',
        })
        .option('placement', {
          describe: 'Placement of the new add-on, as NAMESPACE/NAME',
          type: 'string',
          defaultDescription: 'a new one that selects all clusters',
        })
        .option('parameters', {
          describe: 'convert AddOnDeploymentConfigs into parameters with layers',
          type: 'boolean',
          default: false,
        })
        .option('out', {
          describe: 'folder of the app',
          type: 'string',
          defaultDescription: 'apps/imported, or apps/NAME with --as-template, in the workspace',
        })
        .option('overwrite', {
          describe: 'replace existing files, and remove those of an earlier import',
          type: 'boolean',
          default: false,
        })
        .epilogue(
          examples(terminal, {
            'fleetwright import manifests/ --out apps/metrics': 'every YAML file of a folder',
            'fleetwright import manifests/ --parameters': 'configurations as parameters with layers',
            'fleetwright import deploy/ --as-template metrics': 'a workload as an add-on, in apps/metrics',
            'fleetwright import charts/metrics': 'a Helm chart as an add-on, in apps/metrics',
            'fleetwright import oci://ghcr.io/stefanprodan/charts/podinfo:6.7.1': 'a chart in a registry',
            'fleetwright import https://charts.jetstack.io --chart cert-manager --version 1.16.2':
              'a chart in a repository',
            'fleetwright import --from-hub --context hub --out apps/hub':
              'the objects that users created on a hub',
            'kubectl get placements -A -o yaml | fleetwright import -': 'the output of kubectl',
          }),
        ),
    handler: async (options) => {
      const target = options.out ?? (await defaultFolder(terminal, 'imported'));
      // Also what the app depends on, such as the fleet of the workspace, stays as it is.
      end(await writing(target, 'import', terminal, async () => await importApp(options, terminal)));
    },
  };
}

async function importApp(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const { path: paths, overwrite } = options;
  const isOfChart = await Promise.all(paths.map((given) => isChart(given, terminal.cwd)));
  const chart = paths.find((_, index) => isOfChart[index]);
  if (chart !== undefined) {
    if (paths.length > 1)
      throw new UserError(`${chart} is a Helm chart`, 'import each chart alone: it becomes an app');
    const { placement } = options;
    return await importChart(
      {
        given: chart,
        selection: {
          chart: options.chart,
          version: options.version,
          plainHttp: options['plain-http'],
        },
        addOn: options['as-template'],
        placement: placement === undefined ? undefined : placementName(placement),
        namespace: options.namespace,
        valuesFiles: options.values,
        out: options.out,
        mode: options.upgrade ? 'upgrade' : options.overwrite ? 'overwrite' : 'create',
      },
      terminal,
    );
  }
  refuseChartOptions(options);
  const { sensitive } = await workspacePolicies(terminal);
  const out = options.out ?? (await defaultFolder(terminal, options['as-template'] ?? 'imported'));
  if (options['from-hub'] === paths.length > 0) {
    throw new UserError(
      'missing path to import',
      'YAML files or folders, - for standard input, or --from-hub',
    );
  }
  const target = templateTarget(options);
  const inputs = options['from-hub']
    ? await hubInputs(options, terminal)
    : await readInputs(paths, [], terminal, { kustomize: (await workspaceInputs(terminal)).kustomize });
  if (!options['from-hub'] && inputs.objects.some(({ origin }) => 'construct' in origin.location))
    throw new UserError('the input is already an app', 'import reads YAML');
  const masked = maskOf({ ...inputs, sensitive }, terminal);
  const print = (diagnostics: readonly Diagnostic[]): boolean =>
    printDiagnostics(masked(diagnostics), inputs.texts, terminal);
  if (hasErrors(inputs.diagnostics)) {
    print(inputs.diagnostics);
    return exitCode.findings;
  }
  if (inputs.objects.length === 0) throw new UserError('no objects to import');
  const { value: objects, diagnostics: unsuitable } =
    target === undefined ? { value: inputs.objects, diagnostics: [] } : asTemplate(inputs.objects, target);
  if (hasErrors(unsuitable)) {
    print([...inputs.diagnostics, ...unsuitable]);
    return exitCode.findings;
  }
  return await writeObjectsApp(
    {
      objects,
      texts: inputs.texts,
      out,
      overwrite,
      parameters: options.parameters,
      print: (diagnostics) => print([...inputs.diagnostics, ...unsuitable, ...diagnostics]),
    },
    terminal,
  );
}

/**
 * Returns the add-on that the options describe.
 *
 * @throws UserError if they contradict each other.
 */
function templateTarget({
  'from-hub': fromHub,
  'as-template': addOn,
  placement: selected,
}: Pick<Arguments, 'from-hub' | 'as-template' | 'placement'>): TemplateTarget | undefined {
  if (addOn === undefined) {
    if (selected === undefined) return undefined;
    throw new UserError('--placement needs --as-template', 'it is the Placement of the new add-on');
  }
  if (fromHub)
    throw new UserError('--as-template needs files', 'use it without --from-hub: a hub has no workloads');
  return selected === undefined ? { addOn } : { addOn, placement: placementName(selected) };
}

/** @throws UserError if it is not the name of a Placement. */
function placementName(text: string): PlacementName {
  const [namespace = '', name = '', ...rest] = text.split('/');
  if (!isDnsLabel(namespace) || !isDnsSubdomain(name) || rest.length > 0)
    throw new UserError(`--placement cannot be ${JSON.stringify(text)}`, 'write it as NAMESPACE/NAME');
  return { namespace, name };
}

type ImportInputs = Pick<Inputs, 'objects' | 'diagnostics' | 'texts'>;

async function hubInputs(address: HubAddress, terminal: Terminal): Promise<ImportInputs> {
  const connection = await connectToHub(address, terminal.cwd);
  const snapshot = await readHub(connection, [], terminal.now());
  return { objects: asAppAndFleet(snapshot), diagnostics: [], texts: new Map() };
}
