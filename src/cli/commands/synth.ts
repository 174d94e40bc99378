import path from 'node:path';
import type { CommandModule } from 'yargs';
import { examples } from '../examples.ts';
import { type Engine, engines } from '../../compiler/index.ts';
import { unreferencedExternal } from '../../compiler/check/unreferenced-external.ts';
import { unusedObjects } from '../../compiler/check/unused-objects.ts';
import { kustomizationFile } from '../../compiler/emit/kustomization.ts';
import { sharedObjects, type AppObjects } from '../../compiler/emit/shared-objects.ts';
import { hasFleet } from '../../compiler/model/needs-fleet.ts';
import { previewRelease } from '../../workspace/settings/preview-release.ts';
import { terminalLine } from '../../compiler/report/text/terminal-line.ts';
import { existingApps, namedApps } from '../../workspace/inputs/app-names.ts';
import {
  emptiedApp,
  hadObjects,
  isEmptied,
  outputsOfOtherApps,
} from '../../workspace/output/emptied-apps.ts';
import {
  compileApp,
  type EmittedApp,
  type CompletedOutput,
  type SynthTarget,
} from '../../workspace/output/compile-app.ts';
import { findBase, revertedCommit } from '../../workspace/base-revision.ts';
import { earlierOutputs } from '../../workspace/output/earlier-output.ts';
import { conflictsIn, outputFaults, unknownBase } from '../../workspace/output/output-faults.ts';
import { counted } from '../../compiler/model/words.ts';
import { releaseFor } from '../../promotion/git/release-for.ts';
import { readPromotions } from '../../promotion/git/promotions.ts';
import { isReported } from '../../workspace/finding-selection.ts';
import type { ResolvedInputs } from '../../workspace/inputs/resolve-inputs.ts';
import { missingFleet, type ReadInventory } from '../../workspace/inputs/missing-fleet.ts';
import {
  appsOption,
  fleetOption,
  hubOptions,
  readHubOptions,
  timingOptions,
  type AppsArgument,
  type HubArguments,
  type TimingArguments,
  policyOption,
  type PolicyArguments,
} from '../options.ts';
import {
  compareFolder,
  readOwnership,
  recoverOutputs,
  refuseLinkedOutput,
  removeFolder,
  writeFolder,
  emittedFolders,
  type FolderDifference,
} from '../../workspace/output/output-folder.ts';
import { checkNamedApps } from '../../workspace/settings/named-apps.ts';
import { readPolicies, type Policies } from '../../workspace/settings/policies.ts';
import {
  readWorkspaceSettings,
  settingsFile,
  type WorkspaceSettings,
} from '../../workspace/settings/settings.ts';
import {
  hasRootFiles,
  isHubOutput,
  outputsOfNoHub,
  removeOutput,
} from '../../workspace/output/hub-outputs.ts';
import { removedInUse, type RemovedObject } from '../../compiler/plan/removed-in-use.ts';
import { UserError } from '../../workspace/user-error.ts';
import { hubSelectionOption, type HubSelection } from '../hub-selection.ts';
import { HubReports, type Report } from '../terminal/hub-reports.ts';
import { findingOptions, FindingsReport, type FindingArguments } from '../terminal/findings-report.ts';
import { checkProvenanceFile, writeProvenance, type SynthRun } from '../../workspace/output/provenance.ts';
import { earlierApps, RootKustomization } from '../../workspace/output/root-kustomization.ts';
import { stagesFolder } from '../../compiler/emit/sync-order.ts';
import { StageKustomizations } from '../../workspace/output/stage-kustomizations.ts';
import { Stopwatch } from '../../workspace/stopwatch.ts';
import { readSteadily } from '../../workspace/lock/steady.ts';
import { writing } from '../../workspace/lock/writing.ts';
import { type Terminal } from '../terminal/terminal.ts';
import { watchSynth } from '../watch/watch-synth.ts';
import { fleetOfWorkspace, hostsOfHubs, openWorkspace, type Workspace } from '../../workspace/workspace.ts';
import { defaultSettings } from '../../workspace/settings/default-settings.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { printTimings } from '../terminal/print-timings.ts';
import type { CompileTarget } from '../../workspace/output/compile-target.ts';
import { emptySharedContent } from '../../compiler/index.ts';

