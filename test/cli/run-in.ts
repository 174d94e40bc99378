import { run } from '../../src/cli/run.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';

/** What one command line printed, and how it ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in a folder, as the process would, with a fixed clock. */
export async function runIn(
  cwd: string,
  commandLine: readonly string[],
  input: string | Uint8Array = '',
  abilities: Pick<Terminal, 'ask' | 'columns' | 'env' | 'progress' | 'meter' | 'taken'> = {},
): Promise<Ran> {
  let out = '';
  let err = '';
  const code = await run(commandLine, {
    cwd,
    now: () => Date.parse('2026-06-01T00:00:00Z'),
    readInput: () => Promise.resolve(Buffer.from(input)),
    out: (text) => (out += text),
    err: (text) => (err += text),
    color: false,
    ...abilities,
  });
  return { code, out, err };
}
