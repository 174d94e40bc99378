// `npm run vscode:package`: bundles the extension of editors/vscode, and packs it into fleetwright.vsix in that folder.
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { licenseTexts } from './license-texts.ts';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'editors/vscode');
mkdirSync(path.join(folder, 'build'), { recursive: true });
const { metafile } = await build({
  absWorkingDir: folder,
  entryPoints: ['src/extension.ts'],
  outfile: 'build/extension.js',
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
// esbuild names the files relative to the folder of the extension.
const inputs = Object.keys(metafile.inputs).map((file) => path.posix.join('editors/vscode', file));
writeFileSync(path.join(folder, 'build/LICENSES.txt'), licenseTexts(root, inputs));
// Moved when it is complete, because another process may read the package, or pack it too.
const packed = path.join(root, `editors/packed-${process.pid}.vsix`);
const vsce = ['--yes', '@vscode/vsce@3.9.2', 'package', '--no-dependencies', '--out', packed];
execFileSync('npx', vsce, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
renameSync(packed, path.join(folder, 'fleetwright.vsix'));
