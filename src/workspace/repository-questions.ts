import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  changedFiles,
  filesInCommitOrIndex,
  findCommit,
  findMergeBase,
  findRepository,
  type Repository,
  unversionedFolders,
} from './git.ts';

/** The files in which package managers record versions. */
const lockFiles = ['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'];

/** An answer, and the states of the files on which it depends. */
interface KeptAnswer {
  readonly states: string;
  readonly answer: Promise<unknown>;
}

/**
 * What a plan asks Git about the repository. If the answers are kept, Git is asked again after `forget`, and after a change of files that
 * the caller of `forget` does not watch. Each question starts a process, and costs more than the plan of an edit.
 */
export class RepositoryQuestions {
  readonly #keepsAnswers: boolean;
  readonly #answers = new Map<string, KeptAnswer>();

  constructor({ keepsAnswers }: { readonly keepsAnswers: boolean }) {
    this.#keepsAnswers = keepsAnswers;
  }

  /** Asks again for everything: a file of the workspace or a reference of the repository has changed. */
  forget(): void {
    this.#answers.clear();
  }

  /** As `findRepository`. */
  async repository(cwd: string): Promise<Repository> {
    return await this.#ask(['repository', cwd], [], async () => await findRepository(cwd));
  }

  /** As `findCommit`. */
  async commit(repository: Repository, revision: string): Promise<string> {
    const find = async (): Promise<string> => await findCommit(repository, revision);
    // What was yesterday's commit changes with the time.
    return revision.includes('@{') ? await find() : await this.#ask(['commit', revision], [], find);
  }

  /** As `findMergeBase`. */
  async mergeBase(repository: Repository, one: string, other: string): Promise<string> {
    return await this.#ask(
      ['merge base', one, other],
      [],
      async () => await findMergeBase(repository, one, other),
    );
  }

  /** As `unversionedFolders`. */
  async unversionedFolders(repository: Repository): Promise<readonly string[]> {
    const { root, prefix, gitFolder } = repository;
    const around = prefix.split('/').map((_, index, names) => names.slice(0, index).join('/'));
    const files = [
      indexOf(repository),
      path.join(gitFolder, 'info/exclude'),
      ...around.map((folder) => path.join(root, folder, 'node_modules')),
    ];
    return await this.#ask(['unversioned folders'], files, async () => await unversionedFolders(repository));
  }

  /** Returns the lock files that differ between a commit and another one, or the working tree. */
  async changedLockFiles(
    repository: Repository,
    from: string,
    to: string | undefined,
  ): Promise<readonly string[]> {
    const ask = async (): Promise<readonly string[]> => await changedFiles(repository, from, to, lockFiles);
    if (to !== undefined || !this.#keepsAnswers)
      return await this.#ask(['changed lock files', from, to], [], ask);
    const index = indexOf(repository);
    const compared = await this.#ask(
      ['lock files', from],
      [index],
      async () => await filesInCommitOrIndex(repository, from, lockFiles),
    );
    const files = compared.map((file) => path.join(repository.root, file));
    return await this.#ask(['changed lock files', from], [index, ...files], ask);
  }

  async #ask<T>(
    question: readonly (string | undefined)[],
    files: readonly string[],
    ask: () => Promise<T>,
  ): Promise<T> {
    if (!this.#keepsAnswers) return await ask();
    const key = JSON.stringify(question);
    const states = await statesOf(files);
    const kept = this.#answers.get(key);
    // One question has answers of one type.
    if (kept?.states === states) return (await kept.answer) as T;
    const answer = ask();
    this.#answers.set(key, { states, answer });
    // A failure is asked again.
    answer.catch(() => this.#answers.delete(key));
    return await answer;
  }
}

function indexOf({ gitFolder }: Repository): string {
  return path.join(gitFolder, 'index');
}

async function statesOf(files: readonly string[]): Promise<string> {
  const states = files.map(async (file) => {
    const found = await stat(file, { bigint: true }).catch(() => undefined);
    return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
  });
  return (await Promise.all(states)).join('\n');
}
