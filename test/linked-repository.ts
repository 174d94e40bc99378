import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

/** What `npm install` would bring into a new repository, linked to what `npm run build` made here. */
export function linkDependencies(folder: string): void {
  const bin = path.join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(root, path.join(folder, 'node_modules/fleetwright'));
  for (const name of ['cdk8s', 'cdk8s-plus-27', 'constructs', 'typescript'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
  symlinkSync(path.join(root, 'node_modules/.bin/tsc'), path.join(bin, 'tsc'));
  const command = path.join(bin, 'fleetwright');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${root}/build/cli/main.js" "$@"\n`);
  chmodSync(command, 0o755);
}

/** Runs a program in a folder: how it ended and what it wrote, errors after results. */
export function runProgram(
  folder: string,
  program: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(program, [...parameters], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...gitIdentity, ...env },
  });
  return { code: status, out: stdout, err: stderr };
}

/** Commits need an author, regardless of the user who runs the tests. */
const gitIdentity = {
  GIT_AUTHOR_NAME: 'Team',
  GIT_AUTHOR_EMAIL: 'team@example.com',
  GIT_COMMITTER_NAME: 'Team',
  GIT_COMMITTER_EMAIL: 'team@example.com',
};
