import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const docs = path.resolve(import.meta.dirname, '../../docs');
const index = readFileSync(path.join(docs, 'README.md'), 'utf8');

/** The entries of each section. */
const sections = index
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    lines: section.split('\n').filter((line) => line.startsWith('- ')),
  }));
const entries = sections.flatMap(({ lines }) => lines);
const linked = entries.map((line) => /^- \[[^\]]+\]\(([^)]+)\): \S/.exec(line)?.[1]);

describe('docs/README.md', () => {
  test('has the pages by task', () => {
    expect(sections.map(({ title }) => title)).toEqual([
      'Tutorials',
      'How-to guides',
      'Reference',
      'Explanation',
    ]);
    expect(sections.filter(({ lines }) => lines.length === 0)).toEqual([]);
  });

  test('describes every link in one line', () => {
    expect(entries.filter((_, position) => linked[position] === undefined)).toEqual([]);
  });

  test('lists every page once', () => {
    const pages = readdirSync(docs).filter((name) => name.endsWith('.md') && name !== 'README.md');
    const expected = [...pages, 'ci/README.md', 'diagnostics/README.md'];
    expect(linked.map(String).toSorted()).toEqual(expected.toSorted());
  });

  test('links to files that exist', () => {
    const missing = linked.filter((name) => name === undefined || !existsSync(path.join(docs, name)));
    expect(missing).toEqual([]);
  });
});
