// Imports every folder with objects of OCM below some folders, and compares before and after with `plan`:
//   node --import tsx test/importer/import-corpus.ts FOLDER…
// Bring the folders yourself: each is a repository. Set FOLDERS to the most folders to take of each.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { linkDependencies } from '../linked-repository.ts';
import { run } from '../../src/cli/run.ts';

const most = Number(process.env['FOLDERS'] ?? 1000);
const workspace = mkdtempSync(path.join(tmpdir(), 'fleetwright-corpus-'));
writeFileSync(path.join(workspace, 'fleetwright.yaml'), 'engine: none\n');
linkDependencies(workspace);
const counts = { same: 0, refused: 0, CHANGED: 0, FAILED: 0 };

for (const repository of process.argv.slice(2))
  for (const folder of foldersBelow(path.resolve(repository)).slice(0, most)) {
    const { kind, reason } = await outcomeOf(folder);
    counts[kind] += 1;
    process.stdout.write(
      `${kind} ${path.relative(path.dirname(path.resolve(repository)), folder)} ${reason}\n`,
    );
  }
rmSync(workspace, { recursive: true });
process.stdout.write(`${JSON.stringify(counts)}\n`);
if (counts.CHANGED + counts.FAILED > 0) process.exitCode = 1;

async function outcomeOf(folder: string): Promise<{ kind: keyof typeof counts; reason: string }> {
  const app = path.join(workspace, 'apps/imported');
  rmSync(app, { recursive: true, force: true });
  mkdirSync(path.join(workspace, 'apps'), { recursive: true });
  const imported = await command('import', folder, '--out', 'apps/imported');
  if (imported.code !== 0) return { kind: 'refused', reason: firstError(imported.err) };
  const plan = await command('plan', folder, 'apps/imported', '--run-apps', '-o', 'json');
  if (plan.code > 1 || plan.out === '') return { kind: 'FAILED', reason: firstError(plan.err) };
  const changes = changesOf(JSON.parse(plan.out) as Plan);
  if (changes.length > 0) return { kind: 'CHANGED', reason: changes.join(', ') };
  const hasFinalizers = /^\s*finalizers:/m.test(textsOf(folder));
  const reported = [...new Set([...imported.err.matchAll(/FW\d{4}/g)].map(([code]) => code))];
  return { kind: 'same', reason: [...(hasFinalizers ? ['has finalizers'] : []), ...reported].join(' ') };
}

interface Plan {
  readonly fleet: { readonly added: readonly unknown[]; readonly removed: readonly unknown[] };
  readonly summary: {
    readonly effects: Readonly<Record<string, number>>;
    readonly objects: Readonly<Record<string, number>>;
  };
  readonly placements: readonly unknown[];
}

/** Returns what a plan says that changes: effects on clusters, objects, clusters of the fleet and decisions. */
function changesOf({ fleet, summary, placements }: Plan): readonly string[] {
  const lists = { 'clusters added': fleet.added, 'clusters removed': fleet.removed, placements };
  const lengths = Object.entries(lists).map(([name, list]) => [name, list.length] as const);
  return [...Object.entries(summary.effects), ...Object.entries(summary.objects), ...lengths]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`);
}

function textsOf(folder: string): string {
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    .join('\n');
}

/** Runs a command in the workspace. */
async function command(
  ...parameters: readonly string[]
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const code = await run(parameters, {
    cwd: workspace,
    now: () => Date.parse('2026-06-01T00:00:00Z'),
    readInput: () => Promise.resolve(Buffer.alloc(0)),
    out: (text) => (out += text),
    err: (text) => (err += text),
    color: false,
  });
  return { code, out, err };
}

function firstError(text: string): string {
  return (/^error.*(?:\n.*)?/m.exec(text)?.[0] ?? text.slice(0, 300)).replaceAll(/\s+/g, ' ').slice(0, 300);
}

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
