import { checkNamedApps } from '../../../workspace/settings/named-apps.ts';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type Diagnostic,
  type LoadedObject,
  emptySharedContent,
  type SharedContent,
  type Resolution,
  resolve,
} from '../../../compiler/index.ts';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import { isHubOwned } from '../../../compiler/model/hub-owned.ts';
import type { HubAddress } from '../../../workspace/hub/connect-to-hub.ts';
import { areAlike, goneObjects, type ReadPair } from './compared-inputs.ts';
import { readInputs, type Inputs, type ReadOptions } from '../../../workspace/inputs/inputs.ts';
import { appsIn, namedApps } from '../../../workspace/inputs/app-names.ts';
import { optionsOfReleases, readHubOptions, type AppsArgument, type HubArguments } from '../../options.ts';
import { resolveAgainstHub } from './plan-against-hub.ts';
import { withStates, type FileState, type FileStates } from '../../../workspace/revisions.ts';
import { changedSettings } from './changed-settings.ts';
import {
  ofOneState,
  readComparedPolicies,
  type ComparedPolicies,
  type ComparedPolicyArguments,
} from './compared-policies.ts';
import { readPolicies } from '../../../workspace/settings/policies.ts';
import {
  readWorkspaceSettings,
  settingsOfHub,
  type WorkspaceSettings,
} from '../../../workspace/settings/settings.ts';
import { isExplained } from '../../../promotion/git/explained-placements.ts';
import { readPromotions } from '../../../promotion/git/promotions.ts';
import type { Promotion } from '../../../promotion/decide/promotion.ts';
import { oneHub, type HubSelection } from '../../hub-selection.ts';
import { readCommittedApp, type CommittedApp } from '../../../workspace/inputs/committed-app.ts';
import {
  appsWithoutSources,
  committedApp,
  comparedOutputs,
  missingEarlierOutput,
  missingOutput,
  outputLosses,
  outputWithoutSources,
  staleOutput,
  unchangedOutput,
  unverifiedOutputs,
  type ComparedOutputs,
} from './compared-outputs.ts';
import { changedEqual, pairedHubs, type HubPair } from './compared-hubs.ts';
import type { EqualHubs } from '../../../workspace/settings/hubs.ts';
import {
  resolveRead,
  type ResolvedInputs,
  type ResolveReadOptions,
} from '../../../workspace/inputs/resolve-inputs.ts';
import type { TrustedPrograms } from '../../../workspace/settings/kustomize-settings.ts';
import type { Stopwatch } from '../../../workspace/stopwatch.ts';
import { type Terminal } from '../../terminal/terminal.ts';
import { isFolder, openWorkspace, workspaceInputs } from '../../../workspace/workspace.ts';
import { UserError } from '../../../workspace/user-error.ts';
import type { CompileTarget } from '../../../workspace/output/compile-target.ts';
import type { Host } from '../../../workspace/host.ts';

/** Arguments that select the states to compare. */
export interface CompareArguments
  extends HubAddress, HubArguments, ComparedPolicyArguments, AppsArgument, HubSelection {
  readonly state: readonly string[] | undefined;
  readonly against: string | undefined;
  readonly app: readonly string[];
  readonly fleet: readonly string[];
  /** @default - apps are run if the later state is the working tree, or no state has committed output */
  readonly 'run-apps': boolean | undefined;
}

/** The two states of one app, resolved. */
export interface AppPair {
  readonly app: string;
  readonly before: ResolvedInputs;
  readonly after: ResolvedInputs;
  /** The folder of the app in the later state, if that state has it. */
  readonly folder?: string;
  /** See `AppStates.baseOnSameFleet`. */
  readonly baseOnSameFleet?: Resolution;
  /** Whether only the earlier state has the app. */
  readonly isRemoved: boolean;
}

/** The compared states. */
export interface Compared extends FileStates {
  /** The hubs to compare. */
  readonly hubs: readonly HubPair[];
  /** Resolves the states for one hub. The caller should release them before it resolves those for the next one. */
  readonly resolveHub: (hub: HubPair) => Promise<ComparedHub>;
  /** The policies for checking the change. */
  readonly policies: ComparedPolicies;
  /** The hubs that must be equal in the later state, from the state of the policies. */
  readonly equal: readonly EqualHubs[];
  /** The labels by which clusters of these hubs correspond to each other. */
  readonly by: readonly string[];
}

