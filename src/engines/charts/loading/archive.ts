import { gunzipSync } from 'node:zlib';
import { ChartError } from '../chart-fault.ts';
import type { ChartFile } from '../chart.ts';
import { tooLarge, type ChartBounds } from './bounds.ts';

const block = 512;
const gzipMark = [0x1f, 0x8b];
/** Headers, padding and extended headers of the files. */
const overhead = 32 * 1024 * 1024;

/**
 * Reads a `.tgz` of a chart, whose files are in one folder. The paths are those in that folder.
 *
 * @param name - the path of the archive, for messages
 * @param bounds - counts the files
 * @throws {ChartError} for an archive that is not valid, for links and other special files, for paths outside of the folder, and
 * beyond a bound
 */
export function readArchive(name: string, bytes: Uint8Array, bounds: ChartBounds): ChartFile[] {
  const tar = unzipped(name, bytes, bounds.remaining + overhead);
  const files: ChartFile[] = [];
  for (const entry of entriesOf(name, tar, bounds)) {
    if (entry.type === 'folder') continue;
    if (entry.type === 'special')
      throw unsafe(
        name,
        `the archive contains ${JSON.stringify(entry.path)}, which is a link or a special file`,
      );
    const path = pathInChart(name, entry.path);
    bounds.add(`${name}/${path}`, entry.bytes.length);
    files.push({ name: path, bytes: withoutByteOrderMark(entry.bytes) });
  }
  if (files.length === 0) throw unreadable(name, 'no files in chart archive');
  return files;
}

/** Whether bytes are a gzip stream. */
export function isGzip(bytes: Uint8Array): boolean {
  return gzipMark.every((byte, index) => bytes[index] === byte);
}

export function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function unzipped(name: string, bytes: Uint8Array, most: number): Uint8Array {
  if (!isGzip(bytes)) throw unreadable(name, 'gzip: invalid header');
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge('the archive is larger than a chart may be', name);
    throw unreadable(name, `gzip: ${(error as Error).message}`);
  }
}

interface Entry {
  readonly type: 'file' | 'folder' | 'special';
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The entries of a tar archive in the forms of POSIX and GNU. */
function* entriesOf(name: string, tar: Uint8Array, bounds: ChartBounds): Generator<Entry> {
  let longPath: string | undefined;
  for (let at = 0; at + block <= tar.length;) {
    const header = tar.subarray(at, at + block);
    if (header.every((byte) => byte === 0)) return;
    bounds.addEntry(name);
    if (!hasValidChecksum(header)) throw unreadable(name, 'archive/tar: invalid tar header');
    const size = numberAt(name, header, 124, 12);
    const start = at + block;
    if (start + size > tar.length) throw unreadable(name, 'unexpected EOF');
    const bytes = tar.subarray(start, start + size);
    at = start + Math.ceil(size / block) * block;
    const kind = String.fromCharCode(header[156] ?? 0);
    if (kind === 'L') longPath = textOf(bytes);
    else if (kind === 'x') longPath = extendedPath(name, bytes) ?? longPath;
    else if (kind !== 'g') {
      yield { type: typeOf(kind, longPath ?? pathOf(header)), path: longPath ?? pathOf(header), bytes };
      longPath = undefined;
    }
  }
}

function typeOf(kind: string, path: string): Entry['type'] {
  if (kind === '5') return 'folder';
  if (kind !== '0' && kind !== '\0' && kind !== '7') return 'special';
  return path.endsWith('/') ? 'folder' : 'file';
}

function hasValidChecksum(header: Uint8Array): boolean {
  let sum = 0;
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte;
  return sum === Number.parseInt(textOf(header.subarray(148, 156)).trim(), 8);
}

function numberAt(name: string, header: Uint8Array, start: number, length: number): number {
  const field = header.subarray(start, start + length);
  // A size in binary form is beyond 8 GiB.
  if ((field[0] ?? 0) >= 0x80) throw tooLarge('the archive contains a file that is too large', name);
  const digits = textOf(field).trim();
  if (!/^[0-7]*$/.test(digits)) throw unreadable(name, 'archive/tar: invalid tar header');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

function pathOf(header: Uint8Array): string {
  const path = textOf(header.subarray(0, 100));
  const isPosix = textOf(header.subarray(257, 263)) === 'ustar' && header[263] === 0x30;
  const prefix = isPosix ? textOf(header.subarray(345, 500)) : '';
  return prefix === '' ? path : `${prefix}/${path}`;
}

/** The `path` of an extended header: lines of `<length> <key>=<value>`. */
function extendedPath(name: string, bytes: Uint8Array): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < bytes.length;) {
    const digits = /^\d{1,9} /.exec(new TextDecoder('latin1').decode(bytes.subarray(at, at + 10)))?.[0];
    const length = Number(digits);
    if (digits === undefined || length <= digits.length || at + length > bytes.length)
      throw unreadable(name, 'archive/tar: invalid tar header');
    const record = new TextDecoder().decode(bytes.subarray(at + digits.length, at + length - 1));
    if (record.startsWith('path=')) path = record.slice('path='.length);
    if (record.startsWith('size=')) throw unreadable(name, 'a size in an extended header is not supported');
    at += length;
  }
  return path;
}

/** The text before the first NUL. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** Returns a path without the folder of the chart. Helm's rules, and its messages. */
function pathInChart(name: string, path: string): string {
  const parts = path.split(path.includes('\\') ? '\\' : '/');
  const inside = parts.slice(1).join('/');
  if (inside.startsWith('/')) throw unsafe(name, 'chart illegally contains absolute paths');
  const clean = cleaned(inside);
  if (clean === '.')
    throw unsafe(
      name,
      `chart illegally contains content outside the base directory: ${JSON.stringify(path)}`,
    );
  if (clean.startsWith('..')) throw unsafe(name, 'chart illegally references parent directory');
  if (/^[a-zA-Z]:\//.test(clean)) throw unsafe(name, 'chart contains illegally named files');
  if (parts[0] === 'Chart.yaml') throw unreadable(name, 'chart yaml not in base directory');
  if (path.startsWith('/') || parts[0] === '..')
    throw unsafe(name, `the archive contains ${JSON.stringify(path)}`);
  return clean;
}

/** As path.Clean for a relative path. */
export function cleaned(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.length === 0 ? '.' : parts.join('/');
}

function unsafe(file: string, message: string): ChartError {
  return new ChartError({
    code: 'FW6023',
    message,
    file,
    hint: 'package the chart again with `helm package`',
  });
}

function unreadable(file: string, message: string): ChartError {
  return new ChartError({ code: 'FW6022', message, file });
}
