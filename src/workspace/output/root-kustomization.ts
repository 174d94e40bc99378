import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Tree } from '../../compiler/index.ts';
import { kustomization, kustomizationFile } from '../../compiler/emit/kustomization.ts';
import {
  compareFolder,
  exists,
  ownershipFile,
  ownershipText,
  readOwnership,
  type OutputMemory,
} from './output-folder.ts';
import { temporaryName } from '../temporary-name.ts';
import { appsFolder } from '../workspace.ts';

/**
 * The kustomization of all apps, in the folder that contains their folders. If there is one that synth did not write,
 * it stays as it is. The list of written files beside it names the folder of the apps.
 */
export class RootKustomization {
  readonly #folder: string;
  readonly #names: readonly string[];
  readonly #memory: OutputMemory;

  /**
   * @param folder - an absolute path
   * @param names - of the folders below it
   * @param apps - the folder of the apps, an absolute path
   */
  constructor(folder: string, names: readonly string[], apps: string) {
    this.#folder = folder;
    this.#names = [...names].sort();
    this.#memory = apps === besideOutput(folder) ? {} : { apps: relativeTo(folder, apps) };
  }

  /** Whether the folder already contains it unchanged. */
  async isCurrent(): Promise<boolean> {
    return await this.#hasAll(await this.#tree());
  }

  async write(): Promise<void> {
    const tree = await this.#tree();
    if (await this.#hasAll(tree)) return;
    await mkdir(this.#folder, { recursive: true });
    // Write the file list first: it marks the kustomization as synth's, so a run that is killed in between can be
    // repeated.
    await replace(path.join(this.#folder, ownershipFile), ownershipText(tree, this.#memory));
    for (const [name, text] of tree) await replace(path.join(this.#folder, name), text);
  }

  async #hasAll(tree: Tree): Promise<boolean> {
    const { files, apps } = readOwnership(this.#folder);
    if (tree.size === 0 && files.length === 0 && apps === this.#memory.apps) return true;
    const { missing, changed } = await compareFolder(this.#folder, tree, this.#memory);
    return missing.length === 0 && changed.length === 0;
  }

  /** Returns the files to write; empty if the folder has a kustomization that synth did not write. */
  async #tree(): Promise<Tree> {
    const { files } = readOwnership(this.#folder);
    const isForeign =
      !files.includes(kustomizationFile) && (await exists(path.join(this.#folder, kustomizationFile)));
    return new Map(isForeign ? [] : [[kustomizationFile, kustomization(this.#names)]]);
  }
}

/**
 * Returns the folder of the apps that an earlier synth compiled into an output folder.
 *
 * @param out - an absolute path
 * @returns an absolute path
 */
export function earlierApps(out: string): string {
  const { apps } = readOwnership(out);
  return apps === undefined ? besideOutput(out) : path.resolve(out, apps);
}

function besideOutput(out: string): string {
  return path.join(path.dirname(out), appsFolder);
}

function relativeTo(folder: string, file: string): string {
  return path.relative(folder, file).split(path.sep).join('/');
}

/** Replaces a file: a reader sees the old text or the new one. */
async function replace(file: string, text: string): Promise<void> {
  const next = temporaryName(file);
  await writeFile(next, text, { flag: 'wx' });
  await rename(next, file);
}
