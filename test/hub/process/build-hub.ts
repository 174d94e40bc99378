import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { buildProgram, goFiles, runGo } from './build-program.ts';

const source = path.join(import.meta.dirname, '..');
const bin = path.join(source, 'bin');
const stamp = path.join(bin, 'sources.sha256');

/** The program of a hub that `buildWithTree` made of another release. */
const otherProgram = process.env['HUB_PROGRAM'];

/** Where the program of the hub is: the built one, or that of HUB_PROGRAM. */
export const hubProgram = otherProgram ?? path.join(bin, 'hub');

/** Whether this machine has Go. */
export function hasGo(): boolean {
  try {
    runGo(source, ['version']);
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds the hub unless the program is there and its sources are those that it was built from. Cold, that is some
 * minutes of two cores; progress goes to standard error.
 */
export function buildHub(): void {
  if (otherProgram !== undefined) return;
  const hash = sourceHash();
  if (existsSync(hubProgram) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  process.stderr.write('Building the hub (test/hub); the first time this takes several minutes\n');
  buildProgram(source, bin);
  writeFileSync(stamp, hash);
}

function sourceHash(): string {
  const hash = createHash('sha256');
  for (const name of goFiles(source)) hash.update(`${name}\0`).update(readFileSync(path.join(source, name)));
  hash.update(readFileSync(path.join(import.meta.dirname, 'build-program.ts')));
  return hash.digest('hex');
}
