import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };

/** The project of each suite in vitest.config.ts, by the script that runs it. */
const suites = new Map(
  Object.entries(scripts)
    .filter(([name]) => name === 'test' || name.startsWith('test:'))
    .map(([name, command]) => [
      name === 'test' ? 'npm test' : `npm run ${name}`,
      /--project (\S+)/.exec(command)?.[1],
    ]),
);

interface Project {
  readonly test: {
    readonly name: string;
    readonly include: readonly string[];
    readonly exclude?: readonly string[];
  };
}

function matches(file: string, globs: readonly string[] = []): boolean {
  return globs.some((glob) =>
    new RegExp(
      `^${glob.replaceAll('.', '\\.').replaceAll('**/', '§').replaceAll('**', '¶').replaceAll('*', '[^/]*').replaceAll('§', '(?:.*/)?').replaceAll('¶', '.*')}$`,
    ).test(file),
  );
}

test('every test file belongs to exactly one suite', async () => {
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts') && !file.includes('/node_modules/'));
  const { default: config } = (await import(path.join(root, 'vitest.config.ts'))) as {
    default: { test: { projects: readonly Project[] } };
  };
  const projects = config.test.projects.map((project) => project.test);
  expect(new Set(suites.values())).toEqual(new Set(projects.map(({ name }) => name)));
  const suitesOf = (file: string): string[] =>
    projects
      .filter(({ include, exclude }) => matches(file, include) && !matches(file, exclude))
      .map(({ name }) => name);
  expect(files.length).toBeGreaterThan(250);
  expect(files.filter((file) => suitesOf(file).length !== 1)).toEqual([]);
  for (const { name, include } of projects) {
    const unmatched = include.filter((glob) => !files.some((file) => matches(file, [glob])));
    expect({ name, unmatched }).toEqual({ name, unmatched: [] });
  }
});

describe.each([...suites.keys()])('%s', (suite) => {
  test('is run and counted by .ci/run', () => {
    const script = suite.split(' ').at(-1) ?? '';
    const ciRun = read('.ci/run');
    // `attempt` and `count` are the parts of `suite`, for one that runs beside others
    expect(ciRun).toMatch(new RegExp(`^ *(?:suite|attempt) ${script}(?: .*)?$`, 'm'));
    expect(ciRun).toMatch(new RegExp(`^ *(?:suite|count) ${script}(?: .*)?$`, 'm'));
  });

  test('is run for forks', () => {
    expect(read('.github/workflows/ci.yaml')).toMatch(new RegExp(`- run: .*${suite}$`, 'm'));
  });

  test('is described in CONTRIBUTING', () => {
    expect(read('CONTRIBUTING.md')).toContain(`\`${suite}\``);
  });
});