/** The compared states for one hub. */
export interface ComparedHub {
  readonly states: readonly AppPair[];
  readonly diagnostics: readonly Diagnostic[];
  /** The target and the settings of the later state, except for limits. */
  readonly target: CompileTarget;
  /** The OCM release of the earlier state. */
  readonly baseHub: CompileTarget['hub'];
  readonly settings: WorkspaceSettings;
  /** The output folder of the hub in the earlier state, relative to the folder of that state. */
  readonly earlierOut: string;
}

/**
 * Resolves the states that the command line selects: revisions, folders, or the hub and the files of the working
 * tree.
 *
 * @throws UserError if the command line does not select states to compare.
 */
export async function withCompared<T>(
  options: CompareArguments,
  started: Terminal,
  watch: Stopwatch,
  use: (compared: Compared) => Promise<T>,
): Promise<T> {
  return options.against === undefined
    ? await withComparedFiles(options, started, watch, use)
    : await use(await comparedWithHub(options, started, watch));
}

async function withComparedFiles<T>(
  options: CompareArguments,
  terminal: Terminal,
  watch: Stopwatch,
  use: (compared: Compared) => Promise<T>,
): Promise<T> {
  const { state = [] } = options;
  const releases = optionsOfReleases(options);
  if (state.length === 0 && releases === undefined)
    throw new UserError(
      'missing states to compare',
      'revisions BASE..HEAD, two folders, --against hub, or two releases such as --hub-version 1.2..1.3',
    );
  const checkedOut = watch.begin('check out');
  const open = async (compare: (files: FileStates) => Promise<T>): Promise<T> =>
    releases !== undefined && state.length === 0
      ? await compare(upgradedState(releases, terminal.cwd))
      : await withStates(state, terminal.cwd, compare);
  try {
    return await open(async (files) => {
      checkedOut();
      return await use(await comparedFiles(options, files, terminal, watch));
    });
  } finally {
    checkedOut();
  }
}

async function comparedFiles(
  options: CompareArguments,
  files: FileStates,
  terminal: Terminal,
  watch: Stopwatch,
): Promise<Compared> {
  const later = await readWorkspaceSettings({ ...terminal, cwd: files.head.cwd });
  // Not those of the earlier state, which the later one may mend.
  await checkNamedApps(files.head.cwd, { ...later, apps: options.apps ?? later.apps });
  const policies = await readComparedPolicies(options, files, terminal);
  const earlier = await readWorkspaceSettings({ ...terminal, cwd: files.base.cwd });
  const { hubs, diagnostics } = pairedHubs(earlier, later, files, options.hub);
  for (const { cwd, root, links } of [files.base, files.head]) {
    const { unconfined, requiresSandbox } = policies;
    terminal.apps?.add({
      cwd,
      unconfined,
      requiresSandbox,
      ...(root && { root }),
      ...(links && { links }),
    });
  }
  const sharedSources = hubs.length > 1 ? emptySharedContent() : undefined;
  const outputsOfHubs = new Map<HubPair, ComparedOutputs | undefined>();
  for (const hub of hubs) {
    const outs = { base: settingsOfHub(earlier, hub.base).out, head: settingsOfHub(later, hub.head).out };
    const isWorkingTree = files.head.cwd === terminal.cwd;
    outputsOfHubs.set(hub, await comparedOutputs(options['run-apps'], outs, files, isWorkingTree));
  }
  const releases = optionsOfReleases(options);
  const resolveHub = async (hub: HubPair): Promise<ComparedHub> => {
    const settings = settingsOfHub(later, hub.head);
    const baseSettings = settingsOfHub(earlier, hub.base);
    const target = readHubOptions(releases?.head ?? options, settings);
    const targets = {
      base: hub.missingIn === 'base' ? target : readHubOptions(releases?.base ?? options, baseSettings),
      head: target,
    };
    const outputs = outputsOfHubs.get(hub);
    const resolved = await resolveStates(
      { ...options, targets, hub, sharedSources, outputs, trusted: policies.trusted },
      files,
      terminal,
      watch,
    );
    const changed = hub.missingIn === undefined ? changedSettings(baseSettings, settings, options) : [];
    return {
      ...resolved,
      diagnostics: [...changed, ...resolved.diagnostics],
      target,
      baseHub: targets.base.hub,
      settings,
      earlierOut: baseSettings.out,
    };
  };
  const isOfHead = options['policy-from'] === 'head';
  const { equal } = isOfHead ? later : earlier;
  // Committed output was compiled with the dependencies of its own state.
  const isCompiled = [...outputsOfHubs.values()].includes(undefined);
  const all = [
    ...(isCompiled ? files.diagnostics : []),
    ...diagnostics,
    ...(isOfHead ? [] : changedEqual(earlier, later, files.base.label)),
  ];
  return { ...files, hubs, resolveHub, diagnostics: all, policies, equal, by: later.by };
}

