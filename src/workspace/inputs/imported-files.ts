import { readFile } from 'node:fs/promises';
import path from 'node:path';

const code = /\.[cm]?[jt]s$/;

/** The text between quotes behind `from`, `import` and `new URL(`, if it is a path to another file. */
const relativeImport = /(?:\bfrom|\bimport|\bnew URL)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;

/** Returns the files, and all files that modules among them import, one after the other. Missing files are left out. */
export async function importedFiles(files: readonly string[], cwd: string): Promise<string[]> {
  const names = new Set<string>();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const name = path.normalize(file);
    if (names.has(name)) continue;
    const text = await readFile(path.resolve(cwd, name), 'utf8').catch(() => undefined);
    if (text === undefined) {
      // a TypeScript import may name the compiled file
      if (/\.[cm]?js$/.test(name)) open.push(name.replace(/js$/, 'ts'));
      continue;
    }
    names.add(name);
    if (!code.test(name)) continue;
    for (const [, , specifier = ''] of text.matchAll(relativeImport))
      open.push(path.join(path.dirname(name), specifier));
  }
  return [...names];
}
