import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of a folder: texts, and other files in base64. */
export interface SourceFiles {
  readonly files: Readonly<Record<string, string>>;
  readonly binaryFiles: Readonly<Record<string, string>>;
}

/** Characters that the files of one source may have together, so that the API server accepts the template. */
const mostCharacters = 1_000_000;

/** Bytes that the archive of a chart may have: as base64 in an object, at most 1.5 MB, because the API server stores 1.5 MiB. */
export const largestArchive = 1_125_000;

/** Returns the path of a file or folder. */
export function pathOf(place: string | URL): string {
  return place instanceof URL ? fileURLToPath(place) : path.resolve(place);
}

/**
 * Reads a folder. Names that begin with a dot are left out, except .helmignore: Go leaves them out when a manager embeds a folder.
 *
 * @throws {Error} for a link, and for files that are too large together
 */
export function readFolder(folder: string): SourceFiles {
  const files: Record<string, string> = {};
  const binaryFiles: Record<string, string> = {};
  let size = 0;
  for (const name of filesBelow(folder)) {
    const bytes = readFileSync(path.join(folder, name));
    const text = asText(bytes);
    if (text === undefined) binaryFiles[name] = bytes.toString('base64');
    else files[name] = text;
    size += (text ?? binaryFiles[name] ?? '').length;
    if (size > mostCharacters)
      throw new Error(
        `the files of ${folder} have more than ${mostCharacters} characters, which no template can have: leave out what no template of the chart reads, or use its archive (helm package)`,
      );
  }
  if (size === 0) throw new Error(`${folder} has no files`);
  return { files, binaryFiles };
}

function filesBelow(folder: string, below = ''): string[] {
  return readdirSync(path.join(folder, below))
    .filter((name) => !name.startsWith('.') || (below === '' && name === '.helmignore'))
    .toSorted()
    .flatMap((name) => {
      const relative = below === '' ? name : `${below}/${name}`;
      const stat = lstatSync(path.join(folder, relative));
      if (stat.isDirectory()) return filesBelow(folder, relative);
      if (stat.isFile()) return [relative];
      throw new Error(`${path.join(folder, relative)} is not a file: a source has no links`);
    });
}

function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
