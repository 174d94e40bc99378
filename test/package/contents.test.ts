import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { exampleFiles } from '../../src/cli/commands/new/example-app.ts';
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
  readonly size: number;
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

/** The program of the processes that run apps. */
const child = 'build/cli/app-child.js';
/** The code of all commands, which the program reads. */
const singleFile = 'build/fleetwright.mjs';

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
    const start = [...Object.values(manifest.bin), ...entries.map(({ file }) => file), child];
    const loaded = reachable(start.map((file) => path.normalize(file)));
    expect(loaded.files.size).toBeGreaterThan(200);
    expect([...loaded.files].filter((file) => !files.has(file))).toEqual([]);
    const known = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }));
    expect([...loaded.packages].filter((name) => !known.has(name))).toEqual([]);
  });

  test('needs no package at run time that is only there for tests of its users', () => {
    const modules = entries.filter(({ kind }) => kind === 'default').map(({ file }) => file);
    const needed = reachable([
      ...modules,
      ...Object.values(manifest.bin).map((file) => path.normalize(file)),
      child,
    ]);
    expect([...needed.packages]).not.toContain('vitest');
  });

  test('depends on the packages that its exports load, and on no other', () => {
    const { packages } = reachable([...entries.map(({ file }) => file), child]);
    expect(Object.keys(manifest.dependencies).filter((name) => !packages.has(name))).toEqual([]);
  });

  test('has no sources, tests or examples: the command contains the files that it writes', () => {
    expect([...files].filter((file) => /(?<!\.d)\.ts$|^(?:apps|bench|dist|test)\//.test(file))).toEqual([]);
    const program = read(singleFile);
    expect(files).toContain(singleFile);
    for (const name of Object.keys(templates)) expect(program).toContain(`apps/${name}/app.ts`);
    for (const name of [
      ...exampleFiles,
      'docs/ci/github.yaml',
      'docs/ci/gitlab.yaml',
      'docs/ci/Jenkinsfile',
      'docs/ci/tekton.yaml',
      'docs/diagnostics/FW1001.md',
    ])
      expect(program).toContain(name);
  });

  test('has no module twice: JavaScript only in bundles, and declarations that users can reach', () => {
    const modules = [...files].filter((file) => /\.[cm]?js$/.test(file));
    expect(modules.length).toBeLessThan(15);
    expect([...files].filter((file) => file.endsWith('.map'))).toEqual([]);
    const types = reachable(entries.filter(({ kind }) => kind === 'types').map(({ file }) => file)).files;
    expect([...files].filter((file) => file.endsWith('.d.ts') && !types.has(file))).toEqual([]);
  });

  test('is small', () => {
    expect(packed?.size).toBeLessThan(3.4e6);
    expect(packed?.unpackedSize).toBeLessThan(14.5e6);
    expect(files.size).toBeLessThan(400);
  });
});