/** The arguments of `synth`. */
export interface SynthArguments
  extends HubArguments, PolicyArguments, TimingArguments, AppsArgument, FindingArguments, HubSelection {
  readonly app: readonly string[];
  readonly out: string | undefined;
  readonly fleet: readonly string[];
  readonly engine: Engine | undefined;
  readonly check: boolean;
  readonly base?: string | undefined;
  readonly 'allow-empty': boolean;
  readonly provenance: string | undefined;
  readonly watch?: boolean;
}

/**
 * `synth [app…]`: compile apps/ into dist/.
 *
 * @param repeat - runs this command line again without `--watch`
 */
export function synthCommand(
  terminal: Terminal,
  end: (code: ExitCode) => void,
  repeat: (terminal: Terminal) => Promise<ExitCode>,
): CommandModule<object, SynthArguments> {
  return {
    command: 'synth [app..]',
    describe: 'Compile apps into YAML for Argo CD or Flux',
    builder: (command) =>
      timingOptions(findingOptions(policyOption(appsOption(hubSelectionOption(hubOptions(command))))))
        .positional('app', {
          describe: 'names or folders of apps',
          type: 'string',
          array: true,
          default: [] as string[],
          defaultDescription: 'all',
        })
        .option('out', {
          describe: 'output folder, with one subfolder per app, or per hub and app',
          type: 'string',
          defaultDescription: `out of ${settingsFile}, else ${defaultSettings.out}`,
        })
        .option('fleet', fleetOption('of each app'))
        .option('engine', {
          describe: 'GitOps engine, which determines how the output expresses its order',
          choices: engines,
          defaultDescription: `engine of ${settingsFile}, else ${defaultSettings.engine}`,
        })
        .option('check', {
          describe: 'write nothing; exit 1 if the output is outdated',
          type: 'boolean',
          default: false,
        })
        .option('base', {
          describe: 'revision whose objects the output keeps: clusters may still use them',
          type: 'string',
          defaultDescription: 'base of the request in CI, else where the branch left origin, else HEAD^',
        })
        .option('allow-empty', {
          describe: 'allow apps that no longer have objects, and outputs of another apps folder',
          type: 'boolean',
          default: false,
        })
        .option('provenance', {
          describe: 'write an in-toto statement with the digests of inputs and output to this file',
          type: 'string',
          defaultDescription: 'no statement',
        })
        .option('watch', {
          describe: 'compile again after each change of the workspace, until Ctrl-C',
          type: 'boolean',
          default: false,
        })
        .epilogue(
          examples(terminal, {
            'fleetwright synth': 'every app',
            'fleetwright synth helloworld --check': 'in a pull request: is dist/helloworld up to date?',
            'fleetwright synth --watch': 'while you edit',
            'fleetwright synth --check --provenance dist.intoto.json':
              'in CI: the provenance of dist, for signing',
          }),
        ),
    handler: async (options) => {
      if (options.watch === true) end(await watchSynth(watchedPaths(options), terminal, repeat));
      else await synthOnce(options, terminal, end);
    },
  };
}

function watchedPaths({ fleet, policy, out, provenance }: SynthArguments): {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
} {
  const given = (file: string | undefined): readonly string[] => (file === undefined ? [] : [file]);
  return { inputs: [...fleet, ...given(policy)], outputs: [...given(out), ...given(provenance)] };
}

