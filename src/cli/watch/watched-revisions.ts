import path from 'node:path';
import type { Repository } from '../../workspace/git.ts';
import { RepositoryQuestions } from '../../workspace/repository-questions.ts';
import { revisionRange } from '../../workspace/revisions.ts';
import { changedFiles, watchedFiles, type WatchedFiles } from './watched-files.ts';

/** Where Git records what revisions are: of the working tree, and of all of them. */
const ofWorkingTree = ['HEAD', 'FETCH_HEAD', 'MERGE_HEAD', 'ORIG_HEAD'];
const ofRepository = ['refs', 'packed-refs', 'reftable'];

/** The commits of the revisions that a plan compares. Git is asked only if its own files have changed. */
export class WatchedRevisions {
  readonly #names: readonly string[];
  readonly #cwd: string;
  readonly #questions: RepositoryQuestions;
  #files: WatchedFiles | undefined;
  #commits: WatchedFiles = new Map();

  /**
   * @param states - as the command line names them: a range, two folders, or none
   * @param questions - forget their answers when a revision can be another commit
   */
  constructor(
    states: readonly string[],
    cwd: string,
    questions = new RepositoryQuestions({ keepsAnswers: true }),
  ) {
    const [range] = states;
    const { base, head } = range === undefined || states.length > 1 ? {} : revisionRange(range);
    this.#names = [base, head].flatMap((name) => name ?? []);
    this.#cwd = cwd;
    this.#questions = questions;
  }

  /** Returns the commit of each revision, by its name. Empty without revisions, and where there is no repository. */
  async read(): Promise<WatchedFiles> {
    if (this.#names.length === 0) return this.#commits;
    let repository: Repository;
    try {
      repository = await this.#questions.repository(this.#cwd);
    } catch {
      return this.#commits;
    }
    const files = await watchedFiles(placesOf(repository), new Set());
    if (this.#files !== undefined && changedFiles(this.#files, files).length === 0) return this.#commits;
    this.#questions.forget();
    this.#files = files;
    const commits = new Map<string, string>();
    for (const name of this.#names) {
      // The plan reports an unknown revision.
      const commit = await this.#questions.commit(repository, name).catch(() => undefined);
      if (commit !== undefined) commits.set(name, commit);
    }
    this.#commits = commits;
    return commits;
  }
}

function placesOf({ gitFolder, commonFolder }: Repository): readonly string[] {
  return [
    ...ofWorkingTree.map((name) => path.join(gitFolder, name)),
    ...ofRepository.map((name) => path.join(commonFolder, name)),
  ];
}
