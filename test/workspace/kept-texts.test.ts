import { rename, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { KeptTexts } from '../../src/workspace/inputs/kept-texts.ts';
import { folderWith } from '../cli/terminal.ts';

const day = 86_400_000;

/** Reads a file through kept texts, and counts the readings. */
class CountedReader {
  readonly #texts: KeptTexts;
  readings = 0;

  constructor(texts: KeptTexts) {
    this.#texts = texts;
  }

  read(file: string): string | undefined {
    return this.#texts.of(file, () => {
      this.readings += 1;
      return readFileSync(file, 'utf8');
    });
  }
}

test('an unchanged file is read once, and a changed one again', async () => {
  const folder = await folderWith({ a: 'one', b: 'two' });
  const [a, b] = [path.join(folder, 'a'), path.join(folder, 'b')];
  const reader = new CountedReader(new KeptTexts(() => Date.now() + day));
  expect([reader.read(a), reader.read(a), reader.readings]).toEqual(['one', 'one', 1]);
  await writeFile(a, 'longer');
  expect([reader.read(a), reader.read(a), reader.readings]).toEqual(['longer', 'longer', 2]);
  await rename(b, a);
  expect([reader.read(a), reader.readings]).toEqual(['two', 3]);
});

test('a file that changed just before it was read is read again: its times may hide another change', async () => {
  const folder = await folderWith({ a: 'one' });
  const file = path.join(folder, 'a');
  const reader = new CountedReader(new KeptTexts());
  expect([reader.read(file), reader.read(file), reader.readings]).toEqual(['one', 'one', 2]);
});

test('a file that was not read for a while is forgotten', async () => {
  const folder = await folderWith({ a: 'one' });
  const file = path.join(folder, 'a');
  const texts = new KeptTexts(() => Date.now() + day);
  const reader = new CountedReader(texts);
  reader.read(file);
  texts.forgetUnused();
  reader.read(file);
  texts.forgetUnused();
  texts.forgetUnused();
  reader.read(file);
  expect(reader.readings).toBe(2);
});