async function synthOnce(
  options: SynthArguments,
  terminal: Terminal,
  end: (code: ExitCode) => void,
): Promise<void> {
  const watch = new Stopwatch(terminal);
  const workspace = await openWorkspace(terminal);
  const { out } = fromRoot(options, workspace);
  const synthesize = async (): Promise<ExitCode> => await synthHubs(options, terminal, watch);
  end(
    options.check
      ? await checkSteadily(path.resolve(workspace.root, out), options, terminal, watch)
      : await writing(out, 'synth', workspace.host, synthesize),
  );
  if (options.timings) printTimings(watch, terminal);
}

/** Compares the output without a lock: again, if another run wrote it in the meantime. Only the last result is printed. */
async function checkSteadily(
  out: string,
  options: SynthArguments,
  terminal: Terminal,
  watch: Stopwatch,
): Promise<ExitCode> {
  let printed: (() => void)[] = [];
  const held: Terminal = {
    ...terminal,
    out: (text) => printed.push(() => terminal.out(text)),
    err: (text) => printed.push(() => terminal.err(text)),
  };
  try {
    return await readSteadily({
      out,
      read: async () => {
        printed = [];
        return await synthHubs(options, held, watch);
      },
      isSuspect: (code) => code !== exitCode.clean,
    });
  } finally {
    for (const print of printed) print();
  }
}

/** One app and its output folder. */
interface Compiled extends CompletedOutput {
  readonly name: string;
  readonly folder: string;
}

/**
 * Returns the folders of all apps, each with the removed objects that clusters may use. `taken` contains the
 * files of apps that are not compiled.
 */
async function withRemoved(
  emitted: readonly (EmittedApp & Pick<Compiled, 'name' | 'folder'>)[],
  taken: Iterable<readonly string[]>,
): Promise<Compiled[]> {
  const files = new Set([...taken].flat());
  for (const { tree } of emitted) for (const file of tree.keys()) files.add(path.basename(file));
  const compiled: Compiled[] = [];
  for (const { name, folder, withRemoved: complete } of emitted)
    compiled.push({ name, folder, ...(await complete(files)) });
  return compiled;
}

/** What synth writes beside the folders of the apps. */
interface OutputOfAllApps {
  readonly root: RootKustomization;
  /** Its file, relative to the working folder. */
  readonly rootFile: string;
  readonly stages: StageKustomizations;
  /** Their folder, relative to the working folder. */
  readonly stagesFolder: string;
}

/** The options with all paths relative to the root of the workspace. */
interface SynthOptions extends SynthArguments {
  readonly apps: string;
  readonly out: string;
}

function fromRoot(options: SynthArguments, workspace: Workspace): SynthOptions {
  const { app, apps, out, fleet, policy, provenance } = options;
  return {
    ...options,
    app: app.map((word) => (word.includes('/') || word === '.' ? workspace.path(word) : word)),
    apps: apps === undefined ? workspace.settings.apps : workspace.path(apps),
    out: out === undefined ? workspace.settings.out : outOfHub(workspace.path(out), workspace.settings),
    fleet: fleet.map(workspace.path),
    policy: policy && workspace.path(policy),
    provenance: provenance && workspace.path(provenance),
  };
}

function outOfHub(out: string, { hub, hubs }: WorkspaceSettings): string {
  return hub === undefined || hubs.length === 1 ? out : path.join(out, hub.name);
}

/** The compiled apps of one hub. */
interface SynthesizedHub {
  /** The names of the apps. */
  readonly names: readonly string[];
  /** Whether all apps of the workspace were compiled without an error. */
  readonly isComplete: boolean;
  readonly hasAllFleets: boolean;
  /** Writes or compares the output. */
  readonly finish: () => Promise<ExitCode>;
}

/**
 * Compiles the apps for each hub, then writes the outputs of all hubs, or of none.
 *
 * @param resolved - what the same run has already resolved for the one hub, by app
 */
