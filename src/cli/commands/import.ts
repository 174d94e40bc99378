import { counted } from '../../compiler/model/words.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import { examples } from '../examples.ts';
import { type Diagnostic, hasErrors } from '../../compiler/index.ts';
import { asTemplate, type PlacementName, type TemplateTarget } from '../../importer/as-template.ts';
import { isDnsLabel, isDnsSubdomain } from '../../base/names/name-syntax.ts';
import { importObjects, type ImportedApp, type ImportProgress } from '../../importer/import-objects.ts';
import { terminalLine } from '../../compiler/report/text/terminal-line.ts';
import { connectToHub, type HubAddress } from '../../workspace/hub/connect-to-hub.ts';
import { readHub } from '../../workspace/hub/hub-state.ts';
import { asAppAndFleet } from '../../workspace/hub/imported-objects.ts';
import { readInputs, type Inputs } from '../../workspace/inputs/inputs.ts';
import { printDiagnostics } from '../terminal/print-diagnostics.ts';
import { type Terminal } from '../terminal/terminal.ts';
import { maskOf } from '../../workspace/masked-findings.ts';
import {
  fleetOfWorkspace,
  openWorkspace,
  workspaceInputs,
  workspaceRoot,
  workspacePolicies,
} from '../../workspace/workspace.ts';
import { installedPackage } from '../../workspace/app/installed-package.ts';
import { isChart } from '../../workspace/inputs/read-chart.ts';
import { writing } from '../../workspace/lock/writing.ts';
import { plusModuleOf } from '../../workspace/inputs/plus-module.ts';
import { writeApp } from '../../workspace/output/imported-app.ts';
import { UserError } from '../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { hubAddressOptions } from '../options.ts';
import { importChart } from './import-chart.ts';
import type { Host } from '../../workspace/host.ts';

interface Arguments extends HubAddress {
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
      hubAddressOptions(command)
        .positional('path', {
          describe: 'a YAML file, a folder, a Helm chart (folder or .tgz), or - for standard input',
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
        chart,
        addOn: options['as-template'],
        placement: placement === undefined ? undefined : placementName(placement),
        overwrite,
        folderOf: async (name) => options.out ?? (await defaultFolder(terminal, name)),
        nextSteps: async (folder) =>
          nextSteps(await destinationOf(folder, terminal), { hasFleet: false, isTypeScript: true }),
      },
      terminal,
    );
  }
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
  const plusModule = await plusModuleOf(await workspaceRoot(terminal.cwd));
  const [{ ConstructSynthesizer }, plus] = await Promise.all([
    // cdk8s takes a while to load
    import('../../workspace/construct-synthesizer.ts'),
    plusModule.load(),
  ]);
  const destination = await destinationOf(out, terminal);
  const texts = [...inputs.texts].map(([file, text]) => ({ file, text }));
  const { value: app, diagnostics } = importObjects(
    objects,
    texts,
    new ConstructSynthesizer(plus),
    progressShownBy(terminal),
    { parameters: options.parameters, hasFleet: destination.hasFleet, plusModule: plusModule.name },
  );
  terminal.progress?.('');
  print([...inputs.diagnostics, ...unsuitable, ...diagnostics]);
  if (app === undefined) return exitCode.findings;
  if (app.files.size === 0) throw new UserError('the input has nothing that an app emits');
  const removed = await writeApp(terminal.cwd, out, app.files, overwrite);
  const next = nextSteps(destination, { hasFleet: app.hasClusters, isTypeScript: app.files.has('app.ts') });
  terminal.out(summary(app, out, removed, next));
  return exitCode.clean;
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

/** Shows each step, and the progress of the longest one in whole percents. */
function progressShownBy({ progress }: Terminal): ((step: ImportProgress) => void) | undefined {
  if (progress === undefined) return undefined;
  let shown = '';
  return (now) => {
    const share = now.step === 'create' ? ` ${Math.floor((100 * now.done) / now.total)}%` : '';
    const text = `${now.step}${share} …`;
    if (text !== shown) progress(text);
    shown = text;
  };
}

