import { type Diagnostic, type Resolution, emptySharedContent } from '../../../compiler/index.ts';
import type { HubAddress } from '../../../workspace/hub/connect-to-hub.ts';
import type { ResolvedInputs } from '../../../workspace/inputs/resolve-inputs.ts';
import type { CompileTarget } from '../../../workspace/output/compile-target.ts';
import { type FileState, type FileStates, withStates } from '../../../workspace/revisions.ts';
import type { EqualHubs } from '../../../workspace/settings/hubs.ts';
import { checkNamedApps } from '../../../workspace/settings/named-apps.ts';
import { readPolicies } from '../../../workspace/settings/policies.ts';
import {
  type WorkspaceSettings,
  readWorkspaceSettings,
  settingsOfHub,
} from '../../../workspace/settings/settings.ts';
import type { Stopwatch } from '../../../workspace/stopwatch.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { openWorkspace } from '../../../workspace/workspace.ts';
import { type HubSelection, oneHub } from '../../hub-selection.ts';
import { type AppsArgument, type HubArguments, optionsOfReleases, readHubOptions } from '../../options.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { changedSettings } from './changed-settings.ts';
import { type HubPair, changedEqual, pairedHubs } from './compared-hubs.ts';
import { goneObjects } from './compared-inputs.ts';
import {
  type ComparedOutputs,
  comparedOutputs,
  outputLosses,
  staleOutput,
  unchangedOutput,
  unverifiedOutputs,
} from './compared-outputs.ts';
import {
  type ComparedPolicies,
  type ComparedPolicyArguments,
  ofOneState,
  readComparedPolicies,
} from './compared-policies.ts';
import { removedFleet, withEarlierFleet, withLaterFleet, withoutFleet } from './fleet-of-other-state.ts';
import { resolveAgainstHub } from './plan-against-hub.ts';
import { type OtherApp, otherApps } from './other-apps.ts';
import { type ResolveHubOptions, appsOf, readApps } from './read-apps.ts';
import { onFleetOfHead, resolveEarlier, resolveState } from './resolve-state.ts';

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
  /** The other apps that add-ons of the compared apps require. They are not part of the plan. */
  readonly others: readonly OtherApp[];
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
  checkHasStates(options);
  const releases = optionsOfReleases(options);
  const checkedOut = watch.begin('check out');
  const open = async (compare: (files: FileStates) => Promise<T>): Promise<T> =>
    releases !== undefined && state.length === 0
      ? await compare(upgradedState(releases, terminal.cwd))
      : await withStates(state, terminal.cwd, compare, terminal.checkouts);
  try {
    return await open(async (files) => {
      checkedOut();
      return await use(await comparedFiles(options, files, terminal, watch));
    });
  } finally {
    checkedOut();
  }
}

/** @throws UserError if the command line names no states to compare */
export function checkHasStates({
  state = [],
  ...options
}: Pick<CompareArguments, 'state'> & HubArguments): void {
  if (state.length > 0 || optionsOfReleases(options) !== undefined) return;
  throw new UserError(
    'missing states to compare',
    'HEAD for the changes since the last commit, revisions BASE..HEAD, two folders, --against hub, or two releases such as --hub-version 1.2..1.3',
  );
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
  for (const { cwd, root, links, commit, repository } of [files.base, files.head]) {
    const { unconfined, requiresSandbox } = policies;
    terminal.apps?.add({
      cwd,
      unconfined,
      requiresSandbox,
      ...(root && { root }),
      ...(links && { links }),
      ...(commit && { commit }),
      ...(repository && { repository }),
    });
  }
  const sharedSources =
    hubs.length > 1 ? (terminal.keptContents?.sources ?? emptySharedContent()) : undefined;
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
    others: [],
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

/** Reads and resolves the apps in both states, up to the first app that does not resolve. */
async function resolveStates(
  options: ResolveHubOptions,
  { base, head }: FileStates,
  terminal: Terminal,
  watch: Stopwatch,
): Promise<Pick<ComparedHub, 'states' | 'others' | 'diagnostics'>> {
  // Resolve both states for one time if neither the user nor the fleet sets one.
  const now = terminal.now();
  const { targets, hub, sharedSources } = options;
  const at = (state: FileState): Terminal => {
    const name = state === base ? hub.base : hub.head;
    const { hub: _hub, ...host } = terminal;
    return { ...host, cwd: state.cwd, now: () => now, ...(name !== undefined && { hub: name }) };
  };
  // The states share most of their content.
  const kept = terminal.keptContents;
  const cache = kept?.ofHub(hub.name) ?? emptySharedContent();
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
    const results = kept?.results(hub.name, app);
    const before = resolveEarlier(read.before, targets.base, at(base), { ...inBase, results });
    const earlier = before.resolution && { earlier: before.resolution.decisions };
    const after = resolveState(read.after, targets.head, at(head), { ...inHead, results, gone, ...earlier });
    const baseOnSameFleet = onFleetOfHead(read, after, targets, at(head), {
      cache,
      results,
      watch,
      ...earlier,
    });
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
    if (before.resolution === undefined || after.resolution === undefined)
      return { states, others: [], diagnostics };
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
  const others = options.app.length === 0 ? [] : await otherApps(states, options, reading, terminal);
  return { states, others, diagnostics };
}