export async function synthHubs(
  options: SynthArguments,
  started: Terminal,
  watch: Stopwatch,
  resolved: ReadonlyMap<string, ResolvedInputs> = new Map(),
): Promise<ExitCode> {
  const hosts = await hostsOfHubs(started, options.hub);
  if (hosts.length > 1 && options.provenance !== undefined)
    throw new UserError('a statement of provenance describes the output of one hub', 'select it with --hub');
  const { host: terminal, path: inRoot } = await openWorkspace(started);
  const policyFile = options.policy && inRoot(options.policy);
  const policies = await readPolicies({ policy: policyFile }, terminal);
  const report = new FindingsReport(policies.findings, options, terminal);
  const reports = new HubReports((diagnostics, texts) => report.print(diagnostics, texts), hosts.length > 1);
  const hubs: SynthesizedHub[] = [];
  for (const host of hosts) {
    const workspace = await openWorkspace(host);
    const ofHub = reports.ofHub(host.hub);
    const run = { policies, watch, report: ofHub, resolved };
    hubs.push(await synth(fromRoot(options, workspace), workspace, run));
  }
  reports.print();
  const isComplete = hubs.every((hub) => hub.isComplete) && options.hub.length === 0;
  const hasAllFleets = hubs.every((hub) => hub.hasAllFleets);
  const problems = report.selection.problems((code) => isComplete && isReported(code, 'synth', hasAllFleets));
  report.print(problems, policies.texts);
  report.end(new Set(hubs.flatMap(({ names }) => names)).size);
  // All or nothing: a failed synth leaves every folder as it was.
  if (report.hasFailed) return exitCode.findings;
  let code: ExitCode = exitCode.clean;
  for (const { finish } of hubs) if ((await finish()) !== exitCode.clean) code = exitCode.findings;
  const isWhole = options.app.length + options.hub.length === 0 && options.out === undefined;
  if (!isWhole || !(await hasStaleHubOutputs(options.check, started))) return code;
  return options.check ? exitCode.findings : code;
}

/** Removes the outputs of hubs that no longer exist, or only reports them. @returns whether there are any */
async function hasStaleHubOutputs(isCheck: boolean, started: Terminal): Promise<boolean> {
  const { root, host } = await openWorkspace(started);
  const { out, hubs } = await readWorkspaceSettings(host);
  if (hubs.length < 2) return false;
  const stale = await outputsOfNoHub(
    root,
    out,
    hubs.map((hub) => hub.out),
  );
  for (const folder of stale) {
    const name = path.basename(folder);
    const what = (await isHubOutput(path.join(root, folder)))
      ? 'the hub no longer exists'
      : 'the output of an app is in the folders of the hubs';
    print(host, isCheck ? `${name}: ${what}, but there is ${folder}` : `${name}: ${what}, removed ${folder}`);
    if (!isCheck) await removeOutput(path.join(root, folder));
  }
  const hasOwnFiles = await hasRootFiles(path.join(root, out));
  if (hasOwnFiles && isCheck) print(host, `${out}: its files are of one hub`);
  if (hasOwnFiles && !isCheck)
    for (const folder of [path.join(out, stagesFolder), out]) await removeFolder(path.join(root, folder));
  return stale.length > 0 || hasOwnFiles;
}

/** What the compilation for one hub shares with the others. */
interface HubRun {
  readonly policies: Policies;
  readonly watch: Stopwatch;
  readonly report: Report;
  readonly resolved: ReadonlyMap<string, ResolvedInputs>;
}

/** Compiles the apps for one hub. */
async function synth(
  options: SynthOptions,
  workspace: Workspace<Terminal>,
  run: HubRun,
): Promise<SynthesizedHub> {
  const state = await stateBefore(options, workspace);
  const compiled = await compileApps(options, workspace, state, run);
  const output = await outputOfApps(options, workspace.host, state, compiled, run);
  return {
    names: state.names,
    isComplete: options.app.length === 0 && compiled.emittedApps.length === state.names.length,
    hasAllFleets: compiled.inventories.every(({ inventory }) => hasFleet(inventory)),
    finish: async () => await finish(options, workspace.host, state, output, run.watch),
  };
}

