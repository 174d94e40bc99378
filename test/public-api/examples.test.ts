import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as fleetwright from '../../constructs/index.ts';
import { Declarations } from './declarations.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** An example of a doc comment. */
interface Example {
  /** The file and line where it is written. */
  readonly location: string;
  /** A name for its own file. */
  readonly name: string;
  readonly code: string;
}

/** Returns the examples in the doc comments of the constructs: what follows `@example`, up to the next tag or the end. */
function examples(): Example[] {
  const folder = path.join(root, 'constructs');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      return [...text.matchAll(/^ *\* @example\n(?<lines>(?: *\*(?!\/)(?! @).*\n)+)/gm)].map((match) => {
        const line = text.slice(0, match.index).split('\n').length;
        const code = (match.groups?.['lines'] ?? '').replaceAll(/^ *\* ?/gm, '');
        const name = `${file.replace(/\.ts$/, '').replaceAll('/', '-')}-${line}`;
        return { location: `constructs/${file}:${line}`, name, code };
      });
    });
}

/** Returns a module that runs an example in a chart, as an app would. */
function program({ code }: Example): string {
  const names = Object.keys(fleetwright).filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  return `import { ${[...new Set([...names, 'App', 'Chart'])].join(', ')} } from 'fleetwright';

export const app = new App();
const chart = new Chart(app, 'chart', { namespace: 'hello' });
void chart;
{
${code}}
`;
}

/** Without their internal fields, the fluent parts would be alike. */
const misuse = `import { App, Chart, ManagedCluster, Placement, Taint, Toleration } from 'fleetwright';

const chart = new Chart(new App(), 'chart');
// @ts-expect-error: a taint is not a toleration
new Placement(chart, 'placement', { tolerations: [Taint.noSelect('maintenance')] });
// @ts-expect-error: a toleration is not a taint
new ManagedCluster(chart, 'cluster', { taints: [Toleration.unreachable()] });
`;

const all = examples();
let folder = '';

beforeAll(() => {
  // Inside the repository, the package's name resolves to its build.
  mkdirSync(path.join(root, 'scratch'), { recursive: true });
  folder = mkdtempSync(path.join(root, 'scratch/examples-'));
  // What the examples of sources of manifests read.
  cpSync(path.join(root, 'apps/helloworld-chart/chart'), path.join(folder, 'chart'), { recursive: true });
  cpSync(path.join(root, 'apps/helloworld-chart/manifests'), path.join(folder, 'manifests'), {
    recursive: true,
  });
  for (const example of all) writeFileSync(path.join(folder, `${example.name}.ts`), program(example));
  writeFileSync(path.join(folder, 'misuse.ts'), misuse);
  const compilerOptions = { noUnusedLocals: false, paths: {} };
  const tsconfig = { extends: '../../tsconfig.json', compilerOptions, include: ['*.ts'], exclude: [] };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('each construct and each fluent part has an example', () => {
  const declarations = new Declarations();
  const classes = declarations.exportsOf('fleetwright').filter(({ name }) => isConcrete(name));
  declarations.close();
  expect(classes.length).toBeGreaterThan(30);
  expect(classes.filter(({ tags }) => !tags.includes('example')).map(({ name }) => name)).toEqual([]);
});

/** Whether a name is a class, or an object such as `Variable` that is written like one. */
function isConcrete(name: string): boolean {
  const isAbstract = name === 'OcmObject' || name === 'NamespacedObject';
  return /^[A-Z]/.test(name) && name in fleetwright && !isAbstract;
}

test('the examples compile with the declarations of the package, and wrong parts do not', async () => {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const compiled = promisify(execFile)(process.execPath, [tsc, '-p', folder], { cwd: root });
  const errors = await compiled.then(
    () => '',
    (error: unknown) => (error as { readonly stdout: string }).stdout,
  );
  expect(errors).toBe('');
});

describe('the example', () => {
  test.each(all)('of $location runs', async ({ name }) => {
    const module = (await import(pathToFileURL(path.join(folder, `${name}.ts`)).href)) as {
      readonly app: fleetwright.App;
    };
    expect(fleetwright.collect(module.app).errors.map(({ message }) => message)).toEqual([]);
  });
});
