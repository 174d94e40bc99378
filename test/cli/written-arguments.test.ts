import { describe, expect, test } from 'vitest';
import { writtenArguments } from '../../src/cli/written-arguments.ts';
import { folderWith, runIn } from './terminal.ts';

describe('forms of a command line', () => {
  test.each([
    ['resolve app -oyaml', 'resolve app -o yaml'],
    ['plan HEAD -omarkdown=plan.md', 'plan HEAD -o markdown=plan.md'],
    ['plan HEAD -o=json', 'plan HEAD -o=json'],
    ['validate -- -oyaml', 'validate -- -oyaml'],
    ['help plan', 'plan --help'],
    ['help', '--help'],
  ])('%s is read as %s', (written, read) => {
    expect(writtenArguments(written.split(' ')).join(' ')).toBe(read);
  });

  test('help COMMAND prints the help of the command', async () => {
    const cwd = await folderWith({});
    const { code, out } = await runIn(cwd, ['help', 'who-uses']);
    expect({ code, out }).toEqual(
      await runIn(cwd, ['who-uses', '--help']).then(({ code: c, out: o }) => ({ code: c, out: o })),
    );
    expect(out).toContain('fleetwright who-uses');
  });

  test('a value may follow -o without a space', async () => {
    const cwd = await folderWith({
      'empty.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n',
    });
    expect(await runIn(cwd, ['resolve', 'empty.yaml', '-ojson'])).toEqual(
      await runIn(cwd, ['resolve', 'empty.yaml', '-o', 'json']),
    );
  });
});
