import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { isSingleFile } from '../../../workspace/is-single-file.ts';
import { UserError } from '../../../workspace/user-error.ts';

/** A package as a tarball. */
export interface PackageFile {
  /** Its path in the new repository. */
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * Returns the tarball of the running package, so that a new repository can install it; undefined if a registry has
 * it, or if there is no package to pack: in the single file, and in the sources.
 *
 * @throws UserError if npm cannot pack it
 */
export async function packOwnPackage(): Promise<PackageFile | undefined> {
  const folder = builtPackage();
  if (folder === undefined || (await isFromRegistry(folder))) return undefined;
  const temporary = await mkdtemp(path.join(tmpdir(), 'fleetwright-pack-'));
  try {
    const options = ['pack', '--ignore-scripts', '--silent', '--pack-destination', temporary];
    await promisify(execFile)('npm', options, { cwd: folder });
    const [file = ''] = await readdir(temporary);
    return { name: `vendor/${file}`, content: await readFile(path.join(temporary, file)) };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new UserError(
      `Fleetwright was not installed from a registry, and npm cannot pack it: ${reason}`,
      'set a version or a tarball with --package',
    );
  } finally {
    await rm(temporary, { recursive: true });
  }
}

/** Returns the folder of the package whose build runs. */
function builtPackage(): string | undefined {
  if (isSingleFile) return undefined;
  try {
    const folder = path.dirname(createRequire(import.meta.url).resolve('fleetwright/package.json'));
    const build = path.join(folder, 'build') + path.sep;
    return import.meta.filename.startsWith(build) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether npm recorded that the package came from a registry. The records of other package managers are harder to
 * read.
 */
async function isFromRegistry(folder: string): Promise<boolean> {
  const modules = path.dirname(folder);
  try {
    const text = await readFile(path.join(modules, '.package-lock.json'), 'utf8');
    const { packages } = JSON.parse(text) as { packages?: Record<string, { resolved?: string }> };
    return packages?.['node_modules/fleetwright']?.resolved?.startsWith('http') === true;
  } catch {
    return false;
  }
}
