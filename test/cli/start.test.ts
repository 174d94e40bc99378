import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { laterCompilation } from '../../src/cli/startup/compile-later.ts';
import { answersEdits } from '../../src/cli/startup/resident-process.ts';
import { root, runProgram } from '../linked-repository.ts';

const hooks = `import { writeSync } from 'node:fs';
export async function load(url, context, next) {
  if (url.startsWith('file:')) writeSync(2, url + '\\n');
  return await next(url, context);
}`;
const asUrl = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
// The commands are not a module, but a script that the program reads itself.
const recorder = asUrl(`import fs from 'node:fs';
import { register, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
register(${JSON.stringify(asUrl(hooks))});
const { readFileSync } = fs;
fs.readFileSync = (file, ...options) => {
  if (typeof file === 'string' && file.endsWith('.mjs')) fs.writeSync(2, pathToFileURL(file).href + '\\n');
  return readFileSync(file, ...options);
};
syncBuiltinESMExports();`);

/** Returns the number of files with code that the built command loads, and their size. */
function loaded(...commandLine: readonly string[]): { modules: number; bytes: number } {
  const parameters = ['--import', recorder, path.join(root, 'build/cli/main.js'), ...commandLine];
  const { code, out, err } = runProgram(root, process.execPath, parameters);
  expect(code).toBe(0);
  expect(out).not.toBe('');
  const files = err
    .trim()
    .split('\n')
    .map((url) => fileURLToPath(url));
  expect(files[0]).toBe(path.join(root, 'build/cli/main.js'));
  return { modules: files.length, bytes: files.reduce((sum, file) => sum + statSync(file).size, 0) };
}

describe('the built command loads no commands and no libraries', () => {
  test.each([
    ['--version'],
    ['-V'],
    ['completion', 'bash'],
    ['--get-yargs-completions', 'fleetwright', 'pl'],
    ['--get-yargs-completions', 'fleetwright', 'plan', '--'],
  ])('for %s %s %s %s', (...commandLine) => {
    const { modules, bytes } = loaded(...commandLine);
    expect(modules).toBeLessThanOrEqual(6);
    expect(bytes).toBeLessThan(60_000);
  });

  test('but for --help', () => {
    expect(loaded('--help').bytes).toBeGreaterThan(1_000_000);
  });
});

test('the flags of V8 are ones that this Node has, so V8 prints no error', () => {
  const { out } = runProgram(root, process.execPath, ['--v8-options']);
  expect(out).toContain('--heap-growing-percent ');
  expect(out.includes('--interrupt-budget ')).toBe(laterCompilation(process.versions.node) !== undefined);

  const help = runProgram(root, process.execPath, [path.join(root, 'build/cli/main.js'), '--help']);
  expect(help).toMatchObject({ code: 0, err: '' });
});

test.each([
  [['lsp'], true],
  [['mcp', '--state', 'dist'], true],
  [['controller', 'hub'], false],
  [['plan', '--watch'], true],
  [['plan', '--serve=8080'], true],
  [['plan', 'base', 'head'], false],
  [['synth', '--watchful'], false],
  [['explain', 'lsp'], false],
])('%j begins a process that answers after each edit: %s', (argv, expected) => {
  expect(answersEdits(argv)).toBe(expected);
});
