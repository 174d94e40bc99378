import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Diagnostic } from '../compiler/index.ts';
import { diagnostic } from '../compiler/model/diagnostic.ts';
import { existingPath } from './existing-path.ts';
import { checkOut, linkOuterDependencies, type Repository } from './git.ts';
import type { Checkout, KeptCheckouts } from './kept-checkouts.ts';
import { RepositoryQuestions } from './repository-questions.ts';
import { withTemporaryFolder } from './temporary-folder.ts';
import { isFolder } from './workspace.ts';
import { UserError } from './user-error.ts';

/** A state of the inputs as files. */
export interface FileState {
  /** The name that the user gave it. */
  readonly label: string;
  /** The folder that corresponds to the one in which the command runs. */
  readonly cwd: string;
  /** The folder that corresponds to the top of the repository. @default - it is searched for */
  readonly root?: string;
  /** Links below it to the files that the state has outside of it. @default - none */
  readonly links?: readonly string[];
  /** Git's commit, if the state is one. */
  readonly commit?: string;
  /** The top of the repository that has the commit. */
  readonly repository?: string;
}

/** The two states that a plan compares. */
export interface FileStates {
  readonly base: FileState;
  readonly head: FileState;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Opens two folders, or two revisions of the repository around `cwd`: `BASE..HEAD`, `BASE...HEAD` from their common
 * ancestor as pull requests do, or `BASE` alone, compared with the working tree. Revisions are written to a temporary
 * folder while `use` runs.
 *
 * @param kept - the checkouts that outlast this call. @default - none do
 * @throws UserError if a folder or a revision does not exist.
 */
export async function withStates<T>(
  named: readonly string[],
  cwd: string,
  use: (states: FileStates) => Promise<T>,
  kept?: KeptCheckouts,
): Promise<T> {
  const [first = '', second, third] = named;
  if (second !== undefined) {
    await checkFolders(named, cwd);
    if (third !== undefined)
      throw new UserError('plan compares two states', 'use a range BASE..HEAD, or two folders');
    const base = { label: first, cwd: path.resolve(cwd, first) };
    const head = { label: second, cwd: path.resolve(cwd, second) };
    return await use({ base, head, diagnostics: [] });
  }
  const questions = kept?.questions ?? new RepositoryQuestions({ keepsAnswers: false });
  const repository = await questions.repository(cwd);
  if (kept !== undefined)
    return await use(
      await revisionStates(
        first,
        { repository, questions, cwd },
        async (commit, role) => await kept.open(repository, commit, role),
      ),
    );
  return await withTemporaryFolder('fleetwright-plan-', async (folder) => {
    await linkOuterDependencies(repository, folder);
    const open = async (commit: string, role: string): Promise<Checkout> => {
      const root = path.join(folder, role);
      return { root, links: await checkOut(repository, commit, root) };
    };
    return await use(await revisionStates(first, { repository, questions, cwd }, open));
  });
}

/** The revisions in the name of two states. */
export interface RevisionRange {
  readonly base: string;
  /** @default - the working tree */
  readonly head?: string;
  readonly isFromMergeBase: boolean;
}

/** Parses `BASE`, `BASE..HEAD` or `BASE...HEAD`. */
export function revisionRange(range: string): RevisionRange {
  const [, from = '', dots, to = ''] = /^(.*?)(\.{2,3})(.*)$/.exec(range) ?? [undefined, range];
  return {
    base: from === '' ? 'HEAD' : from,
    ...(dots !== undefined && { head: to === '' ? 'HEAD' : to }),
    isFromMergeBase: dots === '...',
  };
}

/** @throws UserError if one of several states is not a folder: revisions are named as one range. */
async function checkFolders(named: readonly string[], cwd: string): Promise<void> {
  for (const state of named) {
    if (isFolder(path.resolve(cwd, state))) continue;
    const range = named.find((each) => /[^.]\.{2,3}[^.]/.test(each));
    if (range !== undefined) {
      const others = named.filter((each) => each !== range);
      throw new UserError(
        `${range} contains both states, so ${others.join(' and ')} is one argument too many`,
        `write fleetwright plan ${range}; an npm script with a revision takes no other revision`,
      );
    }
    const [base = '', head = ''] = named;
    throw new UserError(
      `${state}: no such folder`,
      `both states must be folders; for revisions, use ${base}..${head}`,
    );
  }
}

/** Where revisions are opened. */
interface OpenedIn {
  readonly repository: Repository;
  readonly questions: RepositoryQuestions;
  readonly cwd: string;
}

async function revisionStates(
  range: string,
  { repository, questions, cwd }: OpenedIn,
  checkOutAs: (commit: string, role: string) => Promise<Checkout>,
): Promise<FileStates> {
  const { base: baseName, head: headName, isFromMergeBase } = revisionRange(range);
  const headCommit = headName === undefined ? undefined : await questions.commit(repository, headName);
  const named = await questions.commit(repository, baseName);
  const baseCommit = isFromMergeBase
    ? await questions.mergeBase(repository, named, headCommit ?? 'HEAD')
    : named;
  const open = async (commit: string, role: string, label: string): Promise<FileState> => {
    const { root, links } = await checkOutAs(commit, role);
    const inner = path.join(root, repository.prefix);
    if (existingPath(inner) === undefined) await mkdir(inner, { recursive: true });
    return { label, cwd: inner, root, links, commit, repository: repository.root };
  };
  const base = await open(baseCommit, 'base', baseName);
  const head =
    headCommit === undefined
      ? { label: 'the working tree', cwd }
      : await open(headCommit, 'head', headName ?? '');
  const locks = await questions.changedLockFiles(repository, baseCommit, headCommit);
  return { base, head, diagnostics: locks.map((file) => dependencies(file, base.label, head.label)) };
}

function dependencies(file: string, base: string, head: string): Diagnostic {
  return diagnostic('FW8003', {
    message: `${file} differs between ${base} and ${head}, but both were compiled with the installed dependencies`,
    location: { file, line: 1, column: 1 },
    hint: 'the effect of the other dependencies is not shown; compare the output of synth with each of them',
  });
}
