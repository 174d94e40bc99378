import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Words that readers of English as a second language stumble over, and the plain ones. */
const replacements: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(?:told|tells)\b/i, 'reported, reports or describes'],
  [/\bwhoever\b/i, 'anyone who, the user or the caller'],
  [/\b(?:say|says|said) of\b/i, 'describes, the text about'],
  [/\bof (?:its|their) own\b(?! \w)/i, 'its own, or separate'],
  [/\blook(?:s|ed)? after\b/i, 'manages'],
  [/\bone too many\b/i, 'duplicate'],
  [/(?<!\bthere )\b(?:is|are) none\b/i, 'is not a valid …, or has no …'],
  [/\bstands? (?:in|there|for|at|before|after|beside|above|below)\b/i, 'is in, or is defined in'],
  [/\bfor ever\b/i, 'indefinitely'],
  [/\bso many\b/i, 'the number of'],
  [/\bat hand\b/i, 'available'],
  [/\bheld against\b|\bholds? \w+ against\b/i, 'compare with'],
  [/\bcolour(?:s|ed)?\b/i, 'color'],
  [/\bbehaviours?\b/i, 'behavior'],
  [/\blicences?\b/i, 'license'],
  [/\bcancell(?:ed|ing)\b/i, 'canceled, canceling'],
  [/\blabell(?:ed|ing)\b/i, 'labeled, labeling'],
  [/\bmisspelt\b/i, 'misspelled'],
  [/\b(?:recogni|organi|normali|initiali|summari)s(?:e|es|ed|ing|ation)\b/i, '-ize'],
];

/** The files of a folder, without the programs that the tests build or install. */
function files(folder: string, ends: RegExp): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ends.test(name) && !name.split(path.sep).includes('bin'))
    .map((name) => path.join(folder, name));
}

/** The lines of a page, without blocks of code and code in a sentence. */
function proseOf(text: string): readonly string[] {
  const withoutBlocks = text.replaceAll(/^( *)(```+)[\s\S]*?^\1\2$/gm, (block) =>
    block.replaceAll(/.+/g, ''),
  );
  return withoutBlocks
    .split('\n')
    .map((line) => line.replaceAll(/`[^`]*`/g, '').replaceAll(/\]\([^)]*\)/g, ']'));
}

/** The texts in quotes of each line of a module: most of what a command prints. Comments and imports are left out. */
function textsOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) =>
      /^\s*(?:\/?\*|\/\/)|\bfrom '/.test(line)
        ? ''
        : [...line.matchAll(/'([^']*)'|"([^"]*)"|`([^`]*)`/g)]
            .map(([, a, b, c]) => (a ?? b ?? c ?? '').replaceAll(/\$\{[^}]*\}/g, ''))
            .join(' '),
    );
}

/** The titles of the tests in a file, each at the line where it begins. */
function titlesOf(text: string): readonly string[] {
  const lines = text.split('\n').map(() => '');
  const titles = /(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:(?!\1).)*)\1,/g;
  for (const { index, 2: title = '' } of text.matchAll(titles))
    lines[text.slice(0, index).split('\n').length - 1] = title;
  return lines;
}

/** The comments of a module, each at its line. */
function commentsOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => (/^\s*(?:\/\*\*|\*|\/\/)(?:\s|$)/.test(line) ? line.replaceAll(/`[^`]*`/g, '') : ''));
}

/** Each use of such a word, as `file:line: "word": write …`. */
function uses(file: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, index) =>
    replacements.flatMap(([word, instead]) => {
      const [found] = word.exec(line) ?? [];
      return found === undefined ? [] : [`${file}:${index + 1}: "${found}": write ${instead}`];
    }),
  );
}

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

test.each([...files('docs', /\.md$/), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md'])(
  '%s is in plain English',
  (file) => {
    expect(uses(file, proseOf(read(file)))).toEqual([]);
  },
);

test.each(
  ['cli', 'workspace', 'importer', 'engines', 'ocm', 'base', 'client', 'compiler'].flatMap((folder) =>
    files(`src/${folder}`, /(?<!\.gen)\.ts$/),
  ),
)('the texts of %s are in plain English', (file) => {
  expect(uses(file, textsOf(read(file)))).toEqual([]);
});

test.each(files('test', /\.test\.ts$/).filter((file) => !file.startsWith('test/gitops/')))(
  'the titles of %s are in plain English',
  (file) => {
    expect(uses(file, titlesOf(read(file)))).toEqual([]);
  },
);

test.each(
  ['bench', 'constructs', 'packaging', 'schemas', 'src', 'test'].flatMap((folder) =>
    files(folder, /(?<!\.gen)\.ts$/),
  ),
)('the comments of %s are in plain English', (file) => {
  expect(uses(file, commentsOf(read(file)))).toEqual([]);
});

test('a word to avoid is reported with its line, and not in code', () => {
  const page = ['The hub tells why.', '', '```yaml', 'a: told', '```', '', 'It is `told`, for ever.'].join(
    '\n',
  );
  expect(uses('page.md', proseOf(page))).toEqual([
    'page.md:1: "tells": write reported, reports or describes',
    'page.md:7: "for ever": write indefinitely',
  ]);
  expect(uses('module.ts', textsOf("const told = 'whoever writes';\n// told"))).toEqual([
    'module.ts:1: "whoever": write anyone who, the user or the caller',
  ]);
  const titles = "// told\ntest('is told', () => {});\ntest.each([1])(\n  'gives %s for ever',";
  expect(uses('module.test.ts', titlesOf(titles))).toEqual([
    'module.test.ts:2: "told": write reported, reports or describes',
    'module.test.ts:3: "for ever": write indefinitely',
  ]);
});
