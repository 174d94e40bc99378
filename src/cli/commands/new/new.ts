import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import {
  appOutputs,
  checkEngineSetup,
  engineFolder,
  engineSetupInFiles,
} from '../../../workspace/output/engine-setup.ts';
import { writing } from '../../../workspace/lock/writing.ts';
import { createFiles } from '../../../workspace/output/create-files.ts';
import { plusModuleOf } from '../../../workspace/inputs/plus-module.ts';
import { DiagnosedError } from '../../../workspace/diagnosed-error.ts';
import { settingsFile } from '../../../workspace/settings/settings.ts';
import { isPresent } from '../../../workspace/settings/settings-text.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { fleetOfWorkspace, isFolder, openWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import { examples } from '../../examples.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { printDiagnostics } from '../../terminal/print-diagnostics.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { isRemoteChart } from '../../../workspace/charts/chart-source.ts';
import { chartOptions, refuseChartOptions, type ChartArguments } from '../import/chart-options.ts';
import { importChart } from '../import/import-chart.ts';
import { appFiles, templates, type AppForm, type TemplateName } from './app-templates.ts';
import { exampleFleet } from './example-fleet.ts';
import { groupsOfFleet } from '../../workspace-fleets.ts';

interface Arguments extends ChartArguments {
  readonly name: string;
  readonly typescript: boolean;
  readonly yaml: boolean;
  readonly template: TemplateName | undefined;
  readonly chart: string | undefined;
}

/** `new NAME`: adds an app to the workspace. */
export function newCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'new <name>',
    describe: 'Add an app to the workspace',
    builder: (command) =>
      chartOptions(command)
        .positional('name', {
          describe: 'name of the app and of its folder: a DNS label',
          type: 'string',
          demandOption: true,
        })
        .option('typescript', {
          describe: 'write the app in TypeScript, which is the default',
          type: 'boolean',
          default: false,
        })
        .option('yaml', { describe: 'write the app in YAML', type: 'boolean', default: false })
        .option('template', {
          describe: 'copy an example app, whose objects keep their names',
          choices: Object.keys(templates) as TemplateName[],
          defaultDescription: 'an add-on that greets from every cluster',
        })
        .option('chart', {
          describe: 'a Helm chart that the app delivers: a folder, a .tgz, an oci:// or https:// address',
          type: 'string',
          defaultDescription: 'none',
        })
        .epilogue(
          examples(terminal, {
            'fleetwright new metrics': 'apps/metrics/app.ts: an add-on with the name metrics',
            'fleetwright new metrics --yaml': 'the same as YAML',
            'fleetwright new policies --template policy-framework': 'apps/policies, a copy of an example',
            'fleetwright new cert-manager --chart https://charts.jetstack.io --version 1.16.2':
              'apps/cert-manager, with the chart of this name in a repository',
          }),
        ),
    handler: async (options) => {
      end(await addApp(options, terminal));
    },
  };
}

async function addApp(options: Arguments, started: Terminal): Promise<ExitCode> {
  const form = formOf(options);
  const workspace = await openWorkspace(started);
  const { settings, host } = workspace;
  return await writing(settings.apps, 'new', host, async () => await addTo(workspace, options, form));
}

