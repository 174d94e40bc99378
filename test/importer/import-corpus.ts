// Imports every folder with objects of OCM below some folders, and compares before and after with `plan`:
//   node --import tsx test/importer/import-corpus.ts FOLDER…
// Bring the folders yourself: each is a repository. Set FOLDERS to the most folders to take of each.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { importWorkspace, outcomeOf } from './import-outcome.ts';

const most = Number(process.env['FOLDERS'] ?? 1000);
const workspace = importWorkspace();
const counts = { same: 0, refused: 0, CHANGED: 0, FAILED: 0 };

for (const repository of process.argv.slice(2))
  for (const folder of foldersBelow(path.resolve(repository)).slice(0, most)) {
    const { kind, reason } = await outcomeOf(workspace, folder);
    counts[kind] += 1;
    process.stdout.write(
      `${kind} ${path.relative(path.dirname(path.resolve(repository)), folder)} ${reason}\n`,
    );
  }
rmSync(workspace, { recursive: true });
process.stdout.write(`${JSON.stringify(counts)}\n`);
if (counts.CHANGED + counts.FAILED > 0) process.exitCode = 1;

function foldersBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const below = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap((entry) => foldersBelow(path.join(folder, entry.name)));
  const hasObjects = entries.some(
    (entry) =>
      entry.isFile() &&
      /\.ya?ml$/.test(entry.name) &&
      /^apiVersion: .*open-cluster-management\.io\//m.test(
        readFileSync(path.join(folder, entry.name), 'utf8'),
      ),
  );
  return hasObjects ? [folder, ...below] : below;
}
