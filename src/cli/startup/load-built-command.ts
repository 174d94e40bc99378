import { createRequire } from 'node:module';
import path from 'node:path';
import { compiledCodeFile, keepCompiledCode } from './compile-cache.ts';
import { loadWithCompiledCode } from './compiled-code.ts';
import { commandFile } from './command-file.ts';
import type { CommandProgram } from './load-command.ts';

/** Loads the built code of all commands, with the compiled code of an earlier run. */
export async function loadCommand(): Promise<CommandProgram> {
  const file = path.join(import.meta.dirname, commandFile);
  const isKept = keepCompiledCode();
  const cache = isKept ? undefined : compiledCodeFile(process.argv[2]);
  const command: unknown =
    cache === undefined ? createRequire(import.meta.url)(file) : loadWithCompiledCode(file, cache);
  return await Promise.resolve(command as CommandProgram);
}
