import { describe, expect, test } from 'vitest';
import { folderWith, runIn } from './terminal.ts';

/** The options of a command according to its help: whether each has a value, and which. */
async function optionsOf(command: readonly string[]): Promise<readonly Option[]> {
  const { out } = await runIn('.', [...command, '--help'], '', { columns: 120 });
  const blocks = out.slice(out.indexOf('\nOptions:')).split(/\n(?= {2}(?:-\w, | {4})--)/);
  return blocks.flatMap((block) => {
    const [, short, name] = /^ {2}(?:-(\w), | {4})--([\w-]+) /.exec(block) ?? [];
    if (name === undefined || name === 'help' || name === 'version') return [];
    const [, choices] = /\[choices: ([^\]]+)\]/.exec(block.replaceAll(/\s+/g, ' ')) ?? [];
    return [
      {
        name,
        short,
        isBoolean: block.includes('[boolean]'),
        isArray: block.includes('[array]'),
        choices: choices?.replaceAll('"', ''),
      },
    ];
  });
}

interface Option {
  readonly name: string;
  readonly short: string | undefined;
  readonly isBoolean: boolean;
  readonly isArray: boolean;
  readonly choices: string | undefined;
}

/** Commands with what they have to be given. */
const commands = [
  ['init'],
  ['synth'],
  ['validate', '-'],
  ['resolve', '-'],
  ['rollout', '-'],
  ['render', 'cluster1', 'hello'],
  ['plan', 'main'],
  ['explain', 'cluster1', 'hello'],
  ['who-uses', 'default/hello'],
  ['who-uses', 'app.ts'],
  ['fleet', 'pull'],
  ['import', '-'],
  ['machine', 'generate'],
  ['machine', 'oci', '--to=artifact'],
  ['controller', 'hub'],
  ['controller', 'agent'],
];

const withOptions = await Promise.all(
  commands.map(async (command) => ({ command: command.join(' '), options: await optionsOf(command) })),
);

describe.each(withOptions)('$command', ({ command, options }) => {
  const words = command.split(' ');
  const run = async (...more: readonly string[]) => await runIn(await folderWith({}), [...words, ...more]);

  test('has options', () => {
    expect(options.length).toBeGreaterThan(0);
  });

  const valued = options.filter(({ name, isBoolean }) => !isBoolean && name !== 'diff');

  test.each(valued)('--$name needs its value', async ({ name, short, choices }) => {
    const hint = choices === undefined ? '' : `  one of: ${choices}\n`;
    const wrong = { code: 2, out: '', err: `fleetwright: --${name} needs a value\n${hint}` };
    expect(await run(`--${name}`)).toEqual(wrong);
    expect(await run(`--${name}=`)).toEqual(wrong);
    expect(await run(`--${name}`, '')).toEqual(wrong);
    expect(await run(`--${name}`, '--help')).toMatchObject({ code: 0 });
    expect(await run(short === undefined ? `--${name}` : `-${short}`)).toEqual(wrong);
  });

  const single = valued.filter(({ isArray }) => !isArray);

  test.each(single)('--$name may be used once', async ({ name, choices = '1' }) => {
    const [value = ''] = choices.split(', ');
    expect(await run(`--${name}`, value, `--${name}`, value)).toEqual({
      code: 2,
      out: '',
      err: `fleetwright: --${name} is used several times\n  use it once\n`,
    });
  });

  test.each(options.filter(({ isBoolean }) => isBoolean))('--$name takes no value', async ({ name }) => {
    expect(await run(`--${name}=maybe`)).toEqual({
      code: 2,
      out: '',
      err: `fleetwright: --${name} cannot be "maybe"\n  it takes no value\n`,
    });
  });
});

test('- is a value, and so are negative numbers', async () => {
  const folder = await folderWith({});
  expect((await runIn(folder, ['fleet', 'pull', '--check', '--out', '-'])).err).toBe(
    'fleetwright: --check compares a file with the hub, not -\n',
  );
  expect((await runIn(folder, ['plan', 'main', '--max-uninstalls', '-1'])).err).not.toContain(
    'needs a value',
  );
});

test('arguments after -- are not options', async () => {
  const namespace = (name: string): string =>
    `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${name} }\n`;
  const folder = await folderWith({ '--output': namespace('a'), 'more.yaml': namespace('b') });
  expect(await runIn(folder, ['validate', '--', '--output', 'more.yaml', '-'], namespace('c'))).toEqual({
    code: 0,
    out: '3 of 3 objects are valid\n',
    err: '',
  });
  expect((await runIn(folder, ['synth', '--', 'metrics'])).err).toBe(
    'fleetwright: no folder apps\n  run the command in a workspace, or set the folder with --apps; fleetwright init creates a workspace\n',
  );
});
