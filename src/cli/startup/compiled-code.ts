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
import nodeModule, { createRequire } from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { exitCode } from '../exit-code.ts';

/**
 * Loads a CommonJS file with the code that V8 compiled for it in an earlier run, and keeps the code of this run if there is none.
 * It does for Node 20 what `module.enableCompileCache` does in later releases. A cache that cannot be read or written is no fault:
 * the code is compiled again.
 *
 * @param file - absolute. It requires other files, and imports none. Its name has a hash of its content, so that code of another build is never used
 * @param cache - the file for the compiled code
 * @returns `module.exports`
 */
export function loadWithCompiledCode(file: string, cache: string): unknown {
  const content = path.basename(file);
  const cachedData = readCode(cache, content);
  const script = new Script(nodeModule.wrap(readFileSync(file, 'utf8')), {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  const loaded = { exports: {} };
  const run = script.runInThisContext() as (...parameters: unknown[]) => void;
  run.call(loaded.exports, loaded.exports, createRequire(file), loaded, file, path.dirname(file));
  if (cachedData === undefined || script.cachedDataRejected === true) {
    // Functions are compiled when they are first called, so the end of the run knows them all.
    process.once('exit', (code) => {
      if (code !== exitCode.failure) writeCode(cache, content, script.createCachedData());
    });
  }
  return loaded.exports;
}

/** The length of the checksum and of the name behind it. */
const headerLength = 4;

/** Undefined if there is no code for this content, or if another user can have written it. */
function readCode(cache: string, content: string): Buffer | undefined {
  try {
    const descriptor = openSync(cache, 'r');
    try {
      // Windows has no such ids, and protects the folder of the user.
      const user = process.getuid?.();
      if (user !== undefined && fstatSync(descriptor).uid !== user) return undefined;
      const stored = readFileSync(descriptor);
      const checked = stored.subarray(headerLength);
      const name = Buffer.from(`${content}\n`);
      if (stored.length < headerLength || stored.readUInt32LE(0) !== crc32(checked)) return undefined;
      return checked.subarray(0, name.length).equals(name) ? checked.subarray(name.length) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

function writeCode(cache: string, content: string, code: Buffer): void {
  const checked = Buffer.concat([Buffer.from(`${content}\n`), code]);
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
