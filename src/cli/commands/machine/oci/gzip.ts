import { crc32 } from 'node:zlib';

/** Maximum size of a stored block of deflate. */
const mostStored = 0xffff;

/**
 * Returns content in gzip's format, stored without compression: the output of a compressor depends on the release of
 * zlib and on the processor, and the digest of an artifact must not.
 */
export function gzip(content: Uint8Array): Buffer {
  // RFC 1952: no name, no time, unknown operating system
  const parts: Uint8Array[] = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])];
  for (let start = 0; start === 0 || start < content.length; start += mostStored) {
    const stored = content.subarray(start, start + mostStored);
    const head = Buffer.alloc(5);
    // RFC 1951, 3.2.4
    head.writeUInt8(start + mostStored >= content.length ? 1 : 0, 0);
    head.writeUInt16LE(stored.length, 1);
    head.writeUInt16LE(stored.length ^ 0xffff, 3);
    parts.push(head, stored);
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(content), 0);
  trailer.writeUInt32LE(content.length % 2 ** 32, 4);
  parts.push(trailer);
  return Buffer.concat(parts);
}
