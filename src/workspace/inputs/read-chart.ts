import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { readFolder } from '../../../constructs/source-files.ts';
import { UserError } from '../user-error.ts';

/** Returns whether a path is a Helm chart: an archive, or a folder with a Chart.yaml. */
export async function isChart(given: string, cwd: string): Promise<boolean> {
  const place = path.resolve(cwd, given);
  if (/\.(?:tgz|tar\.gz)$/.test(given)) return true;
  return await stat(path.join(place, 'Chart.yaml')).then(
    (found) => found.isFile(),
    () => false,
  );
}

/**
 * Reads the files that `HelmChart` reads: of a folder, the bytes of each file by its path; the bytes of an archive.
 *
 * @throws UserError if it cannot be read.
 */
export async function readChart(
  given: string,
  cwd: string,
): Promise<ReadonlyMap<string, Uint8Array> | Uint8Array> {
  const place = path.resolve(cwd, given);
  try {
    if (!(await stat(place)).isDirectory()) return await readFile(place);
    const { files, binaryFiles } = readFolder(place);
    return new Map([
      ...Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const),
      ...Object.entries(binaryFiles).map(([name, text]) => [name, Buffer.from(text, 'base64')] as const),
    ]);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new UserError(`${given}: no such file or folder`);
    const message = error instanceof Error ? error.message.replaceAll(place, given) : String(error);
    throw new UserError(message.includes(given) ? message : `${given}: ${message}`);
  }
}