/** What is read before the apps of a hub are compiled. */
type StateBefore = Awaited<ReturnType<typeof stateBefore>>;

async function stateBefore(
  options: SynthOptions,
  { root: top, host: terminal, settings }: Workspace<Terminal>,
) {
  const compileTarget = readHubOptions(options, settings);
  await refuseLinkedOutput(terminal.cwd, options.out);
  const { provenance } = options;
  if (provenance !== undefined) checkProvenanceFile(provenance, options.out, terminal.cwd);
  const existing = await existingApps(options.apps, terminal.cwd);
  await checkNamedApps(terminal.cwd, { ...settings, apps: options.apps });
  const names =
    options.app.length > 0 ? namedApps(options.app, options.apps, existing, terminal.cwd) : existing;
  const engine = options.engine ?? settings.engine;
  const out = path.resolve(terminal.cwd, options.out);
  for (const name of [...names, stagesFolder])
    await refuseLinkedOutput(terminal.cwd, path.join(options.out, name));
  if (!options.check) await recoverOutputs(out);
  const base = await findBase(terminal.cwd, options.base, terminal.env ?? {});
  const reverted = options.check ? await revertedCommit(terminal.cwd) : undefined;
  const earlier = await earlierOutputs(out, names, {
    historyLimits: settings.historyLimits,
    commits: base.commits,
  });
  const sharedFleet = await fleetOfWorkspace(top, settings);
  const promotions = await readPromotions(top, settings, existing);
  const cache = sharedFleet.length > 0 ? emptySharedContent() : undefined;
  const fleet = [...options.fleet, ...sharedFleet];
  return { compileTarget, names, engine, out, base, reverted, earlier, promotions, cache, fleet };
}

/** The apps of a hub, up to the first error of each. */
type CompiledApps = Awaited<ReturnType<typeof compileApps>>;

async function compileApps(
  options: SynthOptions,
  { host: terminal, settings }: Workspace<Terminal>,
  { compileTarget, names, engine, out, earlier, promotions, cache, fleet }: StateBefore,
  { policies, watch, report, resolved }: HubRun,
) {
  const targetOf = (ofCommit: WorkspaceSettings): CompileTarget => readHubOptions(options, ofCommit);
  const promotionOf = (name: string): Pick<SynthTarget, 'release'> => {
    const promotion = promotions.byApp.get(name);
    if (promotion === undefined) return {};
    return { release: releaseFor(promotion, { settings, out, fleet, targetOf, host: terminal }) };
  };
  const emittedApps: (EmittedApp & Pick<Compiled, 'name' | 'folder'>)[] = [];
  const written: AppObjects[] = [];
  const inventories: ReadInventory[] = [];
  const allTexts = new Map<string, string>();
  report(policies.diagnostics, policies.texts);
  report(promotions.diagnostics, promotions.texts);
  for (const name of names) {
    const folder = path.join(options.apps, name);
    const output = path.join(options.out, name);
    const earlierOutput = earlier.get(name);
    const ofRun = resolved.get(name);
    const target: SynthTarget = {
      ...compileTarget,
      engine,
      policies,
      cache,
      ...(ofRun && { resolved: ofRun }),
      ...(earlierOutput && { earlier: earlierOutput }),
      ...promotionOf(name),
    };
    const inputs = { path: [folder], fleet: options.fleet };
    const { resolution, emitted, ...compiled } = await compileApp(inputs, target, terminal, watch);
    const ofApp = [...compiled.diagnostics];
    for (const [file, text] of compiled.texts) allTexts.set(file, text);
    if (resolution !== undefined) {
      inventories.push({ app: folder, inventory: resolution.inventory });
      const isLost =
        isEmptied(resolution.inventory) && (await hadObjects(path.resolve(terminal.cwd, output)));
      if (isLost && !options['allow-empty']) ofApp.push(emptiedApp(folder, '--allow-empty'));
    }
    report(ofApp, compiled.texts);
    if (resolution === undefined || emitted === undefined) continue;
    written.push({ name, objects: resolution.inventory.objects });
    emittedApps.push({ name, folder: output, ...emitted });
  }
  return { emittedApps, written, inventories, allTexts };
}

