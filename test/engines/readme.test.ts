import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const engines = path.resolve(import.meta.dirname, '../../src/engines');

/** Returns a program of the example in a README, which compares each statement with the value in the comment behind it. */
function programOf(example: string): string {
  return example
    .replaceAll(
      /^import (\{[^}]*\}) from '\.\/([^']+)';$/gm,
      (_, names: string, file: string) => `const ${names} = await load('${file}');`,
    )
    .replaceAll(/^([^/\n]+(?:\([^\n]*\))?[^;\n]*); \/\/ (.+)$/gm, (_, value: string, expected: string) => {
      return `compare(${value}, ${expected});`;
    });
}

test.each(['cel', 'gotemplate', 'charts'])(
  'the example of the README of %s returns what it says',
  async (engine) => {
    const folder = path.join(engines, engine);
    const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
    const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
    let compared = 0;
    const load = async (file: string): Promise<unknown> =>
      await import(pathToFileURL(path.join(folder, file)).href);
    const compare = (value: unknown, expected: unknown): void => {
      compared++;
      expect(JSON.parse(JSON.stringify(value))).toEqual(expected);
    };
    const AsyncFunction = Object.getPrototypeOf(async () => await Promise.resolve()).constructor;
    await new AsyncFunction('load', 'compare', programOf(example))(load, compare);
    expect(compared).toBe([...example.matchAll(/; \/\/ /g)].length);
    expect(compared).toBeGreaterThan(0);
  },
);

test('the engines know nothing of OCM', () => {
  const words = /open.cluster.management|\bocm\b|managed ?cluster|add-?on/i;
  const files = readdirSync(engines, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:ts|md)$/.test(name),
  );
  const found = files.filter((name) => words.test(readFileSync(path.join(engines, name), 'utf8')));
  expect(found).toEqual([]);
});
