import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** The phases in the order in which data flows; a later one may read an earlier one's results, never the reverse. */
const phases = [
  'load',
  'admit',
  'override',
  'place',
  'configure',
  'rollout',
  'render',
  'check',
  'deliver',
  'plan',
  'emit',
  'import',
  'report',
];
/** Foundations inside compiler/ that any phase may use. */
const foundations = new Set(['', 'api', 'cel', 'syntax']);

interface Import {
  readonly from: string;
  readonly to: string;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name));
}

/** Every import of a file: relative ones as paths from the root, others as they are written. */
function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const specifiers = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|[^.\w])import\s*\(?\s*['"]([^'"]+)['"]/g,
  );
  return [...specifiers].map((match) => {
    const specifier = match[1] ?? match[2] ?? '';
    return {
      from: file,
      to: specifier.startsWith('.') ? path.join(path.dirname(file), specifier) : specifier,
    };
  });
}

function imports(folder: string): Import[] {
  return sourceFiles(folder).flatMap(importsOf);
}

const inFolder = (file: string, folder: string): boolean => file.startsWith(`${folder}/`);

test('the scan sees imports in every folder', () => {
  for (const folder of ['constructs', 'compiler', 'controller', 'cli'])
    expect(imports(folder).length).toBeGreaterThan(10);
  expect(importsOf('cli/main.ts').map(({ to }) => to)).toContain('cli/run.ts');
});

/** The folders that a folder may import from, besides itself. */
const layers: Readonly<Record<string, readonly string[]>> = {
  encoding: ['schemas'],
  kubernetes: ['encoding'],
  schemas: ['encoding'],
  ocm: ['encoding', 'kubernetes', 'schemas'],
  constructs: ['encoding', 'kubernetes', 'schemas', 'ocm'],
  compiler: ['encoding', 'kubernetes', 'schemas', 'ocm'],
  controller: ['encoding', 'kubernetes', 'schemas', 'ocm'],
  page: ['compiler'],
  cli: ['encoding', 'kubernetes', 'schemas', 'ocm', 'constructs', 'compiler', 'controller'],
  testing: ['encoding', 'kubernetes', 'schemas', 'ocm', 'constructs', 'compiler', 'cli'],
};

test.each(Object.entries(layers))('%s imports only from the layers below it', (folder, below) => {
  const allowed = new Set([folder, ...below]);
  const others = imports(folder).filter(({ to }) => {
    const [top = ''] = to.split('/');
    return existsSync(path.join(root, to)) && to.includes('/') && !to.startsWith('..') && !allowed.has(top);
  });
  expect(others).toEqual([]);
});

test('the compiler knows neither cdk8s nor files nor processes', () => {
  const forbidden =
    /^(?:cdk8s|constructs|cdk8s-plus-.*|tsx.*|yargs|picocolors|node:(?!crypto$|util$|buffer$).*)$/;
  expect(imports('compiler').filter(({ to }) => forbidden.test(to))).toEqual([]);
  expect(
    imports('compiler').filter(({ to }) => /^(?:cli|constructs|controller|apps|test)\//.test(to)),
  ).toEqual([]);
});

test('constructs import no phase', () => {
  expect(imports('constructs').filter(({ to }) => /^(?:compiler|cli|controller|test)\//.test(to))).toEqual(
    [],
  );
});

test('the controller knows neither the compiler nor constructs', () => {
  const forbidden = /^(?:cdk8s|constructs|cdk8s-plus-.*|tsx.*|yargs|picocolors|yaml)$/;
  const found = imports('controller').filter(({ to }) => forbidden.test(to));
  // A kubeconfig is YAML; all other YAML is read before the controller begins.
  expect(found.filter(({ from }) => from !== 'controller/kube/kubeconfig/entries.ts')).toEqual([]);
  expect(
    imports('controller').filter(({ to }) => /^(?:cli|compiler|constructs|apps|test|testing)\//.test(to)),
  ).toEqual([]);
});

test('schemas and encodings import nothing of the house but shapes', () => {
  expect(
    [...imports('schemas'), ...imports('encoding')].filter(({ to }) =>
      /^(?:compiler|constructs|cli|controller|test)\//.test(to),
    ),
  ).toEqual([]);
});

test('the page takes types from the compiler, and nothing else from the house', () => {
  const outside = imports('page').filter(
    ({ from, to }) => from !== 'page/generate.ts' && !inFolder(to, 'page'),
  );
  expect(new Set(outside.map(({ to }) => to))).toEqual(new Set(['compiler/report/plan-page-data.ts']));
});

test('inside the compiler data flows one way', () => {
  const all = imports('compiler').filter(({ to }) => inFolder(to, 'compiler'));
  const folderOf = (file: string): string => {
    const [, folder = '', rest] = file.split('/');
    return rest === undefined ? '' : folder;
  };
  // What stands directly in compiler/ is for all, unless it runs phases: then it is for those that come after what it runs.
  const pipeline = new Set<string>();
  const runs = ({ from, to }: Import): boolean =>
    folderOf(from) === '' && !pipeline.has(from) && (phases.includes(folderOf(to)) || pipeline.has(to));
  for (let found = all.find(runs); found; found = all.find(runs)) pipeline.add(found.from);
  expect(pipeline).toContain('compiler/resolve.ts');

  const backward = all.filter(({ from, to }) => {
    const [reader, read] = [folderOf(from), folderOf(to)];
    if (pipeline.has(from) || reader === read) return false;
    const position = phases.indexOf(reader);
    if (pipeline.has(to)) return position <= phases.indexOf('check');
    return !foundations.has(read) && phases.indexOf(read) >= position;
  });
  expect(backward).toEqual([]);
});

test('every folder of the compiler is a phase or a foundation', () => {
  const folders = readdirSync(path.join(root, 'compiler'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  expect(
    folders.map(({ name }) => name).filter((name) => !phases.includes(name) && !foundations.has(name)),
  ).toEqual([]);
});
