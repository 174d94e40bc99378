import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { exitCode } from '../exit-code.ts';

/** A script of which compiled code is kept. */
export interface KeptScript {
  readonly source: string;
  /** The file that contains the source, absolute. */
  readonly file: string;
  /** The number of lines before the source. */
  readonly lineOffset: number;
  /** A hash of the source, so that code of another build is never used. */
  readonly hash: string;
  /** The file for the compiled code; undefined if none may be kept. */
  readonly cache: string | undefined;
}

/**
 * Runs a script with the code that V8 compiled for it in an earlier run, and keeps the code of this run if there is none. It does
 * for scripts on every Node what `module.enableCompileCache` of later releases does for files. A cache that cannot be read or
 * written is no fault: the code is compiled again.
 *
 * @returns the value of the script
 */
export function runWithCompiledCode({ source, file, lineOffset, hash, cache }: KeptScript): unknown {
  const cachedData = cache === undefined ? undefined : readCode(cache, hash);
  const script = new Script(source, { filename: file, lineOffset, ...(cachedData && { cachedData }) });
  const value: unknown = script.runInThisContext();
  if (cache !== undefined && (cachedData === undefined || script.cachedDataRejected === true)) {
    // Functions are compiled when they are first called, so the end of the run knows them all.
    process.once('exit', (code) => {
      if (code !== exitCode.failure) writeCode(cache, hash, script.createCachedData());
    });
  }
  return value;
}

/** The length of the checksum. The hash of the source follows it. */
const headerLength = 4;

/** Undefined if there is no code for this content, or if another user can have written it. */
function readCode(cache: string, hash: string): Buffer | undefined {
  try {
    const descriptor = openSync(cache, 'r');
    try {
      // Windows has no such ids, and protects the folder of the user.
      const user = process.getuid?.();
      if (user !== undefined && fstatSync(descriptor).uid !== user) return undefined;
      const stored = readFileSync(descriptor);
      const checked = stored.subarray(headerLength);
      const name = Buffer.from(`${hash}\n`);
      if (stored.length < headerLength || stored.readUInt32LE(0) !== crc32(checked)) return undefined;
      return checked.subarray(0, name.length).equals(name) ? checked.subarray(name.length) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

function writeCode(cache: string, hash: string, code: Buffer): void {
  const checked = Buffer.concat([Buffer.from(`${hash}\n`), code]);
  const header = Buffer.alloc(headerLength);
  header.writeUInt32LE(crc32(checked));
  // Other processes may read or write it at the same time.
  const written = `${cache}-${process.pid}`;
  try {
    mkdirSync(path.dirname(cache), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(written, Buffer.concat([header, checked]), { mode: 0o600, flag: 'wx' });
      renameSync(written, cache);
    } finally {
      rmSync(written, { force: true });
    }
  } catch {
    // The next run compiles the code again.
  }
}
