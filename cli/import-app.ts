import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { tsImport } from 'tsx/esm/api';

/** Runs an app's file, TypeScript or JavaScript, and gives what it exports. */
export async function importApp(file: string): Promise<object> {
  const options = { parentURL: import.meta.url, tsconfig: await nearestTsconfig(file) };
  return (await tsImport(pathToFileURL(file).href, options)) as object;
}

/** tsx reads `paths` from it; false where there is none, so that it does not look at the tool's own. */
async function nearestTsconfig(file: string): Promise<string | false> {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'tsconfig.json');
    const found = await stat(candidate).catch(() => undefined);
    if (found?.isFile()) return candidate;
    if (folder === path.dirname(folder)) return false;
  }
}
