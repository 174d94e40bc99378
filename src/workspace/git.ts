import { execFile } from 'node:child_process';
import { access, mkdir, realpath, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { readGitObjects } from './git-objects.ts';
import { UserError } from './user-error.ts';

const execute = promisify(execFile);
const largestAnswer = 256 * 1024 * 1024;

/** A repository as seen from a folder in it. */
export interface Repository {
  /** Its top folder. */
  readonly root: string;
  /** The path from there to the folder; empty at the top. */
  readonly prefix: string;
  /** The folder of Git's own files of this working tree. */
  readonly gitFolder: string;
  /** The folder of Git's own files of all working trees. */
  readonly commonFolder: string;
}

/** @throws UserError if the folder is in no repository, Git does not trust it, or there is no git. */
export async function findRepository(cwd: string): Promise<Repository> {
  const answer = await git(cwd, [
    'rev-parse',
    '--show-toplevel',
    '--show-prefix',
    '--absolute-git-dir',
    '--git-common-dir',
  ]).catch((error: unknown) => {
    if (error instanceof UserError) throw error;
    const [message = ''] = /^fatal: .+$/m.exec(String(error)) ?? [];
    if (message === '' || message.includes('not a git repository'))
      throw new UserError('this folder is not in a Git repository', 'use two folders instead of revisions');
    // For example a repository of another user, as in containers of CI.
    throw new UserError(
      `Git cannot open this repository: ${message.slice('fatal: '.length)}`,
      message.includes('dubious ownership') ? 'git config --global --add safe.directory "$PWD"' : undefined,
    );
  });
  const [root = '', prefix = '', gitFolder = '', common = ''] = answer.split('\n');
  return { root: await realpath(root), prefix, gitFolder, commonFolder: path.resolve(cwd, common) };
}

/** Git's information about a folder, which may not exist yet, or may be outside of any repository. */
export interface FolderOrigin {
  /** The address of the remote `origin`, if there is one. */
  readonly url: string | undefined;
  /** The checked-out branch; `main` if there is none. */
  readonly branch: string;
  /**
   * The path from the top of the repository to the folder, with a slash at its end; empty at the top, and outside of
   * any repository.
   */
  readonly prefix: string;
}

/** Returns the address at which others find a folder. Never fails without Git. */
export async function originOf(folder: string): Promise<FolderOrigin> {
  let existing = folder;
  while (!(await exists(existing)) && existing !== path.dirname(existing)) existing = path.dirname(existing);
  const ask = async (...parameters: readonly string[]): Promise<string | undefined> => {
    const answer = await git(existing, parameters).catch(() => undefined);
    return answer === undefined || answer.trim() === '' ? undefined : answer.trim();
  };
  const prefix = (await ask('rev-parse', '--show-prefix')) ?? '';
  const isBelow = (await ask('rev-parse', '--is-inside-work-tree')) === 'true' && existing !== folder;
  const rest = isBelow ? `${path.relative(existing, folder).split(path.sep).join('/')}/` : '';
  return {
    // Files must not contain credentials.
    url: (await ask('remote', 'get-url', 'origin'))?.replace(/^(https?:\/\/)[^/@]*@/, '$1'),
    branch: (await ask('symbolic-ref', '--short', 'HEAD')) ?? 'main',
    prefix: prefix + rest,
  };
}

/** Returns the commit of a revision. @throws UserError if the revision is unknown. */
export async function findCommit({ root }: Pick<Repository, 'root'>, revision: string): Promise<string> {
  const [object] = (await readGitObjects(root, [`${revision}^{commit}`])) ?? [];
  if (object !== undefined) return object.id;
  const isEmpty = (await readGitObjects(root, ['HEAD^{commit}']))?.[0] === undefined;
  if (isEmpty)
    throw new UserError(
      `unknown revision ${revision}: the branch has no commit yet`,
      'commit the present state first; a plan compares two states',
    );
  throw new UserError(
    `unknown revision ${revision}`,
    'fetch it first; in CI, check out the repository with its history',
  );
}

/**
 * Returns the commit that a merge adds to its first parent; undefined for other commits. CI systems build the merge of a request, whose
 * own commit its author knows.
 */
export async function mergedCommit(commit: string | undefined, cwd: string): Promise<string | undefined> {
  if (commit === undefined) return undefined;
  const parents = await git(cwd, ['log', '-1', '--format=%P', '--end-of-options', commit]).catch(() => '');
  const [, second, third] = parents.trim().split(' ');
  return third === undefined ? second : undefined;
}

/** Returns the best common ancestor of two commits. @throws UserError if they have none. */
export async function findMergeBase({ root }: Repository, one: string, other: string): Promise<string> {
  const answer = await git(root, ['merge-base', one, other]).catch(() => {
    throw new UserError(
      'the two revisions have no common ancestor',
      'in CI, check out the repository with its history',
    );
  });
  return answer.trim();
}

/**
 * Writes the files of a commit into an empty folder, without touching the repository's index or working tree. Links
 * the folders that code needs and Git does not have to the working tree: installed dependencies, and the build
 * folders of packages.
 *
 * @param unversioned - the result of `unversionedFolders`, if the caller has it
 * @returns the links to the working tree
 */
export async function checkOut(
  repository: Repository,
  commit: string,
  folder: string,
  unversioned?: readonly string[],
): Promise<readonly string[]> {
  const { root } = repository;
  const links: string[] = [];
  const env = { GIT_INDEX_FILE: `${folder}.index` };
  await mkdir(folder, { recursive: true });
  await git(root, ['read-tree', commit], env);
  await git(root, ['checkout-index', '--all', '--force', `--prefix=${folder}/`], env);
  for (const name of unversioned ?? (await unversionedFolders(repository))) {
    const parent = path.join(folder, path.dirname(name));
    const isDependency = path.basename(name) === 'node_modules';
    if (!(await exists(parent)) || (await exists(path.join(folder, name)))) continue;
    if (!(await exists(path.join(root, name)))) continue;
    if (!isDependency && !(await exists(path.join(parent, 'package.json')))) continue;
    // Git may have a link of this name that leads out of the repository, and from here to a missing path.
    await rm(path.join(folder, name), { force: true });
    await symlink(path.join(root, name), path.join(folder, name), 'junction');
    links.push(path.join(folder, name));
  }
  return links;
}

/** Links the dependencies above the repository, so that folders beside each other find them too. */
export async function linkOuterDependencies({ root }: Repository, folder: string): Promise<void> {
  for (let outer = path.dirname(root); ; outer = path.dirname(outer)) {
    const modules = path.join(outer, 'node_modules');
    if (await exists(modules)) {
      await symlink(modules, path.join(folder, 'node_modules'), 'junction');
      return;
    }
    if (outer === path.dirname(outer)) return;
  }
}

/** Returns the files of a list that differ between two commits. */
export async function changedFiles(
  { root }: Repository,
  from: string,
  to: string | undefined,
  names: readonly string[],
): Promise<readonly string[]> {
  const commits = to === undefined ? [from] : [from, to];
  const answer = await git(root, [
    'diff',
    '--name-only',
    '--no-renames',
    '-z',
    ...commits,
    '--',
    ...inAllFolders(names),
  ]);
  return answer.split('\0').filter((name) => name !== '');
}

/** Returns the files of a list that a commit or the index has, relative to the top. */
export async function filesInCommitOrIndex(
  { root }: Repository,
  commit: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const answer = await git(root, ['ls-files', '-z', `--with-tree=${commit}`, '--', ...inAllFolders(names)]);
  return answer.split('\0').filter((name) => name !== '');
}

function inAllFolders(names: readonly string[]): readonly string[] {
  return names.map((name) => `:(glob)**/${name}`);
}

/** Whether files below a path differ between two commits. */
export async function differsBelow(
  { root, prefix }: Repository,
  from: string,
  to: string,
  folder: string,
): Promise<boolean> {
  const place = `:(literal)${path.posix.join(prefix, folder.split(path.sep).join('/'))}`;
  return (await git(root, ['diff', '--name-only', '--no-renames', '-z', from, to, '--', place])) !== '';
}

/** Returns the topmost folders that Git ignores, relative to the top. */
export async function unversionedFolders({ root }: Repository): Promise<string[]> {
  const answer = await git(root, [
    'ls-files',
    '--others',
    '--ignored',
    '--exclude-standard',
    '--directory',
    '-z',
  ]);
  const names = answer.split('\0').filter((name) => name.endsWith('/'));
  // For Git, a link to a folder is a file.
  return [...new Set([...names.map((name) => name.slice(0, -1)), 'node_modules'])];
}

/** Runs Git and returns its output. @throws UserError if it is not installed */
export async function git(
  cwd: string,
  parameters: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  try {
    const { stdout } = await execute('git', [...parameters], {
      cwd,
      // The output of Git is parsed.
      env: { ...process.env, LC_ALL: 'C', ...env },
      maxBuffer: largestAnswer,
    });
    return stdout;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new UserError('git is not installed', 'use two folders instead of revisions');
    }
    throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
