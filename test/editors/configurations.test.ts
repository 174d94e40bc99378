import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const docs = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .sort()
  .map((file) => ({ file, text: readFileSync(path.join(root, 'docs', file), 'utf8') }));

test('no configuration of an editor or an assistant runs a package of the registry if Fleetwright is not installed', () => {
  const started = /\bnpx\b[^\w-]+(?:args\W+)?(?<option>--no)?[^\w-]*fleetwright\W+(?:lsp|mcp)\b/g;
  const options = docs.flatMap(({ file, text }) =>
    [...text.matchAll(started)].map(({ groups }) => `${file}: ${groups?.['option'] ?? 'runs it'}`),
  );
  expect(options).toEqual([
    ...Array<string>(3).fill('editor.md: --no'),
    ...Array<string>(6).fill('mcp.md: --no'),
  ]);
});

test('editors find a workspace without settings', () => {
  const guide = docs.find(({ file }) => file === 'editor.md')?.text;
  expect(guide).toContain("root_markers = { 'fleetwright.yaml', 'apps' }");
  expect(guide).toContain('required-root-patterns = ["fleetwright.yaml", "apps"]');
  const extension = JSON.parse(readFileSync(path.join(root, 'editors/vscode/package.json'), 'utf8')) as {
    readonly activationEvents: readonly string[];
  };
  // Not every repository with a folder of apps: the extension begins where its program is.
  expect(extension.activationEvents).toEqual([
    'workspaceContains:fleetwright.yaml',
    'workspaceContains:**/fleetwright.yaml',
    'workspaceContains:node_modules/.bin/fleetwright',
  ]);
});
