import path from 'node:path';
import type { Diagnostic, Inventory } from '../../compiler/index.ts';
import { diagnostic } from '../../compiler/model/diagnostic.ts';
import { readOwnership } from './output-folder.ts';
import { isManifest } from '../../compiler/emit/manifest-file.ts';

/** Whether an app has nothing to apply. */
export function isEmptied({ objects }: Inventory): boolean {
  return !objects.some(({ source }) => source === 'app');
}

/**
 * Whether the output folder of an app has objects of an earlier synth, other than those that the app no
 * longer had then.
 */
export function hadObjects(output: string): boolean {
  const { files, removed = {} } = readOwnership(output);
  const isRemoved = new Set(Object.values(removed).flat());
  return files.some((file) => isManifest(file) && !isRemoved.has(path.basename(file)));
}

/**
 * Reports an app that had objects and has none now: the GitOps engine would delete all of them. To remove an app,
 * delete its folder, which is an ordinary change.
 *
 * @param folder - of the app, relative to the working folder
 */
export function emptiedApp(folder: string, option?: string): Diagnostic {
  return diagnostic('FW9019', {
    message: `app "${path.basename(folder)}" had objects and has none, so all its objects would be deleted from the hub`,
    hint: `put its manifests back, or delete ${folder} to remove the app${option === undefined ? '' : `; ${option} confirms an app without objects`}`,
  });
}

/**
 * Reports outputs that synth would delete because their apps are missing in a folder that never contained them.
 *
 * @param outputs - the folders that would be deleted, relative to the working folder
 * @param apps - the folder of the apps that are compiled
 * @param earlier - the folder of the apps that the outputs belong to
 */
export function outputsOfOtherApps(outputs: readonly string[], apps: string, earlier: string): Diagnostic {
  const folders = outputs.join(', ');
  return diagnostic('FW9035', {
    message: `${folders} would be deleted, although ${outputs.length === 1 ? 'its app was' : 'their apps were'} in "${earlier}" and this run looked in "${apps}"`,
    hint: `run synth with --apps ${earlier}, or write to another folder with --out; if the apps were removed, delete their outputs or confirm with --allow-empty`,
  });
}
