import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const ask = pathToFileURL(path.join(root, 'cli/ask.ts')).href;
const program = `
  import { ask } from ${JSON.stringify(ask)};
  try {
    for (const question of ['Which forge?', 'Which engine?']) console.log(await ask(question, 'none'));
  } catch (error) {
    console.log(error.name + ': ' + error.message);
  }
`;

/** Runs it in a process of its own: readline reads the standard input of the process. */
function answers(input: string): { out: string; err: string } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { cwd: root, encoding: 'utf8', input },
  );
  return { out: stdout, err: stderr };
}

test('asks on standard error, and ends in a sentence where the input ends', () => {
  expect(answers('  github \n')).toEqual({
    out: 'github\nCommandError: no answer was given, and nothing was written\n',
    err: 'Which forge? [none] Which engine? [none] \n',
  });
});

test('takes the default for an empty line', () => {
  expect(answers('\n').out).toMatch(/^none\n/);
});
