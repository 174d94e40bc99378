#!/usr/bin/env node
import { cacheCompiledCode } from './compile-cache.ts';
import { compileLater } from './compile-later.ts';
import { brokenPipeCode } from './exit-code.ts';
import { quickAnswer } from './quick-answer.ts';

const answer = await quickAnswer(process.argv.slice(2));
if (answer === undefined) {
  compileLater();
  cacheCompiledCode();
  await import('./command-process.ts');
} else {
  // As in other commands: a reader that stops early is no fault.
  process.stdout.on('error', () => process.exit(brokenPipeCode));
  process.stdout.write(answer);
}
