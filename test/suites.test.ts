import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };

/** The configuration file of each suite, by the script that runs it. */
const suites = new Map(
  Object.entries(scripts)
    .filter(([name]) => name === 'test' || name.startsWith('test:'))
    .map(([name, command]) => [
      name === 'test' ? 'npm test' : `npm run ${name}`,
      /--config (\S+)/.exec(command)?.[1] ?? 'vitest.config.ts',
    ]),
);

interface Files {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
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
  const configurations = await Promise.all(
    [...suites].map(async ([suite, file]) => {
      const { default: config } = (await import(path.join(root, file))) as { default: { test: Files } };
      return { suite, ...config.test };
    }),
  );
  const suitesOf = (file: string): string[] =>
    configurations
      .filter(({ include, exclude }) => matches(file, include) && !matches(file, exclude))
      .map(({ suite }) => suite);
  expect(files.length).toBeGreaterThan(250);
  expect(files.filter((file) => suitesOf(file).length !== 1)).toEqual([]);
  for (const { suite, include } of configurations) {
    const unmatched = include.filter((glob) => !files.some((file) => matches(file, [glob])));
    expect({ suite, unmatched }).toEqual({ suite, unmatched: [] });
  }
});

describe.each([...suites.keys()])('%s', (suite) => {
  test('is run and counted by .ci/run', () => {
    const script = suite.split(' ').at(-1) ?? '';
    expect(read('.ci/run')).toMatch(new RegExp(`^ *suite ${script}$`, 'm'));
  });

  test('is run for forks', () => {
    expect(read('.github/workflows/ci.yaml')).toMatch(new RegExp(`- run: .*${suite}$`, 'm'));
  });

  test('is described in CONTRIBUTING', () => {
    expect(read('CONTRIBUTING.md')).toContain(`\`${suite}\``);
  });
});
