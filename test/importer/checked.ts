import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { format } from 'prettier';

const root = path.resolve(import.meta.dirname, '../..');

/** The files as prettier formats the TypeScript among them, by the rules of this repository. */
export async function formatted(files: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  const rules = JSON.parse(await readFile(path.join(root, '.prettierrc.json'), 'utf8')) as object;
  const entries = [...files].map(async ([name, text]) => {
    const code = name.endsWith('.ts') ? await format(text, { ...rules, parser: 'typescript' }) : text;
    return [name, code] as const;
  });
  return new Map(await Promise.all(entries));
}

/** What the compiler finds wrong with the modules in a folder, by the rules of this repository. */
export async function typeFaults(folder: string): Promise<string> {
  // cdk8s-plus does not compile with exactOptionalPropertyTypes.
  const compilerOptions = { exactOptionalPropertyTypes: false };
  const tsconfig = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions,
    include: ['**/*.ts'],
    exclude: [],
  };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  return await run(folder, 'typescript/bin/tsc', '-p', '.');
}

/** What the lint of this repository finds wrong with the modules in a folder. */
export async function lintFaults(folder: string): Promise<string> {
  // oxlint does not look where Git does not
  const copy = await mkdtemp(path.join(tmpdir(), 'fleetwright-lint-'));
  try {
    await cp(folder, path.join(copy, 'apps'), { recursive: true });
    await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    const { ignorePatterns: _, ...rules } = JSON.parse(
      await readFile(path.join(root, '.oxlintrc.json'), 'utf8'),
    ) as { ignorePatterns: unknown };
    await writeFile(path.join(copy, 'oxlint.json'), JSON.stringify(rules));
    return await run(
      copy,
      'oxlint/bin/oxlint',
      '--type-aware',
      '--deny-warnings',
      '-c',
      'oxlint.json',
      'apps',
    );
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** What a tool prints where it fails; nothing where it does not. */
async function run(folder: string, tool: string, ...args: readonly string[]): Promise<string> {
  try {
    const file = path.join(root, 'node_modules', tool);
    await promisify(execFile)(process.execPath, [file, ...args], { cwd: folder });
    return '';
  } catch (error) {
    if (!(error instanceof Error && 'stdout' in error)) throw error;
    return String(error.stdout) || error.message;
  }
}