async function comparedWithHub(
  options: CompareArguments,
  started: Terminal,
  watch: Stopwatch,
): Promise<Compared> {
  const { state = [] } = options;
  if (state.length > 0) throw new UserError('--against hub compares the working tree', 'omit the revisions');
  if (optionsOfReleases(options) !== undefined)
    throw new UserError(
      '--against hub compares with a hub of one release',
      'name one release with --hub-version',
    );
  const what = 'plan --against hub compares with one hub, and the workspace has several';
  const terminal = await oneHub(started, options, what);
  const here = { label: 'the working tree', cwd: terminal.cwd };
  const { root, settings } = await openWorkspace(terminal);
  await checkNamedApps(root, { ...settings, apps: options.apps ?? settings.apps });
  const target = readHubOptions(options, settings);
  const policies = ofOneState(await readPolicies(options, terminal));
  const apps = await appsOf(options, here, here, terminal);
  const folders = apps.map(({ after }) => after);
  const { base: before, head: after } = await watch.wait('read the hub', () =>
    resolveAgainstHub(folders, options, target, terminal),
  );
  const app = apps.map((each) => each.app).join(', ');
  const base = { label: 'the hub', cwd: terminal.cwd };
  const states = [{ app, before, after, isRemoved: false }];
  const compared = {
    states,
    diagnostics: [],
    target,
    baseHub: target.hub,
    settings,
    earlierOut: settings.out,
  };
  const resolveHub = async (): Promise<ComparedHub> => await Promise.resolve(compared);
  return {
    base,
    head: here,
    hubs: [{}],
    resolveHub,
    diagnostics: [],
    policies,
    equal: [],
    by: [],
  };
}

/** Returns the working tree in both states, for a hub before and after an upgrade. */
function upgradedState(
  { base, head }: { readonly base: HubArguments; readonly head: HubArguments },
  cwd: string,
): FileStates {
  const [before, after] = [base, head].map((options) => ({
    label: `OCM ${options['hub-version'] ?? ''}`,
    cwd,
  }));
  if (before === undefined || after === undefined) throw new Error('two releases');
  return { base: before, head: after, diagnostics: [] };
}

interface ResolveHubOptions extends Omit<CompareArguments, 'hub'> {
  readonly targets: { readonly base: CompileTarget; readonly head: CompileTarget };
  readonly hub: HubPair;
  /** The sources of apps that the states for other hubs have too. */
  readonly sharedSources: SharedContent | undefined;
  /** The committed output to compare. @default - the apps are run */
  readonly outputs: ComparedOutputs | undefined;
  /** The programs that the kustomizations of both states may run. */
  readonly trusted: TrustedPrograms;
}

/** How the two states for one hub are read. */
interface StateReading extends Pick<FileStates, 'base' | 'head'> {
  /** The host of a command in one of the states. */
  readonly at: (state: FileState) => Terminal;
  readonly inBase: StateCache;
  readonly inHead: StateCache;
}

interface StateCache {
  readonly cache: SharedContent;
  readonly sharedSources?: SharedContent;
  readonly watch: Stopwatch;
}

