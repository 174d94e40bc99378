// Makes the edit of a document in the current folder, as a reader does in an editor. Standard input is a diff without line numbers:
// the file after `---`, and hunks after lines with `@@`. The lines of a hunk must be in one place of the file; those of a hunk
// whose `@@` line has the word "each" may be in several.
import { readFileSync, writeFileSync } from 'node:fs';

const lines = readFileSync(0, 'utf8').trimEnd().split('\n');
const file = /^--- (\S+)$/.exec(lines[0] ?? '')?.[1];
if (file === undefined || lines[1] !== `+++ ${file}`) throw new Error('the edit names no file');

/** @type {{ isForEach: boolean, lines: string[] }[]} */
const hunks = [{ isForEach: false, lines: [] }];
for (const line of lines.slice(2)) {
  if (line.startsWith('@@')) hunks.push({ isForEach: /\beach\b/.test(line), lines: [] });
  else hunks.at(-1)?.lines.push(line);
}

let text = `\n${readFileSync(file, 'utf8')}`;
for (const hunk of hunks.filter(({ lines }) => lines.length > 0)) {
  const [before, after] = ['-', '+'].map((sign) =>
    hunk.lines
      .filter((line) => line[0] === sign || line[0] === ' ')
      .map((line) => `${line.slice(1)}\n`)
      .join(''),
  );
  const parts = text.split(`\n${before}`);
  if (parts.length < 2) throw new Error(`${file} does not have the lines\n${before}`);
  if (parts.length > 2 && !hunk.isForEach) throw new Error(`${file} has several times the lines\n${before}`);
  text = parts.join(`\n${after}`);
}
writeFileSync(file, text.slice(1));
