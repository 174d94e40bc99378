import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findCommit, findMergeBase, findRepository, git, type Repository } from './git.ts';
import { readGitObjects } from './git-objects.ts';
import { UserError } from './user-error.ts';

/** The commits whose objects an output has to keep, beside the last commit. */
export interface BaseRevision {
  /** The base, and the other sides of a merge that is not committed yet. Empty if there is nothing before this state. */
  readonly commits: readonly string[];
  /** The revision of the base as the user, CI or Git names it. */
  readonly name?: string;
  /** Why the base is not known, with the remedy. */
  readonly unknown?: { readonly reason: string; readonly hint: string };
}

/** The environment variables. */
type Environment = Readonly<Record<string, string | undefined>>;

const none: BaseRevision = { commits: [] };

/**
 * Returns the base of the state in a folder: the named revision, or that of the request, queue or push that CI runs for, or where
 * the branch left the default branch of `origin`, or the parent of the last commit. Objects of this base may be in use.
 *
 * @param named - the revision that the user named
 * @throws UserError if the user names an unknown revision
 */
export async function findBase(
  cwd: string,
  named: string | undefined,
  env: Environment,
): Promise<BaseRevision> {
  const repository = await findRepository(cwd).catch(() => undefined);
  if (repository === undefined) {
    if (named === undefined) return none;
    throw new UserError('--base names a commit, and this folder is not in a Git repository');
  }
  const head = await findCommit(repository, 'HEAD').catch(() => undefined);
  if (head === undefined) return none;
  const others = await mergedCommits(repository);
  const withOthers = (base: BaseRevision): BaseRevision => ({
    ...base,
    commits: [...new Set([...base.commits, ...others])].filter((commit) => commit !== head),
  });
  const ofCi = await baseOfCi(repository.root, env);
  if (named !== undefined && !isNothing(named)) {
    const commit = await findCommit(repository, named);
    const bases = await basesOf(repository, commit, head);
    // A push can rewrite the branch: then the commit before it is not where the branch left it.
    const applied = ofCi?.wasApplied === true ? await findCommit(repository, ofCi.name).catch(() => '') : '';
    return withOthers({
      name: named,
      commits: commit === applied ? [...new Set([commit, ...bases])] : bases,
    });
  }
  if (ofCi !== undefined) return withOthers(await namedByCi(repository, ofCi, head));
  return withOthers(await baseInGit(repository, head));
}

/** Returns the commits that a merge in the working tree adds to the last one. */
async function mergedCommits({ gitFolder }: Repository): Promise<readonly string[]> {
  const text = await readFile(path.join(gitFolder, 'MERGE_HEAD'), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

/** Returns the subject of the commit that the last commit reverts. Undefined if it reverts none. */
export async function revertedCommit(cwd: string, revision = 'HEAD'): Promise<string | undefined> {
  const [commit] = (await readGitObjects(cwd, [`${revision}^{commit}`])) ?? [];
  const message = commit?.content.toString('utf8') ?? '';
  if (!/^This reverts commit [0-9a-f]{7,64}/m.test(message)) return undefined;
  return /^Revert "(.*)"$/m.exec(message)?.[1] ?? 'an earlier commit';
}

/** Returns where a state left another one, or the other one if the state is behind it: a branch was set back. */
async function basesOf(repository: Repository, commit: string, head: string): Promise<readonly string[]> {
  const base = await findMergeBase(repository, commit, head);
  return [base === head ? commit : base];
}

async function namedByCi(
  repository: Repository,
  { name, wasApplied }: CiBase,
  head: string,
): Promise<BaseRevision> {
  try {
    const commit = await findCommit(repository, name);
    const bases = await basesOf(repository, commit, head);
    return { name, commits: wasApplied ? [...new Set([commit, ...bases])] : bases };
  } catch {
    return {
      commits: [],
      name,
      unknown: {
        reason: `the base of this run, ${name}, is not in this clone`,
        hint: 'check out the whole history (GitHub: fetch-depth: 0; GitLab: GIT_DEPTH: 0; Azure: fetchDepth: 0), or name a revision with --base',
      },
    };
  }
}

async function baseInGit(repository: Repository, head: string): Promise<BaseRevision> {
  const upstream = await findCommit(repository, 'refs/remotes/origin/HEAD')
    .catch(() => findCommit(repository, 'refs/remotes/origin/main'))
    .catch(() => undefined);
  if (upstream !== undefined) {
    const base = await findMergeBase(repository, upstream, head).catch(() => undefined);
    if (base !== undefined && base !== head) return { name: 'origin', commits: [base] };
  }
  const parent = await findCommit(repository, 'HEAD^').catch(() => undefined);
  if (parent !== undefined) return { name: 'HEAD^', commits: [parent] };
  const isShallow = (await git(repository.root, ['rev-parse', '--is-shallow-repository'])).trim() === 'true';
  if (!isShallow) return none;
  return {
    commits: [],
    unknown: {
      reason: 'this clone is shallow, so what the commits before had is not known',
      hint: 'fetch the history: git fetch --unshallow',
    },
  };
}

/** The revision that CI compares with. */
interface CiBase {
  readonly name: string;
  /** Whether it was the state of the branch, so that its objects are in use even if a push rewrote the branch. */
  readonly wasApplied: boolean;
}

/** Returns the revision that CI compares with, if it runs for this repository. */
async function baseOfCi(root: string, env: Environment): Promise<CiBase | undefined> {
  const isIn = (folder = ''): boolean => folder !== '' && path.relative(root, folder) === '';
  if (isIn(env['GITHUB_WORKSPACE'])) return await gitHubBase(env);
  if (isIn(env['CI_PROJECT_DIR'])) return gitLabBase(env);
  if (isIn(env['BUILD_SOURCESDIRECTORY'])) return branchAtOrigin(env['SYSTEM_PULLREQUEST_TARGETBRANCH']);
  if (isIn(env['WORKSPACE']))
    return branchAtOrigin(env['CHANGE_TARGET']) ?? applied(env['GIT_PREVIOUS_SUCCESSFUL_COMMIT']);
  return undefined;
}

/** Pull requests have a branch; merge queues and pushes describe their commits in the file of the event. */
async function gitHubBase(env: Environment): Promise<CiBase | undefined> {
  const branch = branchAtOrigin(env['GITHUB_BASE_REF']);
  if (branch !== undefined) return branch;
  const text = await readFile(env['GITHUB_EVENT_PATH'] ?? '', 'utf8').catch(() => '{}');
  const event = JSON.parse(text) as {
    readonly before?: string;
    readonly merge_group?: { readonly base_sha?: string };
  };
  return applied(event.merge_group?.base_sha) ?? applied(event.before);
}

function gitLabBase(env: Environment): CiBase | undefined {
  // Of merged results and merge trains: the target as it is merged.
  const target = applied(env['CI_MERGE_REQUEST_TARGET_BRANCH_SHA']);
  if (target !== undefined) return target;
  const base = applied(env['CI_MERGE_REQUEST_DIFF_BASE_SHA']);
  return base === undefined ? applied(env['CI_COMMIT_BEFORE_SHA']) : { ...base, wasApplied: false };
}

function branchAtOrigin(branch = ''): CiBase | undefined {
  return branch === ''
    ? undefined
    : { name: `origin/${branch.replace(/^refs\/heads\//, '')}`, wasApplied: false };
}

function applied(commit = ''): CiBase | undefined {
  return commit === '' || isNothing(commit) ? undefined : { name: commit, wasApplied: true };
}

/** A new branch has a commit of zeros before it. */
function isNothing(revision: string): boolean {
  return /^(?:0{40}|0{64})$/.test(revision);
}