/** Reads and resolves the apps in both states, up to the first app that does not resolve. */
async function resolveStates(
  options: ResolveHubOptions,
  { base, head }: FileStates,
  terminal: Terminal,
  watch: Stopwatch,
): Promise<{ readonly states: readonly AppPair[]; readonly diagnostics: readonly Diagnostic[] }> {
  // Resolve both states for one time if neither the user nor the fleet sets one.
  const now = terminal.now();
  const { targets, hub, sharedSources } = options;
  const at = (state: FileState): Terminal => {
    const name = state === base ? hub.base : hub.head;
    const { hub: _hub, ...host } = terminal;
    return { ...host, cwd: state.cwd, now: () => now, ...(name !== undefined && { hub: name }) };
  };
  // The states share most of their content.
  const cache = emptySharedContent();
  const shared = { cache, ...(sharedSources && { sharedSources }) };
  const inBase = { ...shared, watch: watch.of('base') };
  const inHead = { ...shared, watch: watch.of('head') };
  const reading = { base, head, at, inBase, inHead };
  const { apps, folders, diagnostics } = await readApps(options, reading, terminal);
  const states: AppPair[] = [];
  const gone = goneObjects(apps, { base: targets.base.hub, head: targets.head.hub });
  for (const { app, folder, ...given } of apps) {
    const dated = withLaterFleet(given);
    if (dated !== given && hub.baseHasFleet !== false) diagnostics.push(withoutFleet(app, base, head));
    const read = withEarlierFleet(dated);
    if (read !== dated) diagnostics.push(removedFleet(app, base, head));
    const before = resolveEarlier(read.before, targets.base, at(base), inBase);
    const earlier = before.resolution && { earlier: before.resolution.decisions };
    const after = resolveState(read.after, targets.head, at(head), { ...inHead, gone, ...earlier });
    const baseOnSameFleet = onFleetOfHead(read, after, targets, at(head), { cache, watch, ...earlier });
    states.push({
      app,
      before,
      after,
      ...(folder && { folder }),
      ...(baseOnSameFleet && { baseOnSameFleet }),
      isRemoved: read.before !== undefined && read.after === undefined,
    });
    const committed = folders.get(app);
    if (committed !== undefined) {
      const isPromoted = read.after?.surroundings.isPromoted === true;
      const range = `${base.label}..${head.label}`;
      const stale = isPromoted ? [] : await staleOutput(committed.output, head.cwd, after.resolution);
      diagnostics.push(
        ...(stale.length > 0 ? stale : await unchangedOutput(committed, terminal.cwd, { base, head })),
        ...outputLosses(committed, head.cwd, range),
      );
    }
    // Its errors are reported, and then there is no plan.
    if (before.resolution === undefined || after.resolution === undefined) return { states, diagnostics };
  }
  const isEmpty = ({ texts, resolution }: ResolvedInputs): boolean =>
    texts.size === 0 && resolution?.inventory.objects.length === 0;
  diagnostics.push(...unverifiedOutputs([...folders.keys()], head.label));
  if (states.every(({ before, after }) => isEmpty(before) && isEmpty(after))) {
    throw new UserError(
      `there is nothing to compare: neither state has ${options.apps ?? 'apps'} or YAML here`,
      'run plan in a workspace, or set the folder of the apps with --apps',
    );
  }
  return { states, diagnostics };
}

/** The apps as they are in both states. */
interface ReadApps {
  readonly apps: readonly (ReadPair & Pick<AppPair, 'app' | 'folder'>)[];
  /** The apps of which the committed output of the later state was read, by name. */
  readonly folders: ReadonlyMap<string, CommittedApp>;
  readonly diagnostics: Diagnostic[];
}

async function readApps(
  options: ResolveHubOptions,
  { base, head, at, inBase, inHead }: StateReading,
  terminal: Terminal,
): Promise<ReadApps> {
  const { hub, outputs } = options;
  const diagnostics: Diagnostic[] = [];
  const apps: (ReadPair & Pick<AppPair, 'app' | 'folder'>)[] = [];
  const named = await appsOf(options, base, head, terminal);
  const withoutSources =
    outputs === undefined || options.app.length > 0
      ? []
      : await appsWithoutSources(named, outputs, { base, head });
  const names = named.map(({ app }) => app);
  const promotions =
    outputs === undefined ? new Map<string, Promotion>() : await promotionsIn(at(head), names);
  const folders = new Map<string, CommittedApp>();
  for (const { app, ...sources } of [...named, ...withoutSources]) {
    const committed = outputs && (await committedApp({ app, ...sources }, outputs, { base, head }));
    const before =
      hub.missingIn === 'base'
        ? undefined
        : await readState(sources.before, options, at(base), {
            ...inBase,
            hasFleet: hub.baseHasFleet !== false,
            ...(committed && { committed: committed.base }),
          });
    let after =
      hub.missingIn === 'head'
        ? undefined
        : await readState(sources.after, options, at(head), {
            ...inHead,
            ...(committed && {
              committed: {
                ...committed.head,
                isExplained: (addOn) => isExplained(promotions.get(app), addOn),
              },
            }),
          });
    if (committed !== undefined) {
      const { head: ofHead, base: ofBase } = committed;
      if (await isFolder(path.resolve(head.cwd, ofHead.sources))) {
        folders.set(app, ofHead);
        if (after === undefined && hub.missingIn !== 'head') after = nothingRead(missingOutput(ofHead, head));
      } else if (hasObjects(after)) diagnostics.push(outputWithoutSources(ofHead.output));
      else after = undefined;
      const hasEarlier = before !== undefined || hub.missingIn === 'base';
      if (!hasEarlier && (await isFolder(path.resolve(base.cwd, ofBase.sources))))
        diagnostics.push(missingEarlierOutput(ofBase, base));
      if (before === undefined && after === undefined) continue;
    }
    const isPresent = app !== '' && (await isFolder(path.resolve(head.cwd, sources.after)));
    apps.push({ app, before, after, ...(isPresent && { folder: sources.after }) });
  }
  return { apps, folders, diagnostics };
}

