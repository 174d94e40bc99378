import { checkNamedApps } from '../../../workspace/settings/named-apps.ts';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { type Engine, engines, type Tree } from '../../../compiler/index.ts';
import { sharedObjects, type AppObjects } from '../../../compiler/emit/shared-objects.ts';
import { previewRelease } from '../../../workspace/settings/preview-release.ts';
import { existingApps, namedApps } from '../../../workspace/inputs/app-names.ts';
import { compileApp } from '../../../workspace/output/compile-app.ts';
import { missingFleet, type ReadInventory } from '../../../workspace/inputs/missing-fleet.ts';
import { fleetOption, hubOptions, listOption, readHubOptions, type HubArguments } from '../../options.ts';
import { refusePromoted } from '../../../promotion/git/refuse-promoted.ts';
import { readPolicies } from '../../../workspace/settings/policies.ts';
import { readWorkspaceSettings, settingsFile } from '../../../workspace/settings/settings.ts';
import { FindingsReport, noFindingOptions } from '../../terminal/findings-report.ts';
import { Stopwatch } from '../../../workspace/stopwatch.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../../exit-code.ts';
import { isManifest } from '../../../compiler/emit/manifest-file.ts';
import { openWorkspace, workspacePolicy } from '../../../workspace/workspace.ts';
import { hubSelectionOption, oneHub, type HubSelection } from '../../hub-selection.ts';
import { defaultSettings } from '../../../workspace/settings/default-settings.ts';
import type { Host } from '../../../workspace/host.ts';

interface Arguments extends HubArguments, HubSelection {
  readonly folder: string;
  readonly app: readonly string[];
  readonly fleet: readonly string[];
  readonly engine: Engine | undefined;
}

/** `machine generate [FOLDER]`: prints the manifests of an app to standard output, as plugins of Argo CD do. */
export function generateCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'generate [folder]',
    describe: 'Print the manifests of an app, as an Argo CD plugin',
    builder: (command) =>
      hubSelectionOption(hubOptions(command))
        .positional('folder', {
          describe: 'folder of an app, or a folder that contains apps/',
          type: 'string',
          default: '.',
        })
        .option('app', { ...listOption, describe: 'names of folders in apps/', defaultDescription: 'all' })
        .option('fleet', fleetOption('of each app'))
        .option('engine', {
          describe: 'GitOps engine, which determines how the output expresses its order',
          choices: engines,
          defaultDescription: `engine of ${settingsFile}, else ${defaultSettings.engine}`,
        })
        .epilogue(
          examples(terminal, {
            'fleetwright machine generate apps/helloworld': 'the manifests that Argo CD would apply',
          }),
        ),
    handler: async (options) => {
      const what = 'machine generate prints the manifests of one hub, and the workspace has several';
      const folder = path.resolve(terminal.cwd, options.folder);
      const { hub } = await oneHub({ ...terminal, cwd: folder }, options, what);
      end(await generate(options, hub === undefined ? terminal : { ...terminal, hub }));
    },
  };
}

async function generate(options: Arguments, terminal: Terminal): Promise<ExitCode> {
  const folder = path.resolve(terminal.cwd, options.folder);
  const { settings } = await openWorkspace({ ...terminal, cwd: folder });
  const compileTarget = readHubOptions(options, settings);
  const engine = options.engine ?? settings.engine;
  const policies = await readPolicies({ policy: await policyOf(folder, terminal.cwd) }, terminal);
  const report = new FindingsReport(policies.findings, noFindingOptions, terminal);
  report.print(policies.diagnostics, policies.texts);
  const trees: Tree[] = [];
  const appsOfHub: AppObjects[] = [];
  const inventories: ReadInventory[] = [];
  const texts = new Map<string, string>();
  const apps = await appsOf(options, terminal);
  await refusePromoted(
    apps.map((app) => app.folder),
    terminal,
  );
  for (const { name, folder } of apps) {
    const inputs = { path: [folder], fleet: options.fleet };
    const target = { ...compileTarget, engine, policies };
    const app = await compileApp(inputs, target, terminal, new Stopwatch(terminal));
    report.print(app.diagnostics, app.texts);
    if (app.resolution !== undefined) inventories.push({ app: folder, inventory: app.resolution.inventory });
    if (app.resolution === undefined || app.emitted === undefined) continue;
    trees.push(app.emitted.tree);
    appsOfHub.push({ name, objects: app.resolution.inventory.objects });
    for (const [file, text] of app.texts) texts.set(file, text);
  }
  const shared = [
    ...previewRelease(compileTarget.hub),
    ...missingFleet(inventories, terminal.hub),
    ...sharedObjects(appsOfHub),
  ];
  report.print(shared, texts);
  report.end(apps.length);
  // Argo CD would apply any output, and prune by it.
  if (report.hasFailed) return exitCode.findings;
  for (const tree of trees) {
    for (const [name, text] of tree) {
      if (!isManifest(name)) continue;
      terminal.out(`---\n${text}`);
      await terminal.taken?.();
    }
  }
  return exitCode.clean;
}

