import path from 'node:path';
import type { Diagnostic, SharedContent } from '../../../compiler/index.ts';
import type { Promotion } from '../../../promotion/decide/promotion.ts';
import { isExplained } from '../../../promotion/git/explained-placements.ts';
import { readPromotions } from '../../../promotion/git/promotions.ts';
import { existingPath } from '../../../workspace/existing-path.ts';
import type { Host } from '../../../workspace/host.ts';
import { appsIn, namedApps } from '../../../workspace/inputs/app-names.ts';
import { type CommittedApp, readCommittedApp } from '../../../workspace/inputs/committed-app.ts';
import { type Inputs, type ReadOptions, readInputs } from '../../../workspace/inputs/inputs.ts';
import type { CompileTarget } from '../../../workspace/output/compile-target.ts';
import type { FileState, FileStates } from '../../../workspace/revisions.ts';
import type { TrustedPrograms } from '../../../workspace/settings/kustomize-settings.ts';
import { readWorkspaceSettings } from '../../../workspace/settings/settings.ts';
import type { Stopwatch } from '../../../workspace/stopwatch.ts';
import { UserError } from '../../../workspace/user-error.ts';
import { isFolder, openWorkspace, workspaceInputs } from '../../../workspace/workspace.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { HubPair } from './compared-hubs.ts';
import type { ReadPair } from './compared-inputs.ts';
import {
  type ComparedOutputs,
  appsWithoutSources,
  committedApp,
  missingEarlierOutput,
  missingOutput,
  outputWithoutSources,
} from './compared-outputs.ts';
import type { AppPair, CompareArguments } from './compared-states.ts';
import { hasObjects } from './fleet-of-other-state.ts';

export interface ResolveHubOptions extends Omit<CompareArguments, 'hub'> {
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
export interface StateReading extends Pick<FileStates, 'base' | 'head'> {
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

/** The apps as they are in both states. */
interface ReadApps {
  readonly apps: readonly (ReadPair & Pick<AppPair, 'app' | 'folder'>)[];
  /** The apps of which the committed output of the later state was read, by name. */
  readonly folders: ReadonlyMap<string, CommittedApp>;
  readonly diagnostics: Diagnostic[];
}

export async function readApps(
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
      if (isFolder(path.resolve(head.cwd, ofHead.sources))) {
        folders.set(app, ofHead);
        if (after === undefined && hub.missingIn !== 'head') after = nothingRead(missingOutput(ofHead, head));
      } else if (hasObjects(after)) diagnostics.push(outputWithoutSources(ofHead.output));
      else after = undefined;
      const hasEarlier = before !== undefined || hub.missingIn === 'base';
      if (!hasEarlier && isFolder(path.resolve(base.cwd, ofBase.sources)))
        diagnostics.push(missingEarlierOutput(ofBase, base));
      if (before === undefined && after === undefined) continue;
    }
    const isPresent = app !== '' && isFolder(path.resolve(head.cwd, sources.after));
    apps.push({ app, before, after, ...(isPresent && { folder: sources.after }) });
  }
  return { apps, folders, diagnostics };
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
  if (existingPath(path.resolve(terminal.cwd, folder)) === undefined && committed === undefined)
    return undefined;
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
export async function appsOf(
  { app, apps: named }: Pick<CompareArguments, 'app' | 'apps'>,
  base: FileState,
  head: FileState,
  host: Host,
): Promise<readonly NamedApp[]> {
  const folderIn = async ({ cwd }: FileState): Promise<string> =>
    named ?? (await readWorkspaceSettings({ ...host, cwd })).apps;
  const before = await folderIn(base);
  const after = await folderIn(head);
  const inBase = appsIn(path.resolve(base.cwd, before));
  const inHead = appsIn(path.resolve(head.cwd, after));
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
