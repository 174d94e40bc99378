import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { codes } from '../compiler/codes.ts';

const root = path.resolve(import.meta.dirname, '..');
const pages = path.join(root, 'docs/diagnostics');

function textsBelow(folder: string, pattern: RegExp): string {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => readFileSync(path.join(root, folder, name), 'utf8'))
    .join('\n');
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join(folder, name));
}

const tests = textsBelow('test', /\.test\.ts$/).replaceAll(/import .*\n/g, '');
const sources = ['compiler', 'importer', 'workspace', 'cli']
  .map((folder) => textsBelow(folder, /(?<!codes)\.ts$/))
  .join('\n');

describe.each(Object.entries(codes))('%s', (code, { title, severity }) => {
  test('has a page that starts with its title and severity', () => {
    const page = path.join(pages, `${code}.md`);
    expect(existsSync(page), `${page} is missing`).toBe(true);
    expect(readFileSync(page, 'utf8').split('\n').slice(0, 3)).toEqual([
      `# ${code}: ${title}`,
      '',
      `Severity: ${severity}`,
    ]);
  });
  test('is reported by the compiler or the command line', () => {
    expect(sources.includes(`'${code}'`), `nothing gives ${code}`).toBe(true);
  });
  test('is provoked by a test', () => {
    expect(tests.includes(code), `no test names ${code}`).toBe(true);
  });
});

// The results of a plan without a code have a severity, too: they are changes, not findings.
const withoutCode = new Set(['compiler/report/plan-github.ts', 'compiler/report/plan-results.ts']);

test('the code table has the severity of every diagnostic', () => {
  const writing = ['compiler', 'importer', 'workspace', 'cli', 'testing', 'constructs']
    .flatMap((folder) => sourcesBelow(folder))
    .filter((file) => !['compiler/codes.ts', 'compiler/diagnostic.ts'].includes(file))
    .filter((file) => !withoutCode.has(file))
    .filter((file) => /\bseverity: *(?:['"`]|codes\b)/.test(readFileSync(path.join(root, file), 'utf8')));
  expect(writing).toEqual([]);
});

test('every page belongs to a code', () => {
  const known = new Set([...Object.keys(codes).map((code) => `${code}.md`), 'README.md']);
  expect(readdirSync(pages).filter((name) => !known.has(name))).toEqual([]);
});
