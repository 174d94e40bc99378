import path from 'node:path';
import type { Engine, Tree } from '../../compiler/index.ts';
import { kustomization, kustomizationFile } from '../../compiler/emit/kustomization.ts';
import { stages, stagesFolder } from '../../compiler/emit/sync-order.ts';
import { compareFolder, exists, readOwnership, removeFolder, writeFolder } from './output-folder.ts';

/**
 * The kustomizations of the stages of all apps, for Flux: with one Kustomization per stage, another app needs no further object on
 * the hub. Other engines need none, so an earlier folder is removed.
 */
export class StageKustomizations {
  readonly #out: string;
  readonly #folder: string;
  readonly #compiled: readonly string[];
  readonly #others: readonly string[];
  readonly #engine: Engine;

  /**
   * @param out - the folder with the outputs of the apps, an absolute path
   * @param apps - `compiled` are the names of the apps that this run writes, `others` of those that stay as they are
   */
  constructor(
    out: string,
    apps: { readonly compiled: readonly string[]; readonly others: readonly string[] },
    engine: Engine,
  ) {
    this.#out = out;
    this.#folder = path.join(out, stagesFolder);
    this.#compiled = apps.compiled;
    this.#others = apps.others;
    this.#engine = engine;
  }

  /** Whether the folder already contains them unchanged. */
  async isCurrent(): Promise<boolean> {
    if (this.#engine !== 'flux') return readOwnership(this.#folder).files.length === 0;
    const { missing, changed, stale } = await compareFolder(this.#folder, await this.#tree());
    return missing.length + changed.length + stale.length === 0;
  }

  async write(): Promise<void> {
    if (this.#engine === 'flux') await writeFolder(this.#folder, await this.#tree());
    else if (!(await this.isCurrent())) await removeFolder(this.#folder);
  }

  async #tree(): Promise<Tree> {
    const tree = new Map<string, string>();
    for (const stage of stages) {
      const apps = [...this.#compiled];
      // The output of another app may have been written for another engine.
      for (const app of this.#others) if (await exists(path.join(this.#out, app, stage))) apps.push(app);
      const folders = apps.sort().map((app) => `../../${app}/${stage}`);
      tree.set(`${stage}/${kustomizationFile}`, kustomization(folders));
    }
    return tree;
  }
}
