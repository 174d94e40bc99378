import { existsSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { IgnoreRules } from '../../engines/charts/index.ts';
import { DiagnosedError } from '../diagnosed-error.ts';
import { UserError } from '../user-error.ts';

/** Bounds of the files that are read; the loader of charts has its own. */
const mostFiles = 10_000;
const mostBytes = 100 * 2 ** 20;

/**
 * Returns the files of a chart's folder, by path, as `helm package` packs them: without those that `.helmignore` names. Names that
 * begin with a dot are left out, as Go leaves them out when a manager embeds a folder. A link to a file or folder of the same
 * repository is followed.
 *
 * @param given - the folder as the user named it, for messages
 * @throws UserError, DiagnosedError if a file cannot be read, or a link leads elsewhere
 */
export async function chartFolder(given: string, folder: string): Promise<Map<string, Uint8Array>> {
  const reader = new FolderReader(given, folder, await rulesOf(given, folder));
  await reader.read('', 0);
  return reader.files;
}

async function rulesOf(given: string, folder: string): Promise<IgnoreRules> {
  const text = await readFile(path.join(folder, '.helmignore'), 'utf8').catch(() => '');
  try {
    return new IgnoreRules(text);
  } catch (error) {
    throw new UserError(`${given}/.helmignore: ${error instanceof Error ? error.message : String(error)}`);
  }
}

class FolderReader {
  readonly files = new Map<string, Uint8Array>();
  readonly #given: string;
  readonly #folder: string;
  readonly #rules: IgnoreRules;
  #bytes = 0;
  #repository: string | undefined;

  constructor(given: string, folder: string, rules: IgnoreRules) {
    this.#given = given.replace(/\/+$/, '');
    this.#folder = folder;
    this.#rules = rules;
  }

  async read(below: string, depth: number): Promise<void> {
    // A link to a folder around it would never end.
    if (depth > 50) throw new UserError(`${this.#given}/${below}: too many folders inside of each other`);
    const names = await readdir(path.join(this.#folder, below));
    for (const name of names.filter((each) => !each.startsWith('.')).toSorted()) {
      const relative = below === '' ? name : `${below}/${name}`;
      if (this.#rules.excludes(relative)) continue;
      await this.#checkLink(relative);
      const found = await stat(path.join(this.#folder, relative)).catch(() => undefined);
      if (found?.isDirectory() === true) await this.read(relative, depth + 1);
      else if (found?.isFile() === true) await this.#add(relative, found.size);
      else throw this.#unsafe(relative, 'is neither a file nor a folder');
    }
  }

  async #add(relative: string, size: number): Promise<void> {
    this.#bytes += size;
    if (this.files.size === mostFiles || this.#bytes > mostBytes)
      throw new DiagnosedError(
        diagnostic('FW9193', {
          message: `${this.#given} has more than ${mostFiles} files or ${mostBytes / 2 ** 20} MiB`,
          location: { file: `${this.#given}/${relative}`, line: 1, column: 1 },
          hint: 'list the files that no template needs in .helmignore',
        }),
      );
    this.files.set(relative, await readFile(path.join(this.#folder, relative)));
  }

  /** A chart of somebody else must not bring files of the user into the app. */
  async #checkLink(relative: string): Promise<void> {
    const place = path.join(this.#folder, relative);
    const target = await realpath(place).catch(() => undefined);
    if (target === undefined) throw this.#unsafe(relative, 'is a link that leads nowhere');
    this.#repository ??= await realpath(repositoryAround(this.#folder));
    const inside = path.relative(this.#repository, target);
    if (inside.startsWith('..') || path.isAbsolute(inside))
      throw this.#unsafe(relative, 'is a link that leads out of the repository of the chart');
  }

  #unsafe(relative: string, problem: string): DiagnosedError {
    const file = `${this.#given}/${relative}`;
    return new DiagnosedError(
      diagnostic('FW9193', {
        message: `${file} ${problem}`,
        location: { file, line: 1, column: 1 },
        hint: 'replace it with the file itself, or list it in .helmignore',
      }),
    );
  }
}

/** Returns the top folder of the Git repository around a folder; the folder itself without one. */
export function repositoryAround(folder: string): string {
  for (let each = folder; ; each = path.dirname(each)) {
    if (existsSync(path.join(each, '.git'))) return each;
    if (path.dirname(each) === each) return folder;
  }
}