async function defaultFolder(host: Host, name: string): Promise<string> {
  const { root, settings } = await openWorkspace(host);
  return path.join(path.relative(host.cwd, root), settings.apps, name);
}

type ImportInputs = Pick<Inputs, 'objects' | 'diagnostics' | 'texts'>;

async function hubInputs(address: HubAddress, terminal: Terminal): Promise<ImportInputs> {
  const connection = await connectToHub(address, terminal.cwd);
  const snapshot = await readHub(connection, [], terminal.now());
  return { objects: asAppAndFleet(snapshot), diagnostics: [], texts: new Map() };
}

function summary(app: ImportedApp, out: string, removed: readonly string[], next: readonly string[]): string {
  const { files, created, asYaml, parameters, fleet, missing } = app;
  const parts = [
    `${counted(created, 'object')} in TypeScript`,
    ...(asYaml === 0 ? [] : [`${counted(asYaml, 'object')} as YAML`]),
    ...(parameters === 0 ? [] : [`the configurations of ${counted(parameters, 'add-on')} as parameters`]),
    ...(fleet === 0 ? [] : [`${counted(fleet, 'object')} of the fleet, which synth reads and does not emit`]),
  ];
  const names = (lines: readonly string[]): string =>
    lines.map((line) => `  ${terminalLine(line)}\n`).join('');
  const references = missing.length === 0 ? '' : `\nReferenced, but not in the input:\n${names(missing)}`;
  const changedFiles = [...files.keys(), ...removed.map((name) => `${name}, removed: of an earlier import`)];
  return `${terminalLine(out)}: ${parts.join(', ')}\n${names(changedFiles)}${references}\nNext steps:\n${names(next)}`;
}

/** Where an app is written. */
interface Destination {
  /** As the user named it. */
  readonly folder: string;
  /** Whether the workspace compiles the app with its other apps. */
  readonly isAmongApps: boolean;
  /** Whether the app reads the fleet of the workspace, unless it has a separate one. */
  readonly hasFleet: boolean;
  /** The commands that install what TypeScript imports. */
  readonly installation: readonly string[];
}

async function destinationOf(folder: string, host: Host): Promise<Destination> {
  const { root, settings } = await openWorkspace(host);
  const target = path.resolve(host.cwd, folder);
  const isAmongApps = path.dirname(target) === path.resolve(root, settings.apps);
  return {
    folder,
    isAmongApps,
    hasFleet:
      isAmongApps && (settings.hubs.length > 1 || (await fleetOfWorkspace(root, settings)).length > 0),
    installation: await installationFor(target, root),
  };
}

/** Returns the commands that install the constructs for a folder. Empty if they are installed. */
async function installationFor(target: string, root: string): Promise<readonly string[]> {
  if (installedPackage('fleetwright', target) !== undefined) return [];
  const manifest = await readFile(path.join(root, 'package.json'), 'utf8').catch(() => '');
  return manifest.includes('"fleetwright"')
    ? ['npm install']
    : ['fleetwright init --existing', 'npm install'];
}

/** Returns the commands that follow an import. */
function nextSteps(
  { folder, isAmongApps, hasFleet, installation }: Destination,
  app: { readonly hasFleet: boolean; readonly isTypeScript: boolean },
): readonly string[] {
  // without --out, the snapshot is that of all apps
  const pull = `fleetwright fleet pull${isAmongApps ? '' : ` --out ${path.join(folder, 'fleet.yaml')}`}`;
  return [
    ...(app.isTypeScript ? installation : []),
    ...(hasFleet || app.hasFleet ? [] : [pull]),
    isAmongApps ? `fleetwright synth ${path.basename(folder)}` : `fleetwright validate ${folder}`,
    ...(isAmongApps ? ['fleetwright plan HEAD'] : []),
  ];
}
