import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/**
 * The folders that a folder may import from, besides itself: the layers of docs/architecture.md, lowest first. Folders that are not
 * listed (apps, bench, docs, editors, test) are imported by no other.
 */
const layers: Readonly<Record<string, readonly string[]>> = layersOf([
  ['src/base'],
  ['schemas'],
  ['src/client', 'src/engines'],
  ['src/ocm'],
  ['constructs', 'src/compiler', 'src/controller'],
  ['src/importer', 'src/page'],
  ['src/workspace'],
  ['src/promotion'],
  ['src/testing', 'src/cli'],
  ['packaging'],
]);

/** Each folder may import all folders of lower rows. Folders of one row are independent of each other. */
function layersOf(rows: readonly (readonly string[])[]): Record<string, readonly string[]> {
  return Object.fromEntries(
    rows.flatMap((row, index) => row.map((folder) => [folder, rows.slice(0, index).flat()])),
  );
}

/** The layer that a file belongs to. */
function layerOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'src' ? `${top}/${second}` : top;
}

/** The phases in the order in which data flows; a later one may read an earlier one's results, never the reverse. */
const phases = [
  'load',
  'admit',
  'revisions',
  'cluster-overrides',
  'place',
  'parameters',
  'configure',
  'rollout',
  'render',
  'application-sets',
  'check',
  'deliver',
  'compare',
  'explain',
  'prove',
  'plan',
  'status',
  'verify',
  'emit',
  'report',
];
/** Foundations inside src/compiler/ that any phase may use. */
const foundations = new Set(['', 'model', 'api', 'masks']);

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
  for (const folder of ['constructs', 'src/compiler', 'src/controller', 'src/cli'])
    expect(imports(folder).length).toBeGreaterThan(10);
  expect(importsOf('src/cli/startup/command-process.ts').map(({ to }) => to)).toContain('src/cli/run.ts');
});

test.each(Object.entries(layers))('%s imports only from the layers below it', (folder, below) => {
  const allowed = new Set([folder, ...below]);
  const others = imports(folder).filter(({ to }) => {
    const isOurs = existsSync(path.join(root, to)) && to.includes('/') && !to.startsWith('..');
    return isOurs && !allowed.has(layerOf(to));
  });
  expect(others).toEqual([]);
});

test.each(Object.entries(layers).filter(([folder]) => folder.startsWith('src/')))(
  'the first page of %s names its entry and what it may import',
  (folder, below) => {
    const page = readFileSync(path.join(root, folder, 'README.md'), 'utf8');
    const allowed = below.map((name) => `\`${name}\``).join(', ') || 'nothing of this repository';
    expect(page).toContain('**Entry**: ');
    expect(page.replaceAll(/\s+/g, ' ')).toContain(`**May import**: ${allowed}.`);
  },
);

test('the table has every folder with source that others import', () => {
  const users = new Set(['apps', 'bench', 'editors', 'test']);
  const foldersIn = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => path.join(folder, name));
  const others = new Set(['build', 'dist', 'node_modules', 'scratch', 'src']);
  const folders = [...foldersIn('').filter((name) => !others.has(name)), ...foldersIn('src')].filter(
    (name) => sourceFiles(name).length > 0 && !users.has(name),
  );
  expect(folders.toSorted()).toEqual(Object.keys(layers).toSorted());
});

/** The names that a module exports from others, as `module name`: what its `export … from` statements list. */
function reexports(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '([^']+)'/gm)].flatMap(
    ([, list = '', from = '']) => {
      const module = path.join(path.dirname(file), from);
      if (list !== '*') return namesIn(list).map((name) => `${module} ${name}`);
      const declared = readFileSync(path.join(root, module), 'utf8').matchAll(
        /^export (?:interface|type|class|function|const) (\w+)/gm,
      );
      return [...reexports(module), ...Array.from(declared, ([, name]) => `${module} ${name}`)];
    },
  );
}

