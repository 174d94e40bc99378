import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Tree } from '../compiler/emit/emit.ts';
import { kustomization, kustomizationFile } from '../compiler/emit/kustomization.ts';
import { compareFolder, exists, ownershipText, readOwnership, ownershipFile } from './output-folder.ts';

/**
 * The kustomization of all apps, in the folder that their folders stand in. Where there is one that synth did not write,
 * it stays as it is.
 */
export class RootKustomization {
  readonly #folder: string;
  readonly #tree: Tree;

  /** `folder` is an absolute path; `apps` are the names of the folders below it. */
  constructor(folder: string, apps: readonly string[]) {
    this.#folder = folder;
    this.#tree = new Map([[kustomizationFile, kustomization([...apps].sort())]]);
  }

  /** Whether the folder has it as it would be written. */
  async isCurrent(): Promise<boolean> {
    const { files } = await readOwnership(this.#folder);
    if (!files.includes(kustomizationFile) && (await exists(path.join(this.#folder, kustomizationFile))))
      return true;
    const { missing, changed } = await compareFolder(this.#folder, this.#tree);
    return missing.length === 0 && changed.length === 0;
  }

  async write(): Promise<void> {
    if (await this.isCurrent()) return;
    await mkdir(this.#folder, { recursive: true });
    // First what says that the file is synth's: a run that is killed in between can be run again.
    await replace(path.join(this.#folder, ownershipFile), ownershipText(this.#tree));
    for (const [name, text] of this.#tree) await replace(path.join(this.#folder, name), text);
  }
}

/** Whoever reads the file meanwhile sees the old text or the new one. */
async function replace(file: string, text: string): Promise<void> {
  const next = path.join(path.dirname(file), `.${path.basename(file)}.next`);
  // What stands there is of a run that was killed, or a link, through which nothing is written.
  await rm(next, { force: true, recursive: true });
  await writeFile(next, text, { flag: 'wx' });
  await rename(next, file);
}
