import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const ask = pathToFileURL(path.join(root, 'src/cli/terminal/ask.ts')).href;
const program = `
  import { ask } from ${JSON.stringify(ask)};
  try {
    for (const question of ['Which forge?', 'Which engine?']) console.log(await ask(question, 'none'));
  } catch (error) {
    console.log(error.name + ': ' + error.message);
  }
`;

/** Runs it in a separate process: readline reads the standard input of the process. */
function answers(input: string): { out: string; err: string } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { cwd: root, encoding: 'utf8', input },
  );
  return { out: stdout, err: stderr };
}

test('prompts on standard error, and ends with a sentence if the input ends', () => {
  expect(answers('  github \n')).toEqual({
    out: 'github\nUserError: no answer; nothing was written\n',
    err: 'Which forge? [none] Which engine? [none] \n',
  });
});

test('takes the default for an empty line', () => {
  expect(answers('\n').out).toMatch(/^none\n/);
});

// What readline does at a terminal, without one.
const terminal = `
  process.stdin.isTTY = true;
  process.stdin.setRawMode = () => process.stdin;
  process.stderr.isTTY = true;
`;

test('echoes the input at a terminal once, for any prompt', async () => {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', terminal + program],
    {
      cwd: root,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  let shown = '';
  const typed = new Map([
    ['Which forge?', 'github\r'],
    ['Which engine?', 'flux\r'],
  ]);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    for (const [question, answer] of typed) {
      if (!shown.includes(`${question} [none] `)) continue;
      typed.delete(question);
      child.stdin.write(answer);
    }
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await once(child, 'close');
  expect(out).toBe('github\nflux\n');
  // Echoes come letter by letter, with what moves the cursor between them.
  // oxlint-disable-next-line no-control-regex -- the codes of terminals begin with one
  const letters = shown.replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, '');
  expect(letters.match(/fl/g)).toHaveLength(1);
  expect(letters).not.toMatch(/ff|uu/);
});
