import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { codes } from '../src/compiler/model/codes.ts';

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

/** The sources without the code table and the list of findings that a plan repeats. */
const sources = ['engines', 'compiler', 'importer', 'workspace', 'promotion', 'cli', 'testing']
  .map((folder) => `src/${folder}`)
  .flatMap((folder) => sourcesBelow(folder))
  .filter((file) => !['src/compiler/model/codes.ts', 'src/compiler/model/finding-identity.ts'].includes(file))
  // A comparison with a code does not report it.
  .map((file) => ({
    file,
    text: readFileSync(path.join(root, file), 'utf8').replaceAll(/=== 'FW\d{4}'/g, ''),
  }));

/** Where the codes of each range are reported. A range is a phase with its rules. */
const folders: readonly (readonly [range: RegExp, folders: readonly string[]])[] = [
  // The settings of a workspace are YAML, and apps send JSON.
  [/^FW1/, ['src/compiler/load/', 'src/workspace/']],
  [/^FW2/, ['src/compiler/admit/', 'src/compiler/revisions/']],
  [/^FW3/, ['src/compiler/place/']],
  [/^FW41/, ['src/compiler/parameters/']],
  [/^FW4(?!1)/, ['src/compiler/configure/', 'src/compiler/cluster-overrides/', 'src/compiler/check/']],
  [/^FW5/, ['src/compiler/rollout/']],
  [/^FW60(?:12|4[67])/, ['src/compiler/plan/', 'src/compiler/compare/']],
  [/^FW60(?:2[^8]|3[0-4]|50)/, ['src/engines/charts/']],
  [/^FW6028/, ['src/engines/charts/', 'src/compiler/render/']],
  [/^FW6045/, ['src/importer/']],
  [/^FW60(?:0|1[^2]|3[5-9]|4[0-489]|5[1-4]|9)/, ['src/compiler/render/', 'src/compiler/check/works/']],
  // Rules and references to configurations may have references that the inputs cannot resolve.
  [/^FW7026/, ['src/compiler/check/', 'src/compiler/configure/']],
  [/^FW7(?!026)/, ['src/compiler/check/']],
  [/^FW8160/, ['src/compiler/plan/']],
  [/^FW81(?:6[^02]|7)/, ['src/compiler/check/']],
  [/^FW8162/, ['src/promotion/']],
  [/^FW82/, ['src/compiler/prove/']],
  [/^FW83/, ['src/compiler/check/', 'src/compiler/compare/', 'src/compiler/plan/']],
  [
    /^FW8(?!04|1[67]|2|3)/,
    [
      'src/compiler/plan/',
      'src/compiler/compare/',
      'src/compiler/emit/',
      'src/compiler/check/overrides/',
      'src/workspace/',
      'src/cli/commands/plan/',
    ],
  ],
  [/^FW804/, ['src/promotion/']],
  [/^FW906/, ['src/compiler/emit/engine-setup/']],
  [/^FW90[0-57]/, ['src/workspace/', 'src/promotion/', 'src/cli/', 'src/testing/']],
  [/^FW908/, ['src/workspace/']],
  [/^FW909[01]/, ['src/workspace/']],
  [/^FW9092/, ['src/cli/commands/new/']],
  [/^FW9093/, ['src/compiler/emit/engine-setup/']],
  [/^FW909[4-9]/, ['src/importer/']],
  [/^FW91[3579]/, ['src/workspace/', 'src/promotion/']],
  [/^FW918[23]/, ['src/compiler/emit/engine-setup/']],
  [/^FW918[45]/, ['src/workspace/']],
  [/^FW91(?![3579]|8[2-5])/, ['src/importer/']],
  [/^FW92/, ['src/cli/commands/controller/']],
];

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
  test('is reported in the folders of its range', () => {
    const files = sources.filter(({ text }) => text.includes(`'${code}'`)).map(({ file }) => file);
    expect(files, `nothing reports ${code}`).not.toEqual([]);
    const [ranges, ...others] = folders.filter(([range]) => range.test(code));
    expect(others).toEqual([]);
    expect(files.filter((file) => ranges?.[1].some((folder) => file.startsWith(folder)) !== true)).toEqual(
      [],
    );
  });
  test('is provoked by a test', () => {
    expect(tests.includes(code), `no test names ${code}`).toBe(true);
  });
});

// The results of a plan without a code have a severity, too: they are changes, not findings. So do the errors that prevent a plan.
const withoutCode = new Set([
  'src/compiler/report/ci/plan-github.ts',
  'src/compiler/report/html/live-plan-html.ts',
  'src/compiler/report/plan-results.ts',
]);

/** Returns a source without doc comments: the templates of policies have a severity in examples, too. */
function withoutComments(file: string): string {
  return readFileSync(path.join(root, file), 'utf8').replaceAll(/^ *\*.*$/gm, '');
}

test('the code table has the severity of every diagnostic', () => {
  const writing = ['src/compiler', 'src/importer', 'src/workspace', 'src/cli', 'src/testing', 'constructs']
    .flatMap((folder) => sourcesBelow(folder))
    .filter((file) => !['src/compiler/model/codes.ts', 'src/compiler/model/diagnostic.ts'].includes(file))
    .filter((file) => !withoutCode.has(file))
    .filter((file) => /\bseverity: *(?:['"`]|codes\b)/.test(withoutComments(file)));
  expect(writing).toEqual([]);
});

test('every page belongs to a code', () => {
  const known = new Set([...Object.keys(codes).map((code) => `${code}.md`), 'README.md']);
  expect(readdirSync(pages).filter((name) => !known.has(name))).toEqual([]);
});
