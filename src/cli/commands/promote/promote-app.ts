import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  clusterHealth,
  placementHealth,
  type ClusterHealth,
  type HubAddOn,
} from '../../../promotion/decide/cluster-health.ts';
import { decide, waveWords, type Decision, type Outcome } from '../../../promotion/decide/decide.ts';
import type { GateReport } from '../../../promotion/decide/gate-report.ts';
import { newRelease } from '../../../promotion/decide/new-release.ts';
import { readPromotion, withStatus } from '../../../promotion/decide/promotion-file.ts';
import {
  absent,
  clusterKey,
  clustersOf,
  type Promotion,
  type Release,
  type ReleasedCluster,
} from '../../../promotion/decide/promotion.ts';
import { compileApp, type CompiledApp, type SynthTarget } from '../../../workspace/output/compile-app.ts';
import { earlierOutputs, type EarlierOutput } from '../../../workspace/output/earlier-output.ts';
import { connectToHub } from '../../../workspace/hub/connect-to-hub.ts';
import type { HubReader } from '../../../workspace/hub/hub-reader.ts';
import type { Policies } from '../../../workspace/settings/policies.ts';
import { readApprovals } from '../../../promotion/git/approvals.ts';
import { readHubAddOns } from '../../../promotion/gates/hub-add-ons.ts';
import { readOutsideGates } from '../../../promotion/gates/outside-gates.ts';
import { clusterFileName } from '../../../promotion/git/cluster-files.ts';
import type { PromotedApp } from '../../../promotion/git/promoted-app.ts';
import { releaseFor } from '../../../promotion/git/release-for.ts';
import { committedText, waveStarts } from '../../../promotion/git/promotion-history.ts';
import { commitPaths, differs, headCommit, unstage } from '../../../workspace/git-commits.ts';
import { promotionFile } from '../../../workspace/inputs/promotion-files.ts';
import { requireChild, requireHead } from '../../../workspace/lock/unmoved-head.ts';
import type { ResolvedInputs } from '../../../workspace/inputs/resolve-inputs.ts';
import type { WorkspaceSettings } from '../../../workspace/settings/settings.ts';
import { Stopwatch } from '../../../workspace/stopwatch.ts';
import { fleetOfWorkspace } from '../../../workspace/workspace.ts';
import { exitCode } from '../../exit-code.ts';
import { readHubOptions } from '../../options.ts';
import type { FindingsReport } from '../../terminal/findings-report.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { synthHubs } from '../synth/synth-hubs.ts';
import { act, type Action } from './action.ts';
import type { PromoteArguments } from './promote.ts';
import { RequiredOnHub } from './required-on-hub.ts';

/** What a run did with one promotion: an item of `-o json`. */
export interface Step {
  readonly app: string;
  readonly outcome: Outcome;
  readonly reason: string;
  /** The release in progress after the step. */
  readonly release?: {
    readonly hash: string;
    readonly wave: number;
    readonly waves: number;
    readonly restores?: string;
  };
  readonly gates: readonly GateReport[];
  readonly commit?: string;
}

/** The surroundings of a step. */
export interface StepContext {
  /** The commit that was checked out before the run read anything. */
  readonly head: string;
  readonly action: Action | undefined;
  readonly options: PromoteArguments;
  readonly root: string;
  readonly settings: WorkspaceSettings;
  readonly policies: Policies;
  readonly report: FindingsReport;
  readonly terminal: Terminal;
}

/**
 * Performs at most one step of a promotion. Undefined if the app has errors, which are reported; nothing is written then. The
 * state is written before the files that follow from it: a run that was killed in between is completed by the next one.
 */
export async function promoteApp(promotion: Promotion, context: StepContext): Promise<Step | undefined> {
  const { options, root, settings, action } = context;
  const { app } = promotion;
  const file = promotionFile(app, settings);
  const text = await readFile(path.join(root, file), 'utf8');
  const out = path.resolve(root, settings.out, app);
  const isInterrupted = options.commit && (await isUncommitted(promotion, path.join(root, file)));
  let decision: (Decision & { readonly text?: string; readonly resolved?: ResolvedInputs }) | undefined;
  if (isInterrupted) decision = { outcome: 'advanced', reason: interrupted(promotion), gates: [], text };
  else if (action !== undefined)
    decision = await act(action, { promotion, text, out, isAtOnce: options['at-once'] });
  else decision = await decideApp(promotion, file, context);
  if (decision === undefined) return undefined;
  const { outcome, reason, gates, status } = decision;
  const next = decision.text ?? (status === undefined ? text : withStatus(text, status));
  const after = readPromotion(file, next, app).value ?? promotion;
  const step = { app, outcome, reason, ...releaseOf(after), gates };
  if (options['dry-run'] || (next === text && !isInterrupted)) return step;
  await requireHead(root, context.head, 'promote');
  await writeFile(path.join(root, file), next);
  const { resolved } = decision;
  if (!(await synthesize(app, resolved, context))) {
    // A state without its files would release waves that nobody applies.
    await writeFile(path.join(root, file), text);
    return undefined;
  }
  if (!options.commit) return step;
  try {
    await requireHead(root, context.head, 'promote');
    if (await commitPaths(root, [file, settings.out], `${app}: ${commitSubject(after)}`))
      await requireChild(root, context.head, 'promote');
  } catch (error) {
    await unstage(root, [file, settings.out]);
    await withdraw(
      path.join(root, file),
      { next, text },
      async () => await synthesize(app, undefined, context),
    );
    throw error;
  }
  return { ...step, commit: await headCommit(root) };
}

