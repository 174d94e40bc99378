// The declarations that users can reach, for `packaging/bundle.ts`.
import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the declarations that the types of the package consist of: the entries, and what they refer to.
 *
 * @param folder output of tsc
 * @param entries relative to the folder, as the result
 */
export function reachableDeclarations(folder: string, entries: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const references = readFileSync(path.join(folder, file), 'utf8').matchAll(
      /(?:\bfrom|\bimport\(|^import)\s*['"](\.[^'"]+)\.[jt]s['"]/gm,
    );
    for (const [, module = ''] of references)
      waiting.push(path.posix.join(path.posix.dirname(file), `${module}.d.ts`));
  }
  return reached;
}
