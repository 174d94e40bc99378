import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach } from 'vitest';
import type { Ran } from './run-in.ts';

export { runIn, type Ran } from './run-in.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** A folder with these files, removed after the test. */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fleetwright-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

const root = path.resolve(import.meta.dirname, '../..');

/** Runs a command line in a separate process: for results that depend on how Node runs it, such as the lines of stacks. */
export async function spawnIn(cwd: string, commandLine: readonly string[]): Promise<Ran> {
  const tsx = pathToFileURL(path.join(root, 'node_modules/tsx/dist/loader.mjs')).href;
  const main = path.join(root, 'src/cli/startup/main.ts');
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--import', tsx, main, ...commandLine],
      { cwd },
    );
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'stdout' in error && 'stderr' in error)) throw error;
    return { code: Number(error.code), out: String(error.stdout), err: String(error.stderr) };
  }
}