/** Restores the state, and the files that follow from it, unless another program has changed the state. */
async function withdraw(
  file: string,
  { next, text }: { readonly next: string; readonly text: string },
  synthesizeAgain: () => Promise<unknown>,
): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) !== next) return;
  await writeFile(file, text);
  await synthesizeAgain();
}

function releaseOf({ status: { release } }: Promotion): Pick<Step, 'release'> {
  if (release === undefined) return {};
  const { hash, released, waves, restores } = release;
  return { release: { hash, wave: released, waves: waves.length, ...(restores && { restores }) } };
}

/** Depends on the state only, so that a repeated run makes the same commit. */
function commitSubject({ spec, status }: Promotion): string {
  const { release, history = [] } = status;
  const paused = spec.paused === true ? ', paused' : '';
  if (release !== undefined) return `${waveWords(release)} of ${release.hash.slice(0, 12)}${paused}`;
  const [last] = history;
  return last === undefined
    ? `begin promotions${paused}`
    : `${last.hash.slice(0, 12)} ${last.result}${paused}`;
}

function interrupted(promotion: Promotion): string {
  return `an earlier run was interrupted: ${commitSubject(promotion)}`;
}

/** Whether an earlier run changed the state and committed nothing. */
async function isUncommitted({ app, status }: Promotion, file: string): Promise<boolean> {
  const committed = await committedText(file);
  const before = committed === undefined ? undefined : readPromotion(file, committed, app).value;
  return JSON.stringify(before?.status ?? {}) !== JSON.stringify(status);
}

async function decideApp(
  promotion: Promotion,
  file: string,
  context: StepContext,
): Promise<(Decision & { readonly resolved?: ResolvedInputs }) | undefined> {
  const { options, root, settings, terminal } = context;
  const { app, spec, status } = promotion;
  const { release } = status;
  const { head } = context;
  const out = path.resolve(root, settings.out);
  const committed = (await earlierOutputs(out, [app], settings)).get(app);
  if (committed === undefined) throw new Error('the app has an earlier output');
  const files = new Set(committed.ownership.files.map((name) => path.basename(name)));
  const released = release === undefined ? [] : [...clustersOf(release)].filter(isReleasedIn(release));
  let connection: Promise<HubReader> | undefined;
  const hub = async (): Promise<HubReader> => await (connection ??= connectToHub(options, terminal.cwd));
  const onHub = await addOnsOnHub(released, hub);
  // A cluster that is not in Git or on the hub may have left since, or is led by another placement now.
  const isMissing = released.some((each) => {
    const { addOn, cluster, hash, placement } = each;
    if (hash === absent) return false;
    if (placement === undefined) return !files.has(clusterFileName(addOn, cluster));
    return healthOnHub(each, onHub).progress !== 'Succeeded';
  });
  const required = new RequiredOnHub(hub, files, onHub);
  const isRunning = release !== undefined && release.restores === undefined && spec.paused !== true;
  if (isRunning) await required.read(release);
  const isHeld = isRunning && required.holds(release, terminal.now());
  const mayBegin =
    release === undefined ||
    (release.restores === undefined &&
      (release.released === 0 ||
        (spec.whenBusy === 'supersede' && (await hasNewSources(release, head, context)))));
  let compiled: CompiledApp<PromotedApp> | undefined;
  if (mayBegin || isMissing || isHeld) {
    compiled = await compile(promotion, committed, context);
    if (compiled.promoted === undefined) {
      context.report.print(compiled.diagnostics, compiled.texts);
      return undefined;
    }
  }
  const { resolution, promoted } = compiled ?? {};
  const next =
    mayBegin && resolution !== undefined && promoted?.isChanged === true
      ? newRelease(promoted.pending, resolution, { source: head, base: head })
      : undefined;
  const starts =
    release === undefined ? new Map<number, number>() : await waveStarts(root, release.base, file);
  const startOf = (wave: number): number | undefined => starts.get(wave);
  // To roll back, or to do nothing, needs no gate.
  const isGated =
    spec.paused !== true && (release === undefined ? next !== undefined : release.restores === undefined);
  const hashes = [release, next].flatMap((each) => each?.hash ?? []);
  const approvals = isGated ? await readApprovals(promotion, hashes, root, file) : undefined;
  if (isGated && next !== undefined) await required.read(next);
  const decision = decide({
    promotion,
    ...(isGated && {
      // A cluster that has left holds nothing.
      requiredState: (addOn, cluster) =>
        resolution?.decisions.clusters.has(cluster) === false ? undefined : required.state(addOn, cluster),
    }),
    ...(isGated && { outside: await readOutsideGates(promotion, { host: terminal, hub, startOf }) }),
    ...(approvals && { approvals }),
    now: terminal.now(),
    healthOf: healthFinder({ files, resolution, onHub }),
    startOf,
    next,
    isRolledBack: promoted?.isRolledBack === true,
    head,
  });
  return { ...decision, ...(compiled && { resolved: compiled.resolved }) };
}

