import path from 'node:path';
import { findCommit, findRepository, git, type Repository } from '../../workspace/git.ts';
import { revisionRange } from '../../workspace/revisions.ts';
import { changedFiles, watchedFiles, type WatchedFiles } from './watched-files.ts';

/** Where Git records what revisions are: of the working tree, and of all of them. */
const ofWorkingTree = ['HEAD', 'FETCH_HEAD', 'MERGE_HEAD', 'ORIG_HEAD'];
const ofRepository = ['refs', 'packed-refs', 'reftable'];

/** The commits of the revisions that a plan compares. Git is asked only if its own files have changed. */
export class WatchedRevisions {
  readonly #names: readonly string[];
  readonly #cwd: string;
  #files: WatchedFiles | undefined;
  #commits: WatchedFiles = new Map();
  #places: readonly string[] | undefined;
  #repository: Repository | undefined;

  /** @param states - as the command line names them: a range, two folders, or none */
  constructor(states: readonly string[], cwd: string) {
    const [range] = states;
    const { base, head } = range === undefined || states.length > 1 ? {} : revisionRange(range);
    this.#names = [base, head].flatMap((name) => name ?? []);
    this.#cwd = cwd;
  }

  /** Returns the commit of each revision, by its name. Empty without revisions, and where there is no repository. */
  async read(): Promise<WatchedFiles> {
    if (this.#names.length === 0) return this.#commits;
    try {
      this.#repository ??= await findRepository(this.#cwd);
      this.#places ??= await placesOf(this.#repository);
    } catch {
      return this.#commits;
    }
    const repository = this.#repository;
    const files = await watchedFiles(this.#places, new Set());
    if (this.#files !== undefined && changedFiles(this.#files, files).length === 0) return this.#commits;
    this.#files = files;
    const commits = new Map<string, string>();
    for (const name of this.#names) {
      // The plan reports an unknown revision.
      const commit = await findCommit(repository, name).catch(() => undefined);
      if (commit !== undefined) commits.set(name, commit);
    }
    this.#commits = commits;
    return commits;
  }
}

async function placesOf({ root, gitFolder }: Repository): Promise<readonly string[]> {
  const answer = await git(root, ['rev-parse', '--git-common-dir']);
  const shared = path.resolve(root, answer.replace(/\n$/, ''));
  return [
    ...ofWorkingTree.map((name) => path.join(gitFolder, name)),
    ...ofRepository.map((name) => path.join(shared, name)),
  ];
}
