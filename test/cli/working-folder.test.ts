import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, runProgram } from '../linked-repository.ts';

const page = readFileSync(path.join(root, 'docs/diagnostics/FW9011.md'), 'utf8');
const [, expectedError = ''] = /^```\n(.*?)^```$/ms.exec(page) ?? [];

/** Runs a command line in a folder that is deleted before it starts. */
function runInDeletedFolder(program: string, ...commandLine: readonly string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-deleted-'));
  const script = 'rmdir "$PWD" && exec "$@"';
  const parameters = ['-c', script, 'sh', process.execPath, path.join(root, program), ...commandLine];
  return runProgram(folder, 'sh', parameters);
}

describe.each(['build/cli/main.js', 'build/fleetwright.mjs'])('%s in a deleted folder', (program) => {
  test.each([
    ['--help'],
    ['init', 'new'],
    ['synth'],
    ['validate', '-'],
    ['plan', 'main'],
    ['fleet', 'pull'],
    ['controller', 'hub'],
    ['completion', 'bash'],
  ])('reports about %s %s that the folder is gone', (...commandLine) => {
    expect(runInDeletedFolder(program, ...commandLine)).toEqual({ code: 2, out: '', err: expectedError });
  });
});
