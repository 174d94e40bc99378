import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { CommandModule } from 'yargs';
import { type Diagnostic, type Engine, engines } from '../../compiler/index.ts';
import { namespacedResource } from '../../client/resource.ts';
import { engineNames } from '../../compiler/emit/engine-effects.ts';
import { fieldAt, listAt, type SetupObject } from '../../compiler/emit/engine-setup/setup.ts';
import { examples } from '../examples.ts';
import { connectToHub, type HubAddress } from '../../workspace/hub/connect-to-hub.ts';
import { readInputs } from '../../workspace/inputs/inputs.ts';
import {
  appOutputs,
  checkEngineSetup,
  engineFolder,
  engineSetupInFiles,
  type EngineSetup,
} from '../../workspace/output/engine-setup.ts';
import { checkGit, checkLock, checkNode } from '../../workspace/installation-checks.ts';
import { checkHubSetup } from '../../workspace/hub/hub-setup-checks.ts';
import { readLeftOnHub } from '../../workspace/hub/left-on-hub.ts';
import { unusedOnHub } from '../../workspace/hub/unused-on-hub.ts';
import { twoEngines } from '../../workspace/hub/two-engines.ts';
import { staleSetup } from '../../workspace/stale-setup.ts';
import { trackedSetup } from '../../workspace/inputs/tracked-setup.ts';
import { oldSnapshots } from '../../workspace/inputs/snapshot-age.ts';
import { readPolicies } from '../../workspace/settings/policies.ts';
import { settingsFile, settingsOfHub } from '../../workspace/settings/settings.ts';
import { version } from '../../workspace/version.ts';
import { unsearchedKinds } from '../../compiler/report/status-words.ts';
import { findingsReport } from '../terminal/findings-report.ts';
import { type Terminal } from '../terminal/terminal.ts';
import { fleetOfWorkspace, openWorkspace, type Workspace } from '../../workspace/workspace.ts';
import { UserError } from '../../workspace/user-error.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { hubAddressOptions } from '../options.ts';
import { defaultSettings } from '../../workspace/settings/default-settings.ts';

interface Arguments extends HubAddress {
  readonly path: readonly string[];
  readonly engine: Engine | undefined;
  readonly against: string | undefined;
}

/** `doctor [path…]`: checks the installation, the repository and the hub, and the objects that configure Argo CD or Flux. */
export function doctorCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
): CommandModule<object, Arguments> {
  return {
    command: 'doctor [path..]',
    describe: 'Check the installation, the repository, and how Argo CD or Flux applies the output',
    builder: (command) =>
      hubAddressOptions(command)
        .positional('path', {
          describe: 'files, folders or apps with the Applications or Kustomizations',
          type: 'string',
          array: true,
          default: [] as string[],
          defaultDescription: `${engineFolder} in the workspace`,
        })
        .option('engine', {
          describe: 'GitOps engine',
          choices: engines,
          defaultDescription: `engine of ${settingsFile}, else ${defaultSettings.engine}`,
        })
        .option('against', {
          describe:
            'check the hub of the kubeconfig: its release, feature gates and objects instead of files',
          choices: ['hub'],
          defaultDescription: 'the files',
        })
        .epilogue(
          examples(terminal, {
            'fleetwright doctor': `the files in ${engineFolder}`,
            'fleetwright doctor --against hub': 'the engine that runs on the hub',
          }),
        ),
    handler: async (options) => {
      end(await doctor(options, terminal));
    },
  };
}

async function doctor(options: Arguments, started: Terminal): Promise<ExitCode> {
  const workspace = await openWorkspace(started);
  const { host: terminal, path: fromRoot, settings } = workspace;
  const isOnHub = options.against !== undefined;
  if (isOnHub && options.path.length > 0)
    throw new UserError('--against hub checks the objects on the hub', 'omit the paths');
  const engine = options.engine ?? settings.engine;
  const report = await findingsReport(terminal);
  const print = (
    diagnostics: readonly Diagnostic[],
    texts: ReadonlyMap<string, string> = new Map(),
  ): void => {
    report.print(diagnostics, texts);
    report.end();
  };
  const surroundings = [
    ...(await checkSurroundings(workspace)),
    ...(isOnHub ? await checkHub(options, workspace, started.cwd) : []),
  ];
  if (engine === 'none') {
    print(surroundings);
    terminal.out('no GitOps engine to check\n');
    return report.hasPrinted ? exitCode.findings : exitCode.clean;
  }
  const tracked = isOnHub || options.path.length > 0 ? [] : await trackedSetup(workspace, terminal);
  let setup: EngineSetup;
  try {
    setup = isOnHub
      ? await setupOnHub(engine, options, started.cwd)
      : await engineSetupInFiles(options.path.map(fromRoot), terminal);
  } catch (error) {
    // A repository that was adopted may have its objects elsewhere, still with the folders from before.
    print([...surroundings, ...(await staleSetup(tracked, workspace))]);
    throw error;
  }
  const read = new Set(setup.objects.map(placeOf));
  const stale = await staleSetup(
    [...setup.objects, ...tracked.filter((each) => !read.has(placeOf(each)))],
    workspace,
  );
  // Which of several hubs this is, is unknown.
  const outputs = isOnHub && settings.hubs.length > 1 ? [] : await appOutputs(workspace, engine);
  const { checked, diagnostics } = await checkEngineSetup(engine, setup, outputs);
  const kind = engine === 'argocd' ? 'Application' : 'Kustomization';
  if (checked === 0) {
    print([...surroundings, ...stale]);
    throw new UserError(
      `no ${kind} for dist/ in ${setup.place}`,
      isOnHub
        ? 'is that the hub on which the engine runs?'
        : `name the files with the ${kind}s, or use --against hub`,
    );
  }
  const all = [...surroundings, ...setup.diagnostics, ...diagnostics, ...stale];
  print(all, setup.texts);
  const count = checked === 1 ? `1 ${kind}` : `${checked} ${kind}s`;
  terminal.out(`${engineNames[engine]}: ${count} for dist/ in ${setup.place}\n`);
  const hasSettings = setup.objects.some(({ object }) => object.metadata.name === 'argocd-cm');
  if (engine === 'argocd' && !hasSettings && !isOnHub)
    terminal.err('the health checks in argocd-cm are not in these files; doctor --against hub checks them\n');
  return report.hasPrinted ? exitCode.findings : exitCode.clean;
}

