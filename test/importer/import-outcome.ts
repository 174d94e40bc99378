import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { linkDependencies } from '../linked-repository.ts';
import { runIn } from '../cli/run-in.ts';

/** How the import of a folder ended. */
export interface ImportOutcome {
  readonly kind: 'same' | 'refused' | 'CHANGED' | 'FAILED';
  /** What changed or failed; else the codes of the findings of the import. */
  readonly reason: string;
}

/** A workspace that imports one folder after the other. */
export function importWorkspace(): string {
  const workspace = mkdtempSync(path.join(tmpdir(), 'fleetwright-corpus-'));
  writeFileSync(path.join(workspace, 'fleetwright.yaml'), 'engine: none\n');
  linkDependencies(workspace);
  return workspace;
}

/**
 * Imports a folder, and compares before and after with `plan`.
 *
 * @param edit - changes the imported app before the comparison. @default - nothing
 */
export async function outcomeOf(
  workspace: string,
  folder: string,
  edit: (app: string) => void = () => {},
): Promise<ImportOutcome> {
  const app = path.join(workspace, 'apps/imported');
  rmSync(app, { recursive: true, force: true });
  mkdirSync(path.join(workspace, 'apps'), { recursive: true });
  const imported = await runIn(workspace, ['import', folder, '--out', 'apps/imported']);
  if (imported.code !== 0) return { kind: 'refused', reason: firstError(imported.err) };
  edit(app);
  const plan = await runIn(workspace, ['plan', folder, 'apps/imported', '--run-apps', '-o', 'json']);
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
function firstError(text: string): string {
  return (/^error.*(?:\n.*)?/m.exec(text)?.[0] ?? text.slice(0, 300)).replaceAll(/\s+/g, ' ').slice(0, 300);
}
