import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { templates } from '../../src/cli/commands/new/app-templates.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(read('package.json')) as Manifest;

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}
// What `npm run build` made, without building again.
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' }),
) as readonly Packed[];
const files = new Set(packed?.files.map((file) => file.path));

const entries = Object.entries(manifest.exports).flatMap(([name, target]) =>
  typeof target === 'string'
    ? [{ name, kind: 'file', file: path.normalize(target) }]
    : Object.entries(target).map(([kind, file]) => ({ name, kind, file: path.normalize(file) })),
);

/** The code of all commands, whose file the program composes. */
const commands = [...files].filter((file) => /^build\/cli\/parts\/command-\w+\.cjs$/.test(file));

function specifiersOf(file: string): string[] {
  const found = read(file).matchAll(
    /(?:^|[;\n])\s*(?:import|export)\b[^'"`;]*?from\s*['"]([\w@./:-]+)['"]|(?:^|[^.\w])(?:import|require)\s*\(?\s*['"]([\w@./:-]+)['"]/g,
  );
  const specifiers = [...found].map((match) => match[1] ?? match[2] ?? '');
  // The app that init writes is a text in one of the modules, and names the package itself.
  return specifiers.filter((specifier) => specifier !== 'fleetwright');
}

/** Every file that a program which starts at one of these loads, and the packages that it needs for that. */
function reachable(start: readonly string[]): { files: ReadonlySet<string>; packages: ReadonlySet<string> } {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const waiting = [...start];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (!/\.c?[jt]s$/.test(file) || !files.has(file)) continue;
    for (const specifier of specifiersOf(file)) {
      if (specifier.startsWith('.')) {
        const next = path.join(path.dirname(file), specifier);
        // A declaration names the source that it was generated from, or the output of that source; both belong to a declaration.
        waiting.push(file.endsWith('.d.ts') ? next.replace(/(?:\.d)?\.[jt]s$/, '.d.ts') : next);
      } else if (!isBuiltin(specifier)) {
        packages.add(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
      }
    }
  }
  return { files: seen, packages };
}

/** What the bundler made of many modules: readable enough without a map, which would be as large again. */
function isBundled(file: string): boolean {
  return /^build\/cli\/(?:main|app-child)\.js$/.test(file) || file.startsWith('build/cli/parts/');
}

describe('the package', () => {
  test.each(entries)('has the $kind of $name, which is more than an empty module', ({ file }) => {
    expect(files).toContain(file);
    expect(
      read(file)
        .replaceAll(/\/\*.*?\*\/|export \{\};|\/\/[^\n]*/gs, '')
        .trim(),
    ).not.toBe('');
  });

  test('has every file that its commands and exports load, and depends on every package', () => {
    const start = [...Object.values(manifest.bin), ...entries.map(({ file }) => file), ...commands];
    const loaded = reachable(start.map((file) => path.normalize(file)));
    expect(loaded.files.size).toBeGreaterThan(500);
    expect([...loaded.files].filter((file) => !files.has(file))).toEqual([]);
    const known = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }));
    expect([...loaded.packages].filter((name) => !known.has(name))).toEqual([]);
  });

  test('needs no package at run time that is only there for tests of its users', () => {
    const modules = entries.filter(({ kind }) => kind === 'default').map(({ file }) => file);
    const needed = reachable([
      ...modules,
      ...Object.values(manifest.bin).map((file) => path.normalize(file)),
      ...commands,
    ]);
    expect(Object.keys(manifest.peerDependencies).filter((name) => needed.packages.has(name))).toEqual([]);
  });

  test('has the files that init and new write, and no other sources, tests or examples', () => {
    expect(files).toContain('docs/ci/github.yaml');
    expect(files).toContain('docs/ci/gitlab.yaml');
    const copied = Object.entries(templates).flatMap(([name, names]) =>
      names.map((file) => `apps/${name}/${file}`),
    );
    const sources = [...files].filter((file) => /(?<!\.d)\.ts$|^(?:apps|bench|dist|test)\//.test(file));
    expect(sources.toSorted()).toEqual(copied.toSorted());
  });

  test('has the code of all commands in one file', () => {
    expect(commands).toHaveLength(1);
    expect(read('build/cli/main.js')).toContain(path.basename(commands[0] ?? ''));
  });

  test('has a source map with its source for each module', () => {
    const modules = [...files].filter((file) => file.endsWith('.js'));
    expect(modules.filter((file) => !isBundled(file) && !files.has(`${file}.map`))).toEqual([]);
    const { sourcesContent } = JSON.parse(read('build/src/compiler/resolve.js.map')) as {
      sourcesContent?: string[];
    };
    expect(sourcesContent).toEqual([read('src/compiler/resolve.ts')]);
  });

  test('is small', () => {
    expect(packed?.unpackedSize).toBeLessThan(23.5e6);
  });
});
