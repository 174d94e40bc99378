import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  readonly version: string;
  readonly repository: { readonly url: string };
  readonly bugs: { readonly url: string };
  readonly homepage: string;
  readonly files: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
};
const [, repository = ''] =
  /^git\+(https:\/\/github\.com\/[\w-]+\/[\w-]+)\.git$/.exec(manifest.repository.url) ?? [];

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>
  >;
}
const workflows = readdirSync(path.join(root, '.github/workflows'));
const stepsOf = (name: string): Workflow['jobs'][string]['steps'] =>
  Object.values((parse(read(`.github/workflows/${name}`)) as Workflow).jobs).flatMap(({ steps }) => steps);

describe('package.json', () => {
  test('names one repository, also for bugs and as homepage', () => {
    expect(repository).not.toBe('');
    expect(manifest.bugs.url).toBe(`${repository}/issues`);
    expect(manifest.homepage).toBe(`${repository}#readme`);
    expect(read('CONTRIBUTING.md')).toContain(`--repo ${repository.replace('https://github.com/', '')}`);
  });
});

describe.each(workflows)('the workflow %s', (name) => {
  test('pins each action by commit, and grants rights per job', () => {
    const used = stepsOf(name).flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
    expect((parse(read(`.github/workflows/${name}`)) as Workflow).permissions).toEqual({ contents: 'read' });
  });
});

describe('the release', () => {
  const commands = stepsOf('release.yaml')
    .map(({ run = '' }) => run)
    .join('\n');

  test('publishes what the package contains', () => {
    expect(commands).toContain('npm publish --provenance');
    const [, dockerfile = ''] = /--file package\/(\S+)/.exec(commands) ?? [];
    expect(manifest.files).toContain(dockerfile);
    for (const [file] of commands.matchAll(/\bbuild\/[\w.]+/g))
      expect(existsSync(path.join(root, file))).toBe(true);
    expect(commands).toContain('SHA256SUMS');
  });

  test('has a section in the changelog for each version', () => {
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${manifest.version.replaceAll('.', '\\.')}$`, 'm'));
    expect(read('CHANGELOG.md')).toMatch(/^## Unreleased$/m);
  });
});

test('the update bot skips releases only of packages that the project uses', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    readonly updates: readonly { readonly ignore?: readonly { readonly 'dependency-name': string }[] }[];
  };
  const ignored = updates.flatMap(({ ignore = [] }) => ignore.map((entry) => entry['dependency-name']));
  const patterns = ignored.map((name) => new RegExp(`^${name.replaceAll('*', '.*')}$`));
  const packages = Object.keys(manifest.devDependencies);
  expect(patterns.filter((pattern) => !packages.some((name) => pattern.test(name)))).toEqual([]);
});