/**
 * Returns an earlier state that has objects and no clusters with the clusters of the later one: the hub had them
 * before the repository had a snapshot of them. Returns other states unchanged.
 */
function withLaterFleet(read: ReadPair): ReadPair {
  const { before, after } = read;
  if (before === undefined || after === undefined || before.objects.length === 0) return read;
  if (before.objects.some(isCluster) || !after.objects.some(isCluster)) return read;
  const fleet = after.objects.filter(({ source }) => source === 'fleet');
  return { ...read, before: { ...before, objects: [...before.objects, ...fleet], time: after.time } };
}

/**
 * Returns a later state that has objects and no snapshot with the clusters of the earlier one: the clusters stay on the hub if a file
 * is deleted. Returns other states unchanged.
 */
function withEarlierFleet(read: ReadPair): ReadPair {
  const { before, after } = read;
  if (before === undefined || after === undefined || !hasObjects(after)) return read;
  if (
    !before.objects.some(isCluster) ||
    after.objects.some(({ source, object }) => source === 'fleet' || isCluster({ object }))
  )
    return read;
  const fleet = before.objects.filter(({ source }) => source === 'fleet');
  return { ...read, after: { ...after, objects: [...after.objects, ...fleet], time: before.time } };
}

/** Returns the inputs of a state that cannot be read, for the reason of a diagnostic. */
function nothingRead(fault: Diagnostic): Inputs {
  return {
    objects: [],
    diagnostics: [fault],
    texts: new Map(),
    snapshots: [],
    time: undefined,
    unread: { kustomizations: [], charts: [], apps: [], outputs: [], ignored: [] },
    notManifests: [],
    parts: [],
    surroundings: { external: [], snapshots: [] },
  };
}

function hasObjects(inputs: Inputs | undefined): boolean {
  return inputs?.objects.some(({ source }) => source === 'app') === true;
}

/** Loaded objects may lack anything. */
function isCluster({ object }: Pick<LoadedObject, 'object'>): boolean {
  return object.kind === 'ManagedCluster';
}

function withoutFleet(app: string, base: FileState, head: FileState): Diagnostic {
  const what = app === '' ? '' : `app "${app}": `;
  return diagnostic('FW8015', {
    message: `${what}${base.label} has no fleet snapshot, so both states are compared on the clusters of ${head.label}`,
  });
}

function removedFleet(app: string, base: FileState, head: FileState): Diagnostic {
  const what = app === '' ? '' : `app "${app}": `;
  return diagnostic('FW8061', {
    message: `${what}${head.label} has no fleet snapshot, and ${base.label} has one: both states are compared on the clusters of ${base.label}`,
    hint: 'restore the snapshot, or run fleetwright fleet pull',
  });
}

/** Returns the valid promotions in a state, by app. Faults of the others are reported with what they release. */
async function promotionsIn(
  terminal: Terminal,
  apps: readonly string[],
): Promise<ReadonlyMap<string, Promotion>> {
  const { root, settings } = await openWorkspace(terminal);
  return (await readPromotions(root, settings, apps)).byApp;
}

