import { readFileSync, realpathSync, statSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { LoadedObject, RepositoryFiles } from '../../compiler/index.ts';
import { oncePerPart } from '../../base/collections/joined-lists.ts';
import { isJsonList, isJsonMap } from '../../base/json/json-map.ts';
import { findRepository, git } from '../git.ts';
import type { Host } from '../host.ts';

/** The maximum size of a file that a generator reads, in bytes. */
const largestFile = 4 * 1024 * 1024;

/**
 * Returns the files of the repository around the inputs if an ApplicationSet has a generator that reads files of Git. In the working
 * tree, these are the files that Git has or does not ignore.
 */
export async function repositoryFilesFor(
  objects: readonly LoadedObject[],
  { cwd, apps }: Pick<Host, 'cwd' | 'apps'>,
): Promise<RepositoryFiles | undefined> {
  if (readersOfGit(objects).length === 0) return undefined;
  const revision = apps?.revisionAt(cwd);
  const origin = revision === undefined ? cwd : (apps?.repositoryOf(cwd) ?? cwd);
  const repository = await findRepository(origin).catch(() => undefined);
  if (repository === undefined) return undefined;
  const root = await realpath(revision ?? repository.root);
  const paths = await pathsIn(repository.root, apps?.commitOf(cwd));
  return {
    remotes: await remotesOf(repository.root),
    branches: await branchesOf(repository.root),
    paths: revision === undefined ? await existing(root, paths) : paths,
    text: (file) => textOf(root, file),
  };
}

const readersOfGit = oncePerPart((part: readonly LoadedObject[]) =>
  part.filter(({ object }) => object.kind === 'ApplicationSet' && readsGit(object['spec'])),
);

function readsGit(value: unknown): boolean {
  if (isJsonList(value)) return value.some(readsGit);
  if (!isJsonMap(value)) return false;
  return ['generators', 'matrix', 'merge'].some((field) => readsGit(value[field])) || isJsonMap(value['git']);
}

async function pathsIn(root: string, commit: string | undefined): Promise<readonly string[]> {
  const listed = await git(
    root,
    commit === undefined
      ? ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
      : ['ls-tree', '-r', '-z', '--name-only', '--full-tree', '--end-of-options', commit],
  );
  return [...new Set(listed.split('\0'))].filter((file) => file !== '');
}

/** Returns the files that are not deleted in the working tree. */
async function existing(root: string, files: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    files.map(async (file) => {
      const isThere = await lstat(path.join(root, file)).then(
        () => true,
        () => false,
      );
      return isThere ? [file] : [];
    }),
  );
  return found.flat();
}

async function remotesOf(root: string): Promise<readonly string[]> {
  const listed = await git(root, ['config', '--get-regexp', '-z', '^remote\\..*\\.url$']).catch(() => '');
  return listed.split('\0').flatMap((entry) => {
    const url = entry.slice(entry.indexOf('\n') + 1).trim();
    return entry.includes('\n') && url !== '' ? [url] : [];
  });
}

/** Returns the checked-out branch and the default branch of the remote; `main` and `master` if the remote does not say it. */
async function branchesOf(root: string): Promise<readonly string[]> {
  const ask = async (name: string): Promise<string | undefined> => {
    const answer = await git(root, ['symbolic-ref', '--quiet', '--short', name]).catch(() => '');
    return answer.trim() === '' ? undefined : answer.trim();
  };
  const current = await ask('HEAD');
  const main = (await ask('refs/remotes/origin/HEAD'))?.replace(/^origin\//, '');
  return [...(current === undefined ? [] : [current]), ...(main === undefined ? ['main', 'master'] : [main])];
}

/** Reads a file below the top. A link out of the repository is not followed: a request can have one to any file. */
function textOf(root: string, file: string): string | undefined {
  try {
    const place = realpathSync(path.join(root, file));
    if (!place.startsWith(`${root}${path.sep}`)) return undefined;
    if (place.startsWith(`${path.join(root, '.git')}${path.sep}`)) return undefined;
    const { size } = statSync(place);
    return size > largestFile ? undefined : readFileSync(place, 'utf8');
  } catch {
    return undefined;
  }
}
