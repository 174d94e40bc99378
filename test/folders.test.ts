import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const tops = ['src', 'constructs', 'schemas', 'packaging'];
const files = tops.flatMap((top) =>
  readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join(top, name)),
);

/** Folders whose files are one noun in a row. */
const rows = new Set(['constructs', 'src/compiler/check/placements', 'src/compiler/check/templates']);

test('no folder has more than 30 files, unless they are one noun in a row', () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1);
  const large = [...counts].filter(([, count]) => count > 30).map(([folder]) => folder);
  expect(large.toSorted()).toEqual([...rows].toSorted());
});

/** Each file with the files that it imports, types included. */
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const targets = [...text.matchAll(/^(?:import|export)\b[^'"`;]*?from '(\.[^']+)';$/gm)].map(
      ([, to = '']) => path.posix.join(path.posix.dirname(file), to),
    );
    return [file, targets] as const;
  }),
);

/** Returns the length of the shortest cycle through a file; undefined if there is none. */
function cycleThrough(start: string): number | undefined {
  const distances = new Map([[start, 0]]);
  for (const [file, distance] of distances)
    for (const target of imports.get(file) ?? []) {
      if (target === start) return distance + 1;
      if (!distances.has(target)) distances.set(target, distance + 1);
    }
  return undefined;
}

test('no cycle of imports is longer than two files', () => {
  const cycles = files.map((file) => ({ file, length: cycleThrough(file) }));
  expect(cycles.filter(({ length = 0 }) => length > 0).length).toBeGreaterThan(10);
  expect(cycles.filter(({ length = 0 }) => length > 2)).toEqual([]);
});
