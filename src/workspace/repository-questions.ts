import path from 'node:path';
import { existingPath, fileState } from './existing-path.ts';
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
  /** Undefined if they are not known: the next question starts a process again. */
  readonly states: string | undefined;
  readonly answer: Promise<unknown>;
}

/**
 * What a plan asks Git about the repository. If the answers are kept, Git is asked again after the caller noticed a change, and after
 * changes that no caller notices. Each question starts a process, which can cost more than the plan of an edit.
 */
export class RepositoryQuestions {
  readonly #keepsAnswers: boolean;
  readonly #ofReferences = new Map<string, KeptAnswer>();
  readonly #ofFiles = new Map<string, KeptAnswer>();

  constructor({ keepsAnswers }: { readonly keepsAnswers: boolean }) {
    this.#keepsAnswers = keepsAnswers;
  }

  /** Asks again for everything: a reference of the repository has changed. */
  forget(): void {
    this.#ofReferences.clear();
    this.#ofFiles.clear();
  }

  /** Asks again for what depends on the working tree: a file of the workspace has changed. */
  forgetFiles(): void {
    this.#ofFiles.clear();
  }

  /** As `findRepository`. */
  async repository(cwd: string): Promise<Repository> {
    return await this.#askReferences(['repository', cwd], async () => await findRepository(cwd));
  }

  /** As `findCommit`. */
  async commit(repository: Repository, revision: string): Promise<string> {
    const find = async (): Promise<string> => await findCommit(repository, revision);
    // What was yesterday's commit changes with the time.
    return revision.includes('@{') ? await find() : await this.#askReferences(['commit', revision], find);
  }

  /** As `findMergeBase`. */
  async mergeBase(repository: Repository, one: string, other: string): Promise<string> {
    const find = async (): Promise<string> => await findMergeBase(repository, one, other);
    return await this.#askReferences(['merge base', one, other], find);
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
    return await this.#askFiles(
      ['unversioned folders'],
      files,
      async () => await unversionedFolders(repository),
    );
  }

  /** Returns the lock files that differ between a commit and another one, or the working tree. */
  async changedLockFiles(
    repository: Repository,
    from: string,
    to: string | undefined,
  ): Promise<readonly string[]> {
    const ask = async (): Promise<readonly string[]> => await changedFiles(repository, from, to, lockFiles);
    if (to !== undefined) return await this.#askReferences(['changed lock files', from, to], ask);
    const question = ['changed lock files', from];
    // A command asks once, and need not know on which files the answer depends.
    const isRepeated = this.#ofFiles.has(JSON.stringify(question));
    return await this.#askFiles(
      question,
      isRepeated ? await this.#lockFiles(repository, from) : undefined,
      ask,
    );
  }

  /** Returns the files that decide which lock files differ between a commit and the working tree. */
  async #lockFiles(repository: Repository, commit: string): Promise<readonly string[]> {
    const index = indexOf(repository);
    const files = await this.#askFiles(
      ['lock files', commit],
      [index],
      async () => await filesInCommitOrIndex(repository, commit, lockFiles),
    );
    return [index, ...files.map((file) => path.join(repository.root, file))];
  }

  async #askReferences<T>(question: readonly string[], ask: () => Promise<T>): Promise<T> {
    return await this.#ask(this.#ofReferences, question, '', ask);
  }

  /** @param files - those on which the answer depends besides those of the workspace. Undefined if they are not known */
  async #askFiles<T>(
    question: readonly string[],
    files: readonly string[] | undefined,
    ask: () => Promise<T>,
  ): Promise<T> {
    return await this.#ask(this.#ofFiles, question, files && statesOf(files), ask);
  }

  async #ask<T>(
    answers: Map<string, KeptAnswer>,
    question: readonly string[],
    states: string | undefined,
    ask: () => Promise<T>,
  ): Promise<T> {
    if (!this.#keepsAnswers) return await ask();
    const key = JSON.stringify(question);
    const kept = answers.get(key);
    // One question has answers of one type.
    if (kept !== undefined && states !== undefined && kept.states === states) return (await kept.answer) as T;
    const answer = ask();
    const asked = { states, answer };
    answers.set(key, asked);
    // A failure is asked again.
    answer.catch(() => {
      if (answers.get(key) === asked) answers.delete(key);
    });
    return await answer;
  }
}

function indexOf({ gitFolder }: Repository): string {
  return path.join(gitFolder, 'index');
}

/** Of a folder, only which one it is counts. */
function statesOf(files: readonly string[]): string {
  return files.map((file) => fileState(file) ?? existingPath(file)?.ino ?? '').join('\n');
}