/** Returns an app in one state; undefined if the state does not have it. */
async function readState(
  folder: string,
  { fleet, trusted }: ResolveHubOptions,
  terminal: Terminal,
  {
    hasFleet = true,
    committed,
    ...read
  }: ReadOptions & { readonly hasFleet?: boolean; readonly committed?: CommittedApp },
): Promise<Inputs | undefined> {
  const found = await stat(path.resolve(terminal.cwd, folder)).catch(() => undefined);
  if (found === undefined && committed === undefined) return undefined;
  const { sharedFleet, kustomize, ...ofWorkspace } = await workspaceInputs(terminal);
  const options = {
    ...read,
    ...ofWorkspace,
    kustomize: { ...kustomize, trusted },
    ...(hasFleet && { sharedFleet }),
    mayBeEmpty: true,
  };
  return committed === undefined
    ? await readInputs([folder], fleet, terminal, options)
    : await readCommittedApp(committed, fleet, terminal, options);
}

/** Returns the resolution of an app in a state; the resolution of no inputs if the state does not have the app. */
function resolveState(
  inputs: Inputs | undefined,
  target: CompileTarget,
  terminal: Terminal,
  options: ResolveReadOptions,
): ResolvedInputs {
  return inputs === undefined
    ? { resolution: nothing(target, terminal), diagnostics: [], texts: new Map(), snapshots: [] }
    : resolveRead(inputs, target, terminal, options);
}

/**
 * Returns the resolution of an app in the earlier state, which the hub has had for a long time: placements that other placements
 * displace have been evaluated again. Without this, the later state would appear to displace them.
 */
function resolveEarlier(
  inputs: Inputs | undefined,
  target: CompileTarget,
  terminal: Terminal,
  options: ResolveReadOptions,
): ResolvedInputs {
  let resolved = resolveState(inputs, target, terminal, options);
  for (let times = 0; times < mostEvaluations; times++) {
    const { resolution } = resolved;
    if (resolution === undefined || !isDisplaced(resolution.decisions)) break;
    resolved = resolveState(inputs, target, terminal, { ...options, earlier: resolution.decisions });
  }
  return resolved;
}

/** The number of evaluations after which placements that displace each other count as never settling. */
const mostEvaluations = 3;

function isDisplaced({ byPlacement }: Resolution['decisions']): boolean {
  return [...byPlacement.values()].some(({ reasoning }) => reasoning?.revision !== undefined);
}

/** Returns `AppStates.baseOnSameFleet`; undefined if it is the base itself. */
function onFleetOfHead(
  read: ReadPair,
  { resolution }: ResolvedInputs,
  { base, head }: { readonly base: CompileTarget; readonly head: CompileTarget },
  terminal: Terminal,
  options: ResolveReadOptions,
): Resolution | undefined {
  const { before, after } = read;
  if (before === undefined || after === undefined || resolution?.inventory.objects.some(isHubOwned) !== true)
    return undefined;
  if (areAlike(read, 'fleet')) return undefined;
  if (areAlike(read, 'app') && base.hub === head.hub) return resolution;
  const objects = [
    ...before.objects.filter(({ source }) => source === 'app'),
    ...after.objects.filter(({ source }) => source === 'fleet'),
  ];
  return resolveRead({ ...after, objects }, base, terminal, options).resolution;
}

function nothing({ hub, now }: CompileTarget, terminal: Terminal): Resolution | undefined {
  return resolve([], { now: now ?? terminal.now(), hub }).value;
}

interface NamedApp {
  readonly app: string;
  /** Its folder, relative to that of each state. */
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the apps of either state, by name. If neither has a folder of apps, each state is read as one app.
 *
 * @throws UserError if neither state has an app that the user named.
 */
async function appsOf(
  { app, apps: named }: Pick<CompareArguments, 'app' | 'apps'>,
  base: FileState,
  head: FileState,
  host: Host,
): Promise<readonly NamedApp[]> {
  const folderIn = async ({ cwd }: FileState): Promise<string> =>
    named ?? (await readWorkspaceSettings({ ...host, cwd })).apps;
  const before = await folderIn(base);
  const after = await folderIn(head);
  const inBase = await appsIn(path.resolve(base.cwd, before));
  const inHead = await appsIn(path.resolve(head.cwd, after));
  if (inBase === undefined && inHead === undefined) {
    if (named !== undefined) throw new UserError(`no folder ${named} in either state`);
    return [{ app: '', before: '.', after: '.' }];
  }
  const existing = [...new Set([...(inBase ?? []), ...(inHead ?? [])])].sort();
  const names = app.length > 0 ? namedApps(app, after, existing, head.cwd) : existing;
  if (names.length === 0) throw new UserError(`${after} has no apps: folders with an app.ts or YAML`);
  return names.map((name) => ({
    app: name,
    before: path.join(before, name),
    after: path.join(after, name),
  }));
}