/** The names in the braces of an import or export, without their aliases. */
function namesIn(list: string): string[] {
  return Array.from(list.matchAll(/(?:^|[{,])\s*(?:type\s+)?(\w+)/g), ([, name = '']) => name);
}

test('commands and the workspace use the public entry of the compiler for all its exports', () => {
  const offered = new Set(reexports('src/compiler/index.ts'));
  expect(offered).toContain('src/compiler/resolve.ts resolve');
  expect(offered).toContain('src/compiler/model/diagnostic.ts Diagnostic');
  // Programs that are bundled separately, and what the command loads before it knows which command to run.
  const small = (file: string): boolean =>
    file === 'src/cli/startup/working-folder.ts' || inFolder(file, 'src/workspace/app/child');
  const deep = ['src/cli', 'src/workspace', 'src/testing']
    .flatMap(sourceFiles)
    .filter((file) => !small(file) && file !== 'src/testing/index.ts')
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return [...text.matchAll(/^import (?:type )?(\{[^}]*\}) from '(\.[^']+)'/gm)].flatMap(
        ([, list = '', from = '']) => {
          const module = path.join(path.dirname(file), from);
          const isCompiler = inFolder(module, 'src/compiler');
          return namesIn(list)
            .filter((name) => isCompiler && offered.has(`${module} ${name}`))
            .map((name) => `${file}: ${name} from ${module}`);
        },
      );
    });
  expect(deep).toEqual([]);
});

test('the compiler imports neither cdk8s nor files nor processes', () => {
  const forbidden =
    /^(?:cdk8s|constructs|cdk8s-plus-.*|tsx.*|yargs|picocolors|node:(?!crypto$|util$|buffer$|zlib$).*)$/;
  const lower = ['src/engines', 'src/ocm', 'src/compiler', 'src/importer'].flatMap(imports);
  expect(lower.filter(({ to }) => forbidden.test(to))).toEqual([]);
});

test('the controller reads no YAML, and runs no constructs', () => {
  const forbidden = /^(?:cdk8s|constructs|cdk8s-plus-.*|tsx.*|yargs|picocolors|yaml)$/;
  expect(imports('src/controller').filter(({ to }) => forbidden.test(to))).toEqual([]);
});

test('the agent, which runs on other clusters, imports nothing of the hub, and the hub nothing of the agent', () => {
  const across = imports('src/controller').filter(
    ({ from, to }) =>
      (inFolder(from, 'src/controller/agent') && inFolder(to, 'src/controller/hub')) ||
      (inFolder(from, 'src/controller/hub') && inFolder(to, 'src/controller/agent')),
  );
  expect(across).toEqual([]);
});

test('the page takes types from the compiler, and nothing else from the house', () => {
  const outside = imports('src/page').filter(
    ({ from, to }) => from !== 'src/page/generate.ts' && !inFolder(to, 'src/page'),
  );
  expect(new Set(outside.map(({ to }) => to))).toEqual(
    new Set(['src/compiler/report/html/plan-page-data.ts']),
  );
});

test('inside the compiler data flows one way', () => {
  const all = imports('src/compiler').filter(({ to }) => inFolder(to, 'src/compiler'));
  const folderOf = (file: string): string => {
    const [, , folder = '', rest] = file.split('/');
    return rest === undefined ? '' : folder;
  };
  // Any folder may import a file directly in src/compiler/, unless the file runs phases: then only the folders after those phases may.
  const pipeline = new Set<string>();
  const runs = ({ from, to }: Import): boolean =>
    folderOf(from) === '' && !pipeline.has(from) && (phases.includes(folderOf(to)) || pipeline.has(to));
  for (let found = all.find(runs); found; found = all.find(runs)) pipeline.add(found.from);
  expect(pipeline).toContain('src/compiler/resolve.ts');

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
  const folders = readdirSync(path.join(root, 'src/compiler'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  expect(
    folders.map(({ name }) => name).filter((name) => !phases.includes(name) && !foundations.has(name)),
  ).toEqual([]);
});
