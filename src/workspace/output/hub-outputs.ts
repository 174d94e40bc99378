import path from 'node:path';
import { stagesFolder } from '../../compiler/emit/sync-order.ts';
import { readOwnership, removeFolder, emittedFolders } from './output-folder.ts';

/**
 * Returns the folders that an earlier synth wrote for hubs which no longer exist, or for apps before the workspace had several
 * hubs.
 *
 * @param out - the folder with the outputs of all hubs, relative to `cwd`
 * @param hubs - the output folders of the hubs, relative to `cwd`
 */
export async function outputsOfNoHub(
  cwd: string,
  out: string,
  hubs: readonly string[],
): Promise<readonly string[]> {
  const names = await emittedFolders(path.resolve(cwd, out));
  const isUsed = (folder: string): boolean =>
    hubs.some((hub) => hub === folder || hub.startsWith(`${folder}${path.sep}`));
  return names.map((name) => path.join(out, name)).filter((folder) => !isUsed(folder));
}

/** Whether a folder has the outputs of the apps of a hub, and is not the output of one app. */
export async function isHubOutput(folder: string): Promise<boolean> {
  return (await emittedFolders(folder)).length > 0;
}

/** Removes the files that synth wrote in a folder and in the outputs below it. */
export async function removeOutput(folder: string): Promise<void> {
  for (const name of [...(await emittedFolders(folder)), stagesFolder])
    await removeFolder(path.join(folder, name));
  await removeFolder(folder);
}

/** Whether synth wrote files directly into the folder with the outputs of all hubs: the kustomization of one hub. */
export function hasRootFiles(out: string): boolean {
  const { files } = readOwnership(out);
  return files.length > 0;
}
