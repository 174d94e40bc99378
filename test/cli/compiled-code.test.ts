import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compiledCodeFile } from '../../src/cli/startup/compile-cache.ts';
import { runProgram } from '../linked-repository.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'fleetwright-code-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tsx = import.meta.resolve('tsx');
const loader = path.resolve(import.meta.dirname, '../../src/cli/startup/compiled-code.ts');
const cache = path.join(folder, 'cache/v20/plan.code');
const program = path.join(folder, 'program.mjs');
writeFileSync(
  program,
  `import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { runWithCompiledCode } from ${JSON.stringify(loader)};
const [file, cache] = process.argv.slice(2);
const source = readFileSync(file, 'utf8');
const hash = path.basename(file);
const run = runWithCompiledCode({ source, file, lineOffset: 0, hash, cache });
await run(createRequire(file), file);`,
);
const file = path.join(folder, 'command-ABC.cjs');
writeFileSync(
  file,
  `(async (require, file) => {
  const { posix } = require('node:path');
  const { value } = await require('./import-module.cjs')();
  process.stdout.write(posix.basename(file) + ' ' + value + (/^[µμ]$/.test('\\u03bc') ? '' : ' wrongly') + '\\n');
})`,
);
writeFileSync(path.join(folder, 'import-module.cjs'), `module.exports = () => import('./module.mjs');`);
writeFileSync(path.join(folder, 'module.mjs'), `export const value = 'imported';`);

function run(of = file): string {
  const { code, out, err } = runProgram(folder, process.execPath, ['--import', tsx, program, of, cache]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

describe('code of a script', () => {
  test('runs with what it requires and imports, and is kept for the next run', () => {
    expect(run()).toBe('command-ABC.cjs imported\n');
    const { mtimeMs } = statSync(cache);
    expect(readdirSync(path.dirname(cache))).toEqual(['plan.code']);
    expect(run()).toBe('command-ABC.cjs imported\n');
    expect(statSync(cache).mtimeMs).toBe(mtimeMs);
  });

  test('is not used for another content, which replaces it', () => {
    const other = path.join(folder, 'command-XYZ.cjs');
    writeFileSync(other, `() => process.stdout.write('other\\n')`);
    expect(run(other)).toBe('other\n');
    expect(run()).toBe('command-ABC.cjs imported\n');
  });

  test.each([
    [
      'is damaged',
      (code: Buffer) => Buffer.concat([code.subarray(0, 200), Buffer.alloc(8), code.subarray(208)]),
    ],
    ['is cut off', (code: Buffer) => code.subarray(0, 100)],
    ['is empty', () => Buffer.alloc(0)],
  ])('is compiled again if what was kept %s', (_how, damaged) => {
    run();
    const kept = readFileSync(cache);
    writeFileSync(cache, damaged(kept));
    expect(run()).toBe('command-ABC.cjs imported\n');
    expect(readFileSync(cache).length).toBeGreaterThan(200);
  });

  test.runIf(process.getuid?.() === 0)('is not used if it is of another user', () => {
    run();
    chownSync(cache, 1234, 1234);
    expect(run()).toBe('command-ABC.cjs imported\n');
    expect(statSync(cache).uid).toBe(0);
  });

  test('runs if nothing can be kept', () => {
    rmSync(path.dirname(cache), { recursive: true });
    writeFileSync(path.dirname(cache), 'no folder');
    expect(run()).toBe('command-ABC.cjs imported\n');
  });
});

test('each command keeps its own code, and other words share one file', () => {
  const name = (command: string | undefined): string => path.basename(compiledCodeFile(command) ?? '');
  expect(['plan', 'who-uses', undefined, '../../evil', 'x'.repeat(40)].map(name)).toEqual([
    'plan.code',
    'who-uses.code',
    'other.code',
    'other.code',
    'other.code',
  ]);
});
