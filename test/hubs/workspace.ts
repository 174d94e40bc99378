import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

/** The folder of the example workspace: three hubs, an app in TypeScript and one in YAML with overlays. */
export const example = path.resolve(import.meta.dirname, 'example');

/** Returns the files of the example workspace by name, with some of them replaced. */
export async function exampleFiles(
  replaced: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(example, { recursive: true, withFileTypes: true });
  const files: Record<string, string> = {};
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files[path.relative(example, file)] = await readFile(file, 'utf8');
  }
  return { ...files, ...replaced };
}
