import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A command that runs until it is stopped. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** What it printed so far: results and messages. */
  readonly printed: () => string;
}

/** Starts a command line in a folder. The process is ended after the test. */
export function startIn(cwd: string, commandLine: readonly string[]): RunningCommand {
  const tsx = pathToFileURL(path.join(root, 'node_modules/tsx/dist/loader.mjs')).href;
  const main = path.join(root, 'src/cli/startup/main.ts');
  const child = spawn(process.execPath, ['--import', tsx, main, ...commandLine], { cwd });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (text += bytes.toString()));
  return { child, printed: () => text };
}
