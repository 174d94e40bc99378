import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Engine, Tree } from '../../compiler/index.ts';
import { kustomization, kustomizationFile } from '../../compiler/emit/kustomization.ts';
import { isManifest } from '../../compiler/emit/manifest-file.ts';
import { resolutionFile } from '../../compiler/emit/emit.ts';
import { counted } from '../../compiler/model/words.ts';
import type { OutputFolder } from './compile-app.ts';
import { earlierOutputs, type EarlierOutput } from './earlier-output.ts';

/** The stages whose objects other objects use: namespaces, placements and configurations. */
const usedStages: ReadonlySet<string> = new Set(['foundation', 'placements', 'configs']);

/**
 * Returns the outputs of apps that no longer exist and that stay for one more change. Flux prunes the first stages first: it would
 * delete placements and configurations while the add-on still uses them. So the add-on is removed first, and what it used with the
 * next change of any app.
 *
 * @param out - the folder with the outputs of the apps, an absolute path
 * @param apps - the names of the apps that no longer exist
 * @param current - the outputs of the existing apps
 * @returns the outputs by app, without those that are removed at once
 */
export async function leavingApps(
  out: string,
  apps: readonly string[],
  current: readonly Tree[],
  engine: Engine,
): Promise<ReadonlyMap<string, OutputFolder>> {
  const outputs = new Map<string, OutputFolder>();
  if (engine !== 'flux' || apps.length === 0) return outputs;
  for (const [app, earlier] of await earlierOutputs(out, apps)) {
    const output = await withoutAddOns(earlier, current);
    if (output !== undefined) outputs.set(app, output);
  }
  return outputs;
}

/** Returns undefined if the output stayed for a change already, or if nothing in it uses the rest. */
async function withoutAddOns(
  { ownership, read }: EarlierOutput,
  current: readonly Tree[],
): Promise<OutputFolder | undefined> {
  const { files, leaving } = ownership;
  const isLeaving = leaving !== undefined && !files.includes(resolutionFile);
  const digest = digestOf(current);
  if (isLeaving ? leaving.digest !== digest : !files.some(isUser)) return undefined;
  const present = new Set(current.flatMap((tree) => [...tree.keys()].map((file) => path.basename(file))));
  const staying = files.filter((file) => isUsed(file) && !present.has(path.basename(file)));
  if (staying.length === 0) return undefined;
  const tree = new Map(await read(staying));
  for (const file of files) {
    const folder = path.dirname(file);
    if (path.basename(file) !== kustomizationFile || folder === '.') continue;
    const names = staying.filter((each) => path.dirname(each) === folder).map((each) => path.basename(each));
    tree.set(file, kustomization(names));
  }
  const folders = [...new Set([...tree.keys()].map((file) => path.dirname(file)))];
  tree.set(kustomizationFile, kustomization(folders));
  return {
    tree,
    memory: { leaving: { digest, files: staying } },
    summary: `the app no longer exists, ${counted(staying.length, 'object')} until the next change`,
  };
}

function isUsed(file: string): boolean {
  return usedStages.has(path.dirname(file)) && isManifest(file);
}

/** Whether a file has an object that uses those of the first stages. */
function isUser(file: string): boolean {
  return /^(?:add-ons|clusters|wave-\d+)\//.test(file) && isManifest(file);
}

function digestOf(trees: readonly Tree[]): string {
  const hash = createHash('sha256');
  for (const tree of trees) for (const [name, text] of tree) hash.update(`${name}\0${text.length}\0${text}`);
  return hash.digest('hex');
}