/** Returns a function that returns how far a released cluster is; undefined if the cluster has left, or another placement leads it. */
function healthFinder({
  files,
  resolution,
  onHub,
}: {
  readonly files: ReadonlySet<string>;
  readonly resolution: CompiledApp['resolution'];
  readonly onHub: ReadonlyMap<string, HubAddOn>;
}): (released: ReleasedCluster) => ClusterHealth | undefined {
  return (each) => {
    const { addOn, cluster, hash, placement } = each;
    const clusters = resolution?.configuration.get(addOn)?.clusters;
    if (placement !== undefined) {
      const isLed = clusters === undefined || clusters.leaderOf(cluster) === placement;
      // The hub uninstalls an add-on, or gives it the content of another placement, as soon as one is gone.
      return hash === absent || !isLed ? undefined : healthOnHub(each, onHub);
    }
    const hasFile = hash === absent || files.has(clusterFileName(addOn, cluster));
    if (!hasFile && clusters?.has(cluster) !== true) return undefined;
    return hasFile ? healthOnHub(each, onHub) : { progress: 'Progressing', why: 'has no file in Git' };
  };
}

async function addOnsOnHub(
  released: readonly ReleasedCluster[],
  hub: () => Promise<HubReader>,
): Promise<ReadonlyMap<string, HubAddOn>> {
  const addOns = new Set(released.map(({ addOn }) => addOn));
  if (addOns.size === 0) return new Map();
  const compiled = new Set(
    released.flatMap(({ addOn, placement }) => (placement === undefined ? [addOn] : [])),
  );
  return await readHubAddOns(await hub(), addOns, (addOn) => compiled.has(addOn));
}

/** Returns how far a cluster is with the content of a release. */
function healthOnHub(
  { addOn, cluster, hash, placement, configs }: ReleasedCluster,
  onHub: ReadonlyMap<string, HubAddOn>,
): ClusterHealth {
  const present = onHub.get(clusterKey(addOn, cluster)) ?? { works: [] };
  return placement === undefined
    ? clusterHealth(present, hash)
    : placementHealth(present.addOn, configs ?? []);
}

function isReleasedIn({ released }: Release): (cluster: ReleasedCluster) => boolean {
  return ({ wave }) => wave <= released;
}

/** Whether Git has other sources than the release. The fleet does not count: clusters keep their wave when it changes. */
async function hasNewSources(
  { source }: Release,
  head: string,
  { root, settings }: StepContext,
): Promise<boolean> {
  const fleet = await fleetOfWorkspace(root, settings);
  const ignored = [settings.out, 'promotions', 'fleets', ...fleet];
  const isIgnored = (name: string): boolean =>
    ignored.some((each) => name === each || name.startsWith(`${each}/`)) ||
    /^fleet(?:\.|$)/.test(name.slice(settings.apps.length + 1).split('/')[1] ?? '');
  return await differs(root, [source, head], isIgnored);
}

async function compile(
  promotion: Promotion,
  earlier: EarlierOutput,
  { options, root, settings, policies, terminal }: StepContext,
): Promise<CompiledApp<PromotedApp>> {
  const fleet = await fleetOfWorkspace(root, settings);
  const targetOf = (ofCommit: WorkspaceSettings) => readHubOptions(options, ofCommit);
  const out = path.resolve(root, settings.out);
  const target: SynthTarget<PromotedApp> = {
    ...targetOf(settings),
    engine: settings.engine,
    policies,
    earlier,
    release: releaseFor(promotion, { settings, out, fleet, targetOf, host: terminal }),
  };
  const inputs = { path: [path.join(settings.apps, promotion.app)], fleet: [] };
  return await compileApp(inputs, target, terminal, new Stopwatch(terminal));
}

/**
 * Writes the output of an app. Returns false if it has errors, which are printed.
 *
 * @param resolved - what the decision has resolved. It does not depend on the state of the promotion.
 */
async function synthesize(
  app: string,
  resolved: ResolvedInputs | undefined,
  { options, terminal }: StepContext,
): Promise<boolean> {
  let printed = '';
  const quiet: Terminal = {
    ...terminal,
    isQuiet: true,
    out: () => undefined,
    err: (text) => {
      printed += text;
    },
  };
  const code = await synthHubs(
    {
      ...options,
      app: [app],
      apps: undefined,
      out: undefined,
      fleet: [],
      policy: undefined,
      engine: undefined,
      check: false,
      'allow-empty': false,
      provenance: undefined,
      timings: false,
      strict: false,
      all: false,
    },
    quiet,
    new Stopwatch(quiet),
    new Map(resolved && [[app, resolved]]),
  );
  if (code !== exitCode.clean) terminal.err(printed);
  return code === exitCode.clean;
}
