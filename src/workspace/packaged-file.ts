import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Returns the text of a file of the package, by its path from the package folder. */
export async function packagedFile(name: string): Promise<string> {
  // The package refers to itself by name, so that this works from the sources and from build/ alike.
  const manifest = createRequire(import.meta.url).resolve('fleetwright/package.json');
  return await readFile(path.join(path.dirname(manifest), name), 'utf8');
}
