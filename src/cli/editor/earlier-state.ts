import path from 'node:path';
import type { Resolution } from '../../compiler/index.ts';
import { hasFleet } from '../../compiler/model/needs-fleet.ts';
import { isSameList } from '../../base/collections/remembered.ts';
import { existingPath, fileState } from '../../workspace/existing-path.ts';
import { KeptCheckouts } from '../../workspace/kept-checkouts.ts';
import { type FileStates, withStates } from '../../workspace/revisions.ts';
import { SettingsFiles } from '../../workspace/settings/settings-files.ts';
import { DiagnosedError } from '../../workspace/diagnosed-error.ts';
import { readPolicies } from '../../workspace/settings/policies.ts';
import { UserError } from '../../workspace/user-error.ts';
import { judgeHubs, type JudgedUnit } from '../commands/validate/judgement.ts';
import type { KeptOf } from '../commands/validate/validated-units.ts';
import { workspacePolicy } from '../../workspace/workspace.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { WatchedRevisions } from '../watch/watched-revisions.ts';
import { KeptApps } from './kept-apps.ts';
import { workspaceOptions } from './workspace-options.ts';

/** An app in the last commit. A resolution refers to much that the working tree no longer has, so it keeps only what edits are compared with. */
export interface EarlierUnit extends Pick<JudgedUnit, 'hub' | 'paths'> {
  /** The clusters that each Placement selects, by `namespace/name`. */
  readonly selected: ReadonlyMap<string, readonly string[]>;
  /** The clusters that have each add-on. */
  readonly installed: ReadonlyMap<string, readonly string[]>;
}

/** The last commit of the working tree, resolved once; again if an app was stopped. */
export class EarlierState {
  readonly #now: () => number;
  #commit: string | undefined;
  #reflog: string | undefined;
  #units: readonly EarlierUnit[] | undefined;
  #nextRun: number | undefined;
  #revisions: WatchedRevisions | undefined;
  #head: string | undefined;

  /** @param now - as that of `KeptApps` */
  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  /** Whether HEAD has moved since the last call, as after a commit, a reset or a switch; false for the first one. */
  async hasMoved(cwd: string): Promise<boolean> {
    const last = this.#head;
    this.#head = reflogOf(cwd) ?? (await this.#commitOfHead(cwd));
    return last !== undefined && last !== this.#head;
  }

  /** Returns the commit, which is read again only if files of Git have changed. */
  async #commitOfHead(cwd: string): Promise<string> {
    this.#revisions ??= new WatchedRevisions(['HEAD'], cwd);
    return (await this.#revisions.read()).get('HEAD') ?? 'no commit';
  }

  /**
   * Returns the apps of the last commit that have a fleet; undefined without a repository or a commit, and if an app does not resolve.
   *
   * @param keptOf - what is kept of the working tree, which has most inputs in common
   */
  async units(terminal: Terminal, keptOf: KeptOf): Promise<readonly EarlierUnit[] | undefined> {
    const reflog = reflogOf(terminal.cwd);
    // Git writes the reflog whenever HEAD moves. Without it, Git is asked each time.
    const isDue = this.#now() >= (this.#nextRun ?? Infinity);
    if (reflog !== undefined && reflog === this.#reflog && !isDue) return this.#units;
    const checkouts = new KeptCheckouts();
    const commit = await commitOf(terminal.cwd, checkouts);
    if (commit !== this.#commit || isDue) {
      const apps = new KeptApps(this.#now);
      this.#commit = commit;
      try {
        this.#units =
          commit === undefined ? undefined : await unitsAt(commit, apps, { ...terminal, checkouts }, keptOf);
        this.#nextRun = await apps.nextRun();
      } finally {
        await apps.end();
        await checkouts.end();
      }
    }
    this.#reflog = reflog;
    return this.#units;
  }
}

/**
 * Returns the state of the file in which Git records the moves of HEAD; undefined if the repository has none, so that only
 * Git knows.
 */
function reflogOf(cwd: string): string | undefined {
  // It can name a repository anywhere.
  if (process.env['GIT_DIR'] !== undefined) return undefined;
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    const git = path.join(folder, '.git');
    const reflog = fileState(path.join(git, 'logs/HEAD'));
    if (reflog !== undefined) return reflog;
    // The reflog of a submodule or a linked working tree is elsewhere, and that of a repository around it is another one.
    if (existingPath(git) !== undefined) return undefined;
    if (folder === path.dirname(folder)) return 'no repository';
  }
}

async function commitOf(cwd: string, { questions }: KeptCheckouts): Promise<string | undefined> {
  return await unlessUserError(async () => await questions.commit(await questions.repository(cwd), 'HEAD'));
}

async function unitsAt(
  commit: string,
  apps: KeptApps,
  terminal: Terminal,
  keptOf: KeptOf,
): Promise<readonly EarlierUnit[] | undefined> {
  const settingsFiles = new SettingsFiles();
  // Files of a commit do not change.
  const { openFiles: _open, keptTexts: _kept, checkouts, ...onDisk } = terminal;
  const resolveAt = async ({ base }: FileStates): Promise<readonly EarlierUnit[] | undefined> => {
    const { cwd, root, links, repository } = base;
    const { unconfined, requiresSandbox } = await readPolicies(
      { policy: await workspacePolicy(undefined, cwd) },
      { ...onDisk, cwd, settingsFiles },
    );
    apps.add({
      cwd,
      unconfined,
      requiresSandbox,
      ...(root !== undefined && { root }),
      ...(links && { links }),
      commit,
      ...(repository && { repository }),
    });
    const { units } = await judgeHubs(workspaceOptions, { ...onDisk, cwd, settingsFiles, apps }, keptOf);
    return units.some(({ resolution }) => resolution === undefined)
      ? undefined
      : units.flatMap(({ hub, paths, resolution }) =>
          // Clusters that were unknown cannot be compared.
          resolution === undefined || !hasFleet(resolution.inventory)
            ? []
            : [{ paths, ...clustersOf(resolution), ...(hub !== undefined && { hub }) }],
        );
  };
  return await unlessUserError(async () => await withStates([commit], terminal.cwd, resolveAt, checkouts));
}

function clustersOf({ decisions, configuration }: Resolution): Pick<EarlierUnit, 'selected' | 'installed'> {
  const lists: (readonly string[])[] = [];
  // Many add-ons are on the same clusters.
  const shared = (clusters: readonly string[]): readonly string[] => {
    const same = lists.find((list) => isSameList(list, clusters));
    if (same === undefined) lists.push(clusters);
    return same ?? clusters;
  };
  return {
    selected: new Map(Array.from(decisions.byPlacement, ([key, { selected }]) => [key, shared(selected)])),
    installed: new Map(
      Array.from(configuration, ([name, { clusters }]) => [name, shared([...clusters.keys()])]),
    ),
  };
}

/** Returns undefined where the user can do something: what the last commit was is then not known. */
async function unlessUserError<T>(use: () => Promise<T>): Promise<T | undefined> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof UserError || error instanceof DiagnosedError) return undefined;
    throw error;
  }
}
