import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name)),
  'bench/README.md',
  'test/hub/README.md',
];

/** The page without its code blocks, whose brackets are no links and whose comments are no headings. */
function prose(page: string): string {
  return readFileSync(path.join(root, page), 'utf8').replaceAll(/^ *```.*?^ *```$/gms, '');
}

/** The anchors that GitHub makes of the headings. */
function anchors(page: string): ReadonlySet<string> {
  return new Set(
    [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function brokenLinks(page: string): readonly string[] {
  return [...prose(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)]*))?\)/g)]
    .filter(([, file = '', anchor]) => {
      const target = file === '' ? page : path.join(path.dirname(page), file);
      if (!existsSync(path.join(root, target))) return true;
      return anchor !== undefined && !anchors(target).has(anchor);
    })
    .map(([link]) => `${page}: ${link}`);
}

test('links between pages lead to a file, and to a heading of it', () => {
  expect(pages.length).toBeGreaterThan(200);
  expect(pages.flatMap(brokenLinks)).toEqual([]);
});
