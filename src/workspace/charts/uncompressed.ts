import { gunzipSync } from 'node:zlib';
import { UserError } from '../user-error.ts';

/** Returns bytes without the compression that a server may have added. @throws UserError if they become more than `most` bytes */
export function uncompressed(name: string, bytes: Uint8Array, most: number): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    throw new UserError(
      error instanceof RangeError
        ? `${name} is larger than ${Math.floor(most / 2 ** 20)} MiB`
        : `${name} is not a valid gzip stream`,
    );
  }
}