/** Returns the place of an object in a file, so that an object of two readings is checked once. */
function placeOf({ object, origin }: SetupObject): string {
  const location = origin?.location;
  const file = location !== undefined && 'file' in location ? path.normalize(location.file) : '';
  return `${file} ${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
}

/** Checks the installation, the repository and the age of the fleet snapshots. */
async function checkSurroundings({
  root,
  settings,
  host,
}: Workspace<Terminal>): Promise<readonly Diagnostic[]> {
  const { maxAge } = await readPolicies({ policy: undefined }, host);
  const ofHubs =
    settings.hubs.length > 1 ? settings.hubs.map(({ name }) => settingsOfHub(settings, name)) : [settings];
  const fleets = new Set<string>();
  for (const each of ofHubs) for (const file of await fleetOfWorkspace(root, each)) fleets.add(file);
  const { snapshots } = await readInputs([], [...fleets], host, { isPartial: true });
  return [
    ...checkNode(process.version),
    ...(await checkGit(root, process.env)),
    ...(await checkLock(root, version)),
    ...oldSnapshots(snapshots, maxAge, host.now()),
  ];
}

/** Checks the release and the feature gates of the hub, whether two engines apply its objects, and what it has and Git has not. */
async function checkHub(
  address: HubAddress,
  workspace: Workspace<Terminal>,
  cwd: string,
): Promise<readonly Diagnostic[]> {
  const { root, settings } = workspace;
  const files = await readdir(path.join(root, settings.out), { recursive: true }).catch(() => []);
  const hub = await connectToHub(address, cwd);
  const setup = await checkHubSetup(hub, {
    release: settings.hubVersion,
    hasReplicaSets: files.some((file) => path.basename(file).startsWith('manifestworkreplicaset_')),
  });
  // Which of several hubs this is, is unknown.
  const left = settings.hubs.length > 1 ? undefined : await readLeftOnHub(hub, workspace);
  if (left !== undefined && left.unread.length > 0) workspace.host.err(`${unsearchedKinds(left)}\n`);
  return [...setup, ...(await twoEngines(hub)), ...(left === undefined ? [] : unusedOnHub(left))];
}

const groups: Readonly<Record<Exclude<Engine, 'none'>, string>> = {
  argocd: 'argoproj.io',
  flux: 'kustomize.toolkit.fluxcd.io',
};

/** @throws HubError if the hub rejects a request or does not answer. */
async function setupOnHub(
  engine: Exclude<Engine, 'none'>,
  address: HubAddress,
  cwd: string,
): Promise<EngineSetup> {
  const hub = await connectToHub(address, cwd);
  const wanted = new Set(['Application', 'ApplicationSet', 'Kustomization']);
  const resources = (await hub.resourcesOf(groups[engine])).filter(({ kind }) => wanted.has(kind));
  const objects: SetupObject[] = [];
  for (const resource of resources)
    for (const object of (await hub.list(resource)) ?? []) if (!isGenerated(object)) objects.push({ object });
  const namespaces = new Set(objects.map(({ object }) => object.metadata.namespace ?? ''));
  for (const namespace of engine === 'argocd' ? namespaces : []) {
    const configMaps = namespacedResource('v1', 'ConfigMap', 'configmaps');
    const configMap = await hub.get(configMaps, { name: 'argocd-cm', namespace });
    if (configMap !== undefined)
      objects.push({ object: { ...configMap, apiVersion: 'v1', kind: 'ConfigMap' } });
  }
  return { objects, diagnostics: [], texts: new Map(), place: hub.server };
}

/** An ApplicationSet owns its Applications, and is checked instead of them. */
function isGenerated(object: object): boolean {
  return listAt(object, 'metadata', 'ownerReferences').some(
    (owner) => fieldAt(owner, 'kind') === 'ApplicationSet',
  );
}