/** The output of all apps of a hub, after the findings across them. */
type OutputOfHub = Awaited<ReturnType<typeof outputOfApps>>;

async function outputOfApps(
  options: SynthOptions,
  terminal: Terminal,
  { compileTarget, names, engine, out, base, reverted, earlier }: StateBefore,
  { emittedApps, written, inventories, allTexts }: CompiledApps,
  { policies, report }: HubRun,
) {
  report([...previewRelease(compileTarget.hub), ...missingFleet(inventories, terminal.hub)], allTexts);
  // Other apps may refer to it.
  if (options.app.length === 0) {
    const all = inventories.map(({ inventory }) => inventory);
    report(unreferencedExternal(policies.external, all), policies.texts);
  }
  const others = (await emittedFolders(out)).filter((name) => !names.includes(name));
  // If apps are named, the folders of others stay.
  const staying = options.app.length > 0 ? others : [];
  const stayingFiles = await filesOf(out, staying);
  report(sharedObjects(written, stayingFiles), allTexts);
  // An app that was not read may use objects of the others.
  if (inventories.length === names.length && staying.length === 0)
    report(unusedObjects(inventories.map(({ inventory }) => inventory)), allTexts);
  const obsolete = options.app.length > 0 ? [] : others;
  const folderOf = (name: string): string => path.join(options.out, name);
  const apps = path.resolve(terminal.cwd, options.apps);
  const appsBefore = await earlierApps(out);
  if (obsolete.length > 0 && appsBefore !== apps && !options['allow-empty']) {
    const earlierName = path.relative(terminal.cwd, appsBefore) || '.';
    const diagnostic = outputsOfOtherApps(obsolete.map(folderOf), options.apps, earlierName);
    report([diagnostic], allTexts);
  }
  const compiled = await withRemoved(emittedApps, stayingFiles.values());
  report(
    removedInUse(
      compiled.flatMap(({ name, gone }) => gone.map((object): RemovedObject => ({ app: name, object }))),
      inventories.map(({ app, inventory }) => ({ app: path.basename(app ?? ''), inventory })),
      engine,
    ),
    allTexts,
  );
  if (options.check) {
    report(unknownBase(base), allTexts);
    for (const output of compiled) {
      const expected = { ...output, earlier: earlier.get(output.name) };
      report(await outputFaults(expected, base, { cwd: terminal.cwd, reverted }), allTexts);
    }
  }
  const obsoleteFolders = obsolete.map(folderOf);
  const ofAllApps: OutputOfAllApps = {
    root: new RootKustomization(out, [...names, ...staying], staying.length > 0 ? appsBefore : apps),
    rootFile: path.join(options.out, kustomizationFile),
    stages: new StageKustomizations(out, { compiled: names, others: staying }, engine),
    stagesFolder: path.join(options.out, stagesFolder),
  };
  return { compiled, obsoleteFolders, ofAllApps };
}

/** Writes or compares the output of a hub, and states its provenance. */
async function finish(
  options: SynthOptions,
  terminal: Terminal,
  { compileTarget, names, engine, fleet }: StateBefore,
  { compiled, obsoleteFolders, ofAllApps }: OutputOfHub,
  watch: Stopwatch,
): Promise<ExitCode> {
  const { provenance } = options;
  const code = await watch.wait(options.check ? 'compare' : 'write', () =>
    options.check
      ? check(compiled, obsoleteFolders, ofAllApps, terminal)
      : write(compiled, obsoleteFolders, ofAllApps, terminal),
  );
  // if a folder differs from the output of the apps, there is no statement to make
  if (provenance !== undefined && code === exitCode.clean)
    await writeProvenance(
      provenance,
      runOf({ ...options, fleet }, names, { ...compileTarget, engine }, terminal),
    );
  return code;
}

