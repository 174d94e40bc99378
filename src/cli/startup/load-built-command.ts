import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compiledCodeFile } from './compile-cache.ts';
import { runWithCompiledCode } from './compiled-code.ts';
import { programHash } from './program-hash.ts';
import { programHead, programTail, type Program } from '../single-file/program-frame.ts';
import type { CommandProgram } from './start.ts';

/** Loads the code of all commands from the single file, with the compiled code of an earlier run. */
export async function loadCommand(): Promise<CommandProgram> {
  const file = path.join(import.meta.dirname, '../fleetwright.mjs');
  // The bundler escapes all other characters. V8 reads such a text faster.
  const text = readFileSync(file, 'latin1');
  const program = runWithCompiledCode({
    source: text.slice(programHead.length, text.length - programTail.length),
    file,
    lineOffset: programHead.split('\n').length - 1,
    hash: programHash,
    cache: compiledCodeFile(process.argv[2]),
  }) as Program;
  return await Promise.resolve(program(createRequire(file), file, false) as CommandProgram);
}
