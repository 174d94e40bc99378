import { createRequire } from 'node:module';
import path from 'node:path';

/** Returns the file that a module in a folder gets for an import; undefined if the package is not installed for it. */
export function installedPackage(specifier: string, folder: string): string | undefined {
  try {
    return createRequire(path.join(folder, 'app.js')).resolve(specifier);
  } catch {
    return undefined;
  }
}