async function addTo(workspace: Workspace<Terminal>, options: Arguments, form: AppForm): Promise<ExitCode> {
  const { name } = options;
  const { root, settings, host: terminal } = workspace;
  if (!isPresent(path.join(root, settingsFile)) && !isFolder(path.join(root, settings.apps)))
    throw refusal(
      `there is no ${settingsFile} in this folder or in a folder around it, so no workspace for the app`,
      'run the command in a workspace; fleetwright init creates one',
    );
  checkName(name);
  const folder = `${settings.apps}/${name}`;
  if ((await lstat(path.join(root, folder)).catch(() => undefined)) !== undefined)
    throw refusal(`there is already ${folder}`, 'choose another name, or delete the folder');
  if (options.chart !== undefined) return await addChart(options.chart, options, folder, workspace);
  const files = new Map<string, string | Uint8Array>();
  const plus = await plusModuleOf(root);
  for (const [file, content] of await appFiles(name, form, await groupsOfFleet(workspace), plus.name))
    files.set(`${folder}/${file}`, content);
  if (await needsFleet(workspace)) {
    const file = `${folder}/fleet.yaml`;
    files.set(file, await exampleFleet(`fleetwright fleet pull --out ${file}`));
  }
  try {
    await createFiles(root, files);
  } catch (error) {
    if (error instanceof DiagnosedError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${folder} cannot be written: ${reason}`, 'nothing was written');
  }
  for (const file of files.keys()) terminal.out(`${file}\n`);
  await warnIfNotApplied(name, workspace);
  terminal.out('\nNext: fleetwright synth\n');
  return exitCode.clean;
}

/** Adds an app that delivers a chart. In a repository, it is the chart of this name. */
async function addChart(
  chart: string,
  { name, version, values, namespace, 'plain-http': plainHttp }: Arguments,
  folder: string,
  workspace: Workspace<Terminal>,
): Promise<ExitCode> {
  const isRepository = /^https?:/i.test(chart) && !/\.(?:tgz|tar\.gz)(?:[?#]|$)/.test(chart);
  const code = await importChart(
    {
      given: isRemoteChart(chart) ? chart : workspace.path(chart),
      selection: { chart: isRepository ? name : undefined, version, plainHttp },
      addOn: name,
      placement: undefined,
      namespace,
      valuesFiles: values.map(workspace.path),
      out: folder,
      mode: 'create',
    },
    workspace.host,
  );
  if (code === exitCode.clean) await warnIfNotApplied(name, workspace);
  return code;
}

/** Reports that the objects of the engine do not apply the new app. Their files may also be in another repository. */
async function warnIfNotApplied(name: string, workspace: Workspace<Terminal>): Promise<void> {
  const { root, settings, host } = workspace;
  const engine = settings.engine;
  if (engine === 'none' || !isFolder(path.join(root, engineFolder))) return;
  const setup = await engineSetupInFiles([], host);
  const { diagnostics } = await checkEngineSetup(engine, setup, await appOutputs(workspace, engine, [name]));
  const uncovered = diagnostics.filter(({ code }) => code === 'FW9093');
  if (uncovered.length > 0) printDiagnostics(uncovered, setup.texts, host);
}

function formOf({ typescript, yaml, template, chart, ...ofChart }: Arguments): AppForm {
  if (chart === undefined) refuseChartOptions({ ...ofChart, chart, upgrade: false });
  else if (yaml || template !== undefined)
    throw new UserError(
      `--chart and --${yaml ? 'yaml' : 'template'} exclude each other`,
      'an app of a chart is in TypeScript',
    );
  if (yaml && typescript)
    throw new UserError('--yaml and --typescript exclude each other', 'omit one of them');
  if (yaml && template !== undefined)
    throw new UserError(
      `--yaml: the example ${template} is in TypeScript`,
      'omit --yaml; fleetwright synth writes the objects of the app as YAML',
    );
  return template === undefined ? (yaml ? 'yaml' : 'typescript') : { template };
}

/** File names that Windows reserves, and that are DNS labels. */
const reservedFileName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Namespaces of Kubernetes, OCM and the engines. An app that has one would delete it when the app is removed. */
const systemNamespace =
  /^(?:default|kube-.*|open-cluster-management(?:-(?:hub|agent|agent-addon|addon|global-set))?|argocd|openshift-gitops|flux-system)$/;

/**
 * Verifies the name of a new app: its folder, its add-on and its namespace on the hub have this name, and so has its Application
 * of Argo CD.
 *
 * @throws DiagnosedError if the name is invalid
 */
function checkName(name: string): void {
  if (!/^[a-z0-9]([-a-z0-9]{0,55}[a-z0-9])?$/.test(name))
    throw refusal(
      `"${name}" is not a valid name of an app, because objects of Kubernetes have the same name`,
      'use lowercase letters, digits and dashes, at most 57 characters; the first and the last must be a letter or a digit',
    );
  if (reservedFileName.test(name))
    throw refusal(`"${name}" is not a valid name of an app, because Windows reserves it`, 'use another name');
  if (systemNamespace.test(name))
    throw refusal(
      `"${name}" is not a valid name of an app, because the hub has a namespace of this name`,
      'use another name',
    );
}

/** Whether an app needs a separate fleet. The hubs of a workspace have fleets, and so has a workspace with one fleet for all apps. */
async function needsFleet({ root, settings }: Workspace): Promise<boolean> {
  return settings.hubs.length < 2 && (await fleetOfWorkspace(root, settings)).length === 0;
}

function refusal(message: string, hint: string): DiagnosedError {
  return new DiagnosedError(diagnostic('FW9092', { message, hint }));
}
