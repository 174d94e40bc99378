import path from 'node:path';
import { getOrInsertComputed } from '../base/collections/get-or-insert.ts';
import { checkOut, linkOuterDependencies, type Repository } from './git.ts';
import { RepositoryQuestions } from './repository-questions.ts';
import { openTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

/** The files of a commit. */
export interface Checkout {
  /** The folder that corresponds to the top of the repository. */
  readonly root: string;
  /** Links below it to files that the commit has outside of it. */
  readonly links: readonly string[];
}

/** Checkouts of commits that outlast a run, because the next one probably needs the same. */
export class KeptCheckouts {
  readonly questions = new RepositoryQuestions({ keepsAnswers: true });
  #folder: Promise<TemporaryFolder> | undefined;
  readonly #checkouts = new Map<string, Promise<Checkout>>();
  #used = new Set<string>();
  #opened = 0;

  /** Returns the files of a commit. @param role - which of the compared states it is: states of one commit have separate files */
  async open(repository: Repository, commit: string, role: string): Promise<Checkout> {
    this.#folder ??= openedFolder(repository);
    const { folder } = await this.#folder;
    // A checkout links to folders that Git ignores, such as installed dependencies.
    const unversioned = await this.questions.unversionedFolders(repository);
    const key = JSON.stringify([commit, role, unversioned]);
    this.#used.add(key);
    const checkout = getOrInsertComputed(this.#checkouts, key, async () => {
      const root = path.join(folder, `${role}-${commit}-${this.#opened++}`);
      return { root, links: await checkOut(repository, commit, root, unversioned) };
    });
    // One that failed is tried again.
    checkout.catch(() => this.#checkouts.delete(key));
    return await checkout;
  }

  /** Forgets the checkouts that nobody opened since the last call, and returns them. The caller removes their files. */
  async forgetUnused(): Promise<readonly Checkout[]> {
    const unused = [...this.#checkouts].filter(([key]) => !this.#used.has(key));
    for (const [key] of unused) this.#checkouts.delete(key);
    this.#used = new Set();
    const settled = await Promise.allSettled(unused.map(([, checkout]) => checkout));
    return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  }

  /** The checkouts that are kept. */
  async all(): Promise<readonly Checkout[]> {
    const settled = await Promise.allSettled(this.#checkouts.values());
    return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  }

  /** Removes the files. */
  async end(): Promise<void> {
    this.#checkouts.clear();
    const folder = await this.#folder?.catch(() => undefined);
    this.#folder = undefined;
    await folder?.remove();
  }
}

async function openedFolder(repository: Repository): Promise<TemporaryFolder> {
  const opened = await openTemporaryFolder('fleetwright-plan-');
  await linkOuterDependencies(repository, opened.folder);
  return opened;
}
