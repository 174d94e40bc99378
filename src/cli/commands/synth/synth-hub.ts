import path from 'node:path';
import { unreferencedExternal } from '../../../compiler/check/unreferenced-external.ts';
import {
  comparedApps,
  uncheckedCode,
  withoutChecked,
} from '../../../compiler/check/requirements/across-apps.ts';
import { unusedObjects } from '../../../compiler/check/unused-objects.ts';
import { kustomizationFile } from '../../../compiler/emit/kustomization.ts';
import { type AppObjects, sharedObjects } from '../../../compiler/emit/shared-objects.ts';
import { stagesFolder } from '../../../compiler/emit/sync-order.ts';
import { type Diagnostic, type Engine, emptySharedContent } from '../../../compiler/index.ts';
import { hasFleet } from '../../../compiler/model/needs-fleet.ts';
import { type RemovedObject, removedInUse } from '../../../compiler/plan/removed-in-use.ts';
import { missingPromotion } from '../../../promotion/git/missing-promotion.ts';
import { readPromotions } from '../../../promotion/git/promotions.ts';
import { promotionFile } from '../../../workspace/inputs/promotion-files.ts';
import { releaseFor } from '../../../promotion/git/release-for.ts';
import { findBase, revertedCommit } from '../../../workspace/base-revision.ts';
import { existingApps, namedApps } from '../../../workspace/inputs/app-names.ts';
import { type ReadInventory, missingFleet } from '../../../workspace/inputs/missing-fleet.ts';
import type { ResolvedInputs } from '../../../workspace/inputs/resolve-inputs.ts';
import { type EmittedApp, type SynthTarget, compileApp } from '../../../workspace/output/compile-app.ts';
import type { CompileTarget } from '../../../workspace/output/compile-target.ts';
import { earlierOutputs } from '../../../workspace/output/earlier-output.ts';
import {
  emptiedApp,
  hadObjects,
  isEmptied,
  outputsOfOtherApps,
} from '../../../workspace/output/emptied-apps.ts';
import { outputFaults, unknownBase } from '../../../workspace/output/output-faults.ts';
import {
  emittedFolders,
  readOwnership,
  recoverOutputs,
  refuseLinkedOutput,
} from '../../../workspace/output/output-folder.ts';
import { type SynthRun, checkProvenanceFile, writeProvenance } from '../../../workspace/output/provenance.ts';
import { RootKustomization, earlierApps } from '../../../workspace/output/root-kustomization.ts';
import { StageKustomizations } from '../../../workspace/output/stage-kustomizations.ts';
import { checkNamedApps } from '../../../workspace/settings/named-apps.ts';
import type { Policies } from '../../../workspace/settings/policies.ts';
import { previewRelease } from '../../../workspace/settings/preview-release.ts';
import { type WorkspaceSettings, settingsFile } from '../../../workspace/settings/settings.ts';
import type { Stopwatch } from '../../../workspace/stopwatch.ts';
import { type Workspace, fleetOfWorkspace } from '../../../workspace/workspace.ts';
import { type ExitCode, exitCode } from '../../exit-code.ts';
import { readHubOptions } from '../../options.ts';
import type { Report } from '../../terminal/hub-reports.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { type Compiled, type OutputOfAllApps, check, write } from './finish-output.ts';
import type { SynthOptions } from './synth-options.ts';

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

/** What the compilation for one hub shares with the others. */
interface HubRun {
  readonly policies: Policies;
  readonly watch: Stopwatch;
  readonly report: Report;
  readonly resolved: ReadonlyMap<string, ResolvedInputs>;
}

/** The compiled apps of one hub. */
export interface SynthesizedHub {
  /** The names of the apps. */
  readonly names: readonly string[];
  /** Whether all apps of the workspace were compiled without an error. */
  readonly isComplete: boolean;
  readonly hasAllFleets: boolean;
  /** Writes or compares the output. */
  readonly finish: () => Promise<ExitCode>;
}

/** Compiles the apps for one hub. */
export async function synthHub(
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
  refuseLinkedOutput(terminal.cwd, options.out);
  const { provenance } = options;
  if (provenance !== undefined) checkProvenanceFile(provenance, options.out, terminal.cwd);
  const existing = existingApps(options.apps, terminal.cwd);
  await checkNamedApps(terminal.cwd, { ...settings, apps: options.apps });
  const names =
    options.app.length > 0 ? namedApps(options.app, options.apps, existing, terminal.cwd) : existing;
  const engine = options.engine ?? settings.engine;
  const out = path.resolve(terminal.cwd, options.out);
  for (const name of [...names, stagesFolder]) refuseLinkedOutput(terminal.cwd, path.join(options.out, name));
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
  const checked: Parameters<typeof comparedApps>[0][number][] = [];
  /** The requirements that an app does not check. The comparison of all apps may check them. */
  const unchecked: Diagnostic[] = [];
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
      const { inventory, configuration, decisions, rendering, parameters } = resolution;
      checked.push({ inventory, configuration, decisions, rendering, parameters, hub: compileTarget.hub });
      const isLost = isEmptied(resolution.inventory) && hadObjects(path.resolve(terminal.cwd, output));
      if (isLost && !options['allow-empty']) ofApp.push(emptiedApp(folder, '--allow-empty'));
      // An invalid promotion file is a separate error.
      if (target.release === undefined && promotions.diagnostics.length === 0)
        ofApp.push(...missingPromotion(resolution.inventory, name, promotionFile(name, settings)));
    }
    unchecked.push(...ofApp.filter(({ code }) => code === uncheckedCode));
    report(
      ofApp.filter(({ code }) => code !== uncheckedCode),
      compiled.texts,
    );
    if (resolution === undefined || emitted === undefined) continue;
    written.push({ name, objects: resolution.inventory.objects });
    emittedApps.push({ name, folder: output, ...emitted });
  }
  return { emittedApps, written, inventories, checked, unchecked, allTexts };
}

/** The output of all apps of a hub, after the findings across them. */
type OutputOfHub = Awaited<ReturnType<typeof outputOfApps>>;

async function outputOfApps(
  options: SynthOptions,
  terminal: Terminal,
  { compileTarget, names, engine, out, base, reverted, earlier }: StateBefore,
  { emittedApps, written, inventories, checked, unchecked, allTexts }: CompiledApps,
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
  const stayingFiles = filesOf(out, staying);
  report(sharedObjects(written, stayingFiles), allTexts);
  const across = comparedApps(checked);
  report([...withoutChecked(unchecked, across.checked), ...across.findings], allTexts);
  // An app that was not read may use objects of the others.
  if (inventories.length === names.length && staying.length === 0)
    report(unusedObjects(inventories.map(({ inventory }) => inventory)), allTexts);
  const obsolete = options.app.length > 0 ? [] : others;
  const folderOf = (name: string): string => path.join(options.out, name);
  const apps = path.resolve(terminal.cwd, options.apps);
  const appsBefore = earlierApps(out);
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
export async function finish(
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
function filesOf(out: string, apps: readonly string[]): Map<string, readonly string[]> {
  const files = new Map<string, readonly string[]>();
  for (const app of apps) {
    const { files: owned } = readOwnership(path.join(out, app));
    files.set(
      app,
      owned.map((file) => path.basename(file)),
    );
  }
  return files;
}
