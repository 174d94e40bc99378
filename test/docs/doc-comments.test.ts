import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const texts = new Map(
  ['constructs', 'src', 'schemas']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => path.join(folder, file)),
    )
    .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
);
const docComment = /\/\*\*.*?\*\//gs;
const comment = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;
const names = new Set(
  [...texts.values()].flatMap((text) => text.replaceAll(comment, '').match(/[A-Za-z_$][\w$]*/g) ?? []),
);

/** Names in Kubernetes' apimachinery, and names of examples. */
const others = new Set(['maxInt64Factors', 'parseQuantityString', 'placementAws', 'hostIp']);

test('a name in a doc comment is a name in the code', () => {
  const written = [...texts].filter(([file]) => !file.endsWith('.gen.ts'));
  const inComments = written.flatMap(([file, text]) =>
    [...text.matchAll(docComment)].flatMap(([words]) =>
      [...words.matchAll(/`([a-z][a-z0-9]*(?:[A-Z][A-Za-z0-9]*)+)(?:\(\))?`/g)].map(([, name = '']) => ({
        file,
        name,
      })),
    ),
  );
  expect(inComments.length).toBeGreaterThan(150);
  expect(inComments.filter(({ name }) => !names.has(name) && !others.has(name))).toEqual([]);
});
