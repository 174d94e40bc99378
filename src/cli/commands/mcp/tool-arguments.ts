import { realpathSync } from 'node:fs';
import path from 'node:path';
import { diagnostic } from '../../../compiler/model/diagnostic.ts';
import { DiagnosedError } from '../../../workspace/diagnosed-error.ts';

/** The maximum number of characters of an argument, and of entries of a list. */
const mostCharacters = 500;
const mostEntries = 100;

/**
 * Reads the arguments of a tool. They come from an assistant, which may repeat what it read: no argument becomes an option of the
 * command, names a file outside of the workspace, or runs anything.
 */
export class ArgumentReader {
  readonly #tool: string;
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #root: string;

  /**
   * @param allowed - the names of the arguments
   * @param root - the folder of the workspace
   * @throws DiagnosedError if there are other arguments
   */
  constructor(
    tool: string,
    given: Readonly<Record<string, unknown>>,
    { allowed, required, root }: { allowed: readonly string[]; required: readonly string[]; root: string },
  ) {
    this.#tool = tool;
    this.#given = given;
    this.#root = root;
    for (const name of Object.keys(given))
      if (!allowed.includes(name)) this.#refuse(name, 'is unknown', `use: ${allowed.join(', ')}`);
    for (const name of required) if (given[name] === undefined) this.#refuse(name, 'is missing', 'add it');
  }

  /** Returns a text that is no option. Undefined if it is not given. */
  word(name: string): string | undefined {
    const value = this.#given[name];
    return value === undefined ? undefined : this.#checked(name, value);
  }

  /** Returns the text as a list. Empty if it is not given. */
  optional(name: string): readonly string[] {
    const word = this.word(name);
    return word === undefined ? [] : [word];
  }

  words(name: string): readonly string[] {
    const value = this.#given[name];
    if (value === undefined) return [];
    if (!Array.isArray(value)) return this.#refuse(name, 'is not a list', 'give a list of texts');
    if (value.length > mostEntries)
      return this.#refuse(name, `has ${value.length} entries`, `give at most ${mostEntries}`);
    return value.map((each) => this.#checked(name, each));
  }

  /** Returns names or files. Whatever could be a path is in the workspace, also through links. */
  paths(name: string): readonly string[] {
    return this.words(name).map((word) => {
      if (!isWithin(this.#root, path.resolve(this.#root, word)))
        this.#refuse(
          name,
          `names ${JSON.stringify(word)}, which is outside of the workspace`,
          'name files in it',
        );
      return word;
    });
  }

  /** Returns a revision of Git. It is no range, and no folder outside of the workspace. */
  revision(name: string): string | undefined {
    const word = this.word(name);
    if (word === undefined) return undefined;
    if (!/^[A-Za-z0-9][\w./@^~{}+-]*$/.test(word) || word.includes('..'))
      this.#refuse(name, 'is not a Git revision', 'use a branch, a tag or a commit, such as main');
    return word;
  }

  #checked(name: string, value: unknown): string {
    if (typeof value !== 'string' || value === '') return this.#refuse(name, 'is not a text', 'give a text');
    if (value.length > mostCharacters)
      return this.#refuse(name, `has ${value.length} characters`, `use at most ${mostCharacters}`);
    // eslint-disable-next-line no-control-regex
    if (/[\u0000-\u001f\u007f]/.test(value))
      return this.#refuse(name, 'has control characters', 'remove them');
    if (value.startsWith('-')) return this.#refuse(name, 'begins with a dash', 'tools take no options');
    return value;
  }

  #refuse(name: string, why: string, hint: string): never {
    const shown = JSON.stringify(name.slice(0, 60));
    throw new DiagnosedError(
      diagnostic('FW9076', { message: `argument ${shown} of tool ${this.#tool} ${why}`, hint }),
    );
  }
}

function isWithin(root: string, file: string): boolean {
  const inFolder = (folder: string, inner: string): boolean =>
    inner === folder || inner.startsWith(folder + path.sep);
  return inFolder(root, file) && inFolder(realOf(root), realOf(file));
}

/** Returns the path without links. Of a file that does not exist, that of the first folder that does. */
function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realOf(parent), path.basename(file));
  }
}
