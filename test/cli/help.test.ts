import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { version } from '../../src/workspace/version.ts';
import { runIn } from './terminal.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/commands.md'), 'utf8');

async function help(commandLine: readonly string[], columns?: number): Promise<string> {
  const { code, out, err } = await runIn(
    '.',
    [...commandLine, '--help'],
    '',
    columns === undefined ? {} : { columns },
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

const overview = await help([], 120);
const commands = [...overview.matchAll(/^ {2}fleetwright ([\w-]+)/gm)].map(([, name = '']) => name);

test('lists the commands in groups', () => {
  const groups = overview
    .split('\n\n')
    .filter((part) => part.includes('\n  fleetwright '))
    .map((part) => part.split('\n').flatMap((line) => /^(?:  fleetwright )?([\w-]+)/.exec(line)?.[1] ?? []));
  expect(groups).toEqual([
    ['Begin', 'init', 'new', 'import', 'fleet', 'doctor', 'completion'],
    ['Change', 'synth', 'validate', 'plan', 'revert'],
    ['Look', 'explain', 'who-uses', 'resolve', 'rollout', 'prove', 'render', 'diff', 'status', 'verify'],
    ['Release', 'promote'],
    ['Integrate', 'lsp', 'mcp', 'machine', 'controller'],
  ]);
});

test('lists the commands and the first steps', () => {
  expect(commands).toContain('init');
  expect(commands.length).toBeGreaterThan(10);
  expect(overview).toContain('To begin: fleetwright init.');
});

describe.each(commands)('%s', (command) => {
  test.each([80, 120])('fits into %i columns', async (columns) => {
    const tooLong = (await help([command], columns)).split('\n').filter((line) => line.length > columns);
    expect(tooLong).toEqual([]);
  });

  test('has examples, and its positionals before its options', async () => {
    const text = await help([command]);
    expect(text).toMatch(/\nExamples:\n {2}\S/);
    expect(text.indexOf('Positionals:')).toBeLessThan(text.indexOf('Options:'));
    expect(text).not.toContain('[default: []]');
  });

  test('has examples that a shell takes as they are printed', async () => {
    for (const columns of [80, 120]) {
      const [, printed = ''] = (await help([command], columns)).split('\nExamples:\n');
      const lines = (printed.split('\n\n')[0] ?? '')
        .replaceAll(/ \\\n */g, ' ')
        .trimEnd()
        .split('\n');
      expect(lines.length % 2).toBe(0);
      lines.forEach((line, index) =>
        expect(line).toMatch(
          index % 2 === 0
            ? /^ {2}# \S/
            : new RegExp(`^  \\S.*\\bfleetwright ${command}\\b|^  fleetwright ${command}\\b`),
        ),
      );
    }
  });

  test('is on the page of all commands', () => {
    expect(page).toMatch(new RegExp(`\`(?:fleetwright )?${command}\\b`));
  });
});

test('continues after a backslash if an example is too long for the terminal', async () => {
  expect(await help(['explain'], 80)).toContain(
    [
      '  # the source of a rendered value',
      '  fleetwright explain cluster1 helloworld \\',
      "    'Deployment/agent .spec.template.spec.containers[0].image'",
      '',
    ].join('\n'),
  );
  expect(await help(['controller', 'agent'], 80)).toContain(
    [
      '  fleetwright controller agent --add-on hello \\',
      '    --probe http://127.0.0.1:8080/healthz',
      '',
    ].join('\n'),
  );
});

test('is the same in every language of the user', async () => {
  vi.stubEnv('LC_ALL', 'de_DE.UTF-8');
  try {
    expect(await help([], 120)).toBe(overview);
    expect((await runIn('.', ['render'])).err).toBe(
      'fleetwright: missing cluster or add-on\n  fleetwright render CLUSTER ADDON\n',
    );
  } finally {
    vi.unstubAllEnvs();
  }
});

test('--version prints the version alone', async () => {
  expect(await runIn('.', ['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
});
