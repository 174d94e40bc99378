import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'editors/vscode');

let packed: Buffer;

// vsce refuses an invalid manifest.
beforeAll(() => {
  execFileSync('npm', ['run', '--silent', 'vscode:package'], { cwd: root });
  packed = readFileSync(path.join(folder, 'fleetwright.vsix'));
});

/** Returns the names in the directory at the end of a ZIP file. */
function namesIn(zip: Buffer): readonly string[] {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  const names: string[] = [];
  let offset = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const lengths = [28, 30, 32].map((place) => zip.readUInt16LE(offset + place));
    const [name = 0] = lengths;
    names.push(zip.toString('utf8', offset + 46, offset + 46 + name));
    offset += 46 + lengths.reduce((sum, length) => sum + length, 0);
  }
  return names;
}

test('the packed extension has its code, its page, its licenses, and nothing else', () => {
  expect(namesIn(packed).toSorted()).toEqual([
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/LICENSE.txt',
    'extension/build/LICENSES.txt',
    'extension/build/extension.js',
    'extension/icon.png',
    'extension/package.json',
    'extension/readme.md',
  ]);
});

test('the packed extension is small', () => {
  expect(packed.length).toBeLessThan(150_000);
});

test('the extension does not start in a workspace that is not trusted, and registers every command', () => {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: boolean } };
    readonly contributes: { readonly commands: readonly { readonly command: string }[] };
  };
  expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(false);
  const code = readFileSync(path.join(folder, 'build/extension.js'), 'utf8');
  for (const { command } of manifest.contributes.commands)
    expect(code).toMatch(new RegExp(`registerCommand\\("${command}"`));
});

test('the license of the extension is that of the repository', () => {
  expect(readFileSync(path.join(folder, 'LICENSE'), 'utf8')).toBe(
    readFileSync(path.join(root, 'LICENSE'), 'utf8'),
  );
});
