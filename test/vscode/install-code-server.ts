import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Visual Studio Code 1.100.3 as a web server. The newest release whose packages all come from the npm registry. */
const version = '4.100.3';
const bin = path.join(import.meta.dirname, 'bin');
const stamp = path.join(bin, 'version');
const packages = path.join(bin, 'node_modules/code-server');

/** The program of code-server, to be run by Node. */
export const codeServerProgram = path.join(packages, 'out/node/entry.js');
/** The packed extension. */
export const extensionFile = path.resolve(import.meta.dirname, '../../editors/vscode/fleetwright.vsix');

/** Native modules that the editor cannot start without. */
const native = ['@vscode/spdlog', 'native-watchdog', '@parcel/watcher', 'kerberos', 'node-pty'];

/**
 * Installs code-server unless it is there, and packs the extension. The scripts of its packages are not run, because they load
 * programs from elsewhere: only ripgrep is missing for it. Its native modules are compiled for this Node, which takes some minutes.
 */
export default function setup(): void {
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== version) install();
  npm(path.resolve(import.meta.dirname, '../..'), 'run', '--silent', 'vscode:package');
}

function install(): void {
  process.stderr.write('Installing code-server (test/vscode); the first time this takes some minutes\n');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, 'package.json'), '{ "private": true }\n');
  npm(bin, 'install', '--ignore-scripts', `code-server@${version}`);
  const editor = path.join(packages, 'lib/vscode');
  npm(editor, 'install', '--omit=dev', '--ignore-scripts', '--legacy-peer-deps');
  // Where the editor looks for them. In its own releases that is an archive.
  const link = path.join(editor, 'node_modules.asar');
  if (!existsSync(link)) symlinkSync('node_modules', link);
  npm(editor, 'rebuild', ...native);
  npm(bin, 'rebuild', 'argon2');
  writeFileSync(stamp, version);
}

function npm(cwd: string, ...parameters: readonly string[]): void {
  execFileSync('npm', ['--no-audit', '--no-fund', ...parameters], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      // Node's headers are those beside Node, and not loaded from nodejs.org.
      npm_config_nodedir: path.dirname(path.dirname(process.execPath)),
      // Native modules are compiled on all processors.
      JOBS: 'max',
      // One of the modules compiles with a program that npm first has to load.
      npm_config_yes: 'true',
    },
  });
}