function runOf(
  { apps, fleet, out, policy = settingsFile, now }: SynthOptions,
  names: readonly string[],
  { engine, hub, addOnApiVersion }: CompileTarget & { readonly engine: Engine },
  { cwd }: Terminal,
): SynthRun {
  const parameters = {
    engine,
    hubVersion: hub.name,
    apiVersion: addOnApiVersion,
    ...(now !== undefined && { now }),
  };
  return { cwd, apps, names, fleet, policy, out, parameters };
}

/** Returns the files that earlier runs wrote for apps, without the folders of their stages. */
async function filesOf(out: string, apps: readonly string[]): Promise<Map<string, readonly string[]>> {
  const files = new Map<string, readonly string[]>();
  for (const app of apps) {
    const { files: owned } = await readOwnership(path.join(out, app));
    files.set(
      app,
      owned.map((file) => path.basename(file)),
    );
  }
  return files;
}

/** `left` contains the folders of apps that no longer exist. */
async function write(
  compiled: readonly Compiled[],
  obsolete: readonly string[],
  { root, stages }: OutputOfAllApps,
  terminal: Terminal,
): Promise<ExitCode> {
  for (const { name, folder, tree, memory, summary } of compiled) {
    const conflicts = await conflictsIn(path.resolve(terminal.cwd, folder));
    const isChanged = await writeFolder(path.resolve(terminal.cwd, folder), tree, memory);
    if (conflicts.size > 0)
      print(terminal, `${name}: wrote ${counted(conflicts.size, 'file')} with conflict markers again`);
    print(terminal, `${name}: ${summary} -> ${folder}${isChanged ? '' : ' (unchanged)'}`);
  }
  for (const folder of obsolete) {
    const what = await missingWords(folder, terminal.cwd);
    await removeOutput(path.resolve(terminal.cwd, folder));
    print(terminal, `${path.basename(folder)}: ${what}, removed ${folder}`);
  }
  await stages.write();
  await root.write();
  return exitCode.clean;
}

async function check(
  compiled: readonly Compiled[],
  obsolete: readonly string[],
  { root, rootFile, stages, stagesFolder: folderOfStages }: OutputOfAllApps,
  terminal: Terminal,
): Promise<ExitCode> {
  let different = obsolete.length > 0;
  for (const folder of obsolete)
    print(
      terminal,
      `${path.basename(folder)}: ${await missingWords(folder, terminal.cwd)}, but there is ${folder}`,
    );
  for (const { name, folder, tree, memory, summary } of compiled) {
    const lines = changes(await compareFolder(path.resolve(terminal.cwd, folder), tree, memory));
    if (lines.length === 0) {
      print(terminal, `${name}: ${summary}, as in ${folder}`);
      continue;
    }
    different = true;
    print(terminal, `${name}: ${folder} is not what the app produces`, ...lines.map((line) => `  ${line}`));
  }
  if (!(await root.isCurrent())) {
    different = true;
    terminal.out(`${rootFile} does not match these apps\n`);
  }
  if (!(await stages.isCurrent())) {
    different = true;
    terminal.out(`${folderOfStages} does not match these apps\n`);
  }
  if (different) terminal.err('run synth and commit its output\n');
  return different ? exitCode.findings : exitCode.clean;
}

async function missingWords(folder: string, cwd: string): Promise<string> {
  return `the ${(await isHubOutput(path.resolve(cwd, folder))) ? 'hub' : 'app'} no longer exists`;
}

/** Names of apps and files are names of folders, which anyone may have chosen. */
function print(terminal: Terminal, ...lines: readonly string[]): void {
  terminal.out(lines.map((line) => `${terminalLine(line)}\n`).join(''));
}

function changes({ missing, changed, stale }: FolderDifference): string[] {
  return [
    ...missing.map((name) => `missing  ${name}`),
    ...changed.map((name) => `changed  ${name}`),
    ...stale.map((name) => `stale    ${name}`),
  ];
}
