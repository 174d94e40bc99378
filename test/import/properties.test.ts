import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ImportedApp } from '../../compiler/import/import-objects.ts';
import { formatted } from './checked.ts';
import { emittedFrom, importText, synthesized, writeApp } from './imported.ts';

const build = path.resolve(import.meta.dirname, '../../build');
let folder = '';

beforeAll(async () => {
  await mkdir(build, { recursive: true });
  folder = await mkdtemp(path.join(build, 'any-'));
});
afterAll(() => rm(folder, { recursive: true }));

const marks = ['`', '$', '{', '}', '\\', "'", '"', '\n', '\t', '\r', '\u2028', 'é', '漢', '🚀', '#', ' '];
/** Texts whose width on the screen is beyond doubt. */
const plainText = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...marks), maxLength: 30 }),
);
const anyText = fc.string({ unit: 'binary', maxLength: 20 });

function json(text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 6 }),
      fc.array(fc.integer(), { maxLength: 40 }),
      fc.dictionary(text, tie('value'), { maxKeys: 6, noNullPrototype: true }),
    ),
  })).value;
}

/** A list with an object for each value. */
function listOf(values: readonly unknown[]): string {
  const items = values.map((spec, index) => ({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: `thing-${index}`, namespace: 'things' },
    spec,
  }));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

let runs = 0;

async function imported(list: string): Promise<{ app: ImportedApp; own: string }> {
  const { app } = importText(list, 'things.json');
  if (app === undefined) throw new Error('nothing is imported');
  const own = path.join(folder, String(runs++));
  await writeApp(own, app);
  return { app, own };
}

test('any object comes out as it went in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(json(anyText), { minLength: 1, maxLength: 4 }), async (values) => {
      const list = listOf(values);
      const { app, own } = await imported(list);
      expect(Object.fromEntries(await synthesized(own, app))).toStrictEqual(
        Object.fromEntries(emittedFrom(list)),
      );
    }),
    { numRuns: 40 },
  );
}, 120_000);

test('any object is formatted as prettier formats it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(json(plainText), { minLength: 1, maxLength: 4 }), async (values) => {
      const { app } = await imported(listOf(values));
      expect(app.files).toStrictEqual(await formatted(app.files));
    }),
    { numRuns: 60 },
  );
}, 120_000);