/** Returns the folder itself, or its apps if it is a workspace. */
async function appsOf(
  { folder, app }: Arguments,
  host: Host,
): Promise<readonly { name: string; folder: string }[]> {
  const { cwd } = host;
  const settings = await readWorkspaceSettings({ ...host, cwd: path.resolve(cwd, folder) });
  const apps = path.join(folder, settings.apps);
  const hasApps = await isThere(path.resolve(cwd, apps));
  if (!hasApps && app.length > 0) throw new UserError(`no folder ${apps} to choose apps from`);
  if (!hasApps) return [{ name: path.basename(path.resolve(cwd, folder)), folder }];
  const existing = existingApps(apps, cwd);
  await checkNamedApps(path.resolve(cwd, folder), settings);
  const names = app.length > 0 ? namedApps(app, apps, existing, cwd) : existing;
  return names.map((name) => ({ name, folder: path.join(apps, name) }));
}

/** Returns the policy file of the workspace around a folder, relative to `cwd`. */
async function policyOf(folder: string, cwd: string): Promise<string | undefined> {
  const file = await workspacePolicy(undefined, folder);
  return file === undefined ? undefined : path.relative(cwd, path.resolve(folder, file));
}

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

/** The options that an Application may set. */
const parameters = ['api-version', 'app', 'fleet', 'hub', 'hub-version', 'now'] as const;

/**
 * Returns a command line of `machine generate` with the parameters of Argo CD's Application, from `ARGOCD_APP_PARAMETERS`, or
 * from variables of its plugin such as `ARGOCD_ENV_HUB_VERSION`. Returns other command lines unchanged.
 *
 * @throws UserError if a parameter is unknown or not a string
 */
export function withPluginParameters(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (argv[0] !== 'machine' || argv[1] !== 'generate') return argv;
  const given = new Map(
    announced(env['ARGOCD_APP_PARAMETERS'] ?? '').map(({ name, values }) => [name, values]),
  );
  for (const name of parameters) {
    const value = env[`ARGOCD_ENV_${name.toUpperCase().replaceAll('-', '_')}`];
    if (value !== undefined && value !== '' && !given.has(name)) given.set(name, [value]);
  }
  return [...argv, ...[...given].flatMap(([name, values]) => values.map((value) => `--${name}=${value}`))];
}

function announced(text: string): { name: string; values: readonly string[] }[] {
  if (text === '') return [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new UserError('ARGOCD_APP_PARAMETERS is not valid JSON');
  }
  if (!Array.isArray(list)) throw new UserError('ARGOCD_APP_PARAMETERS is not a list');
  return list.map((entry: unknown) => {
    const { name, string, array }: { name?: unknown; string?: unknown; array?: unknown } =
      typeof entry === 'object' && entry !== null ? entry : {};
    if (!parameters.some((parameter) => parameter === name)) {
      throw new UserError(
        `parameter ${JSON.stringify(name)} is unknown`,
        `the parameters are ${parameters.join(', ')}`,
      );
    }
    // The form of Argo CD sends empty strings for fields that are not filled in.
    const values: unknown = array ?? (string === '' ? [] : [string]);
    if (!Array.isArray(values) || !values.every((value) => typeof value === 'string'))
      throw new UserError(`parameter ${JSON.stringify(name)} is neither a string nor a list of strings`);
    return { name: String(name), values };
  });
}
