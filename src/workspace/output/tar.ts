const block = 512;
/** Maximum length of a name in the plain format, in bytes. */
const longestName = 100;

/**
 * Returns files as a tar archive (POSIX pax), in the given order. The same files produce the same bytes: owners,
 * times and modes of the files on disk are left out.
 */
export function tar(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const parts: Uint8Array[] = [];
  for (const [name, content] of files) {
    if (Buffer.byteLength(name) > longestName) {
      const record = Buffer.from(paxRecord('path', name));
      parts.push(header('PaxHeader', record.length, 'x'), record, padding(record));
    }
    parts.push(header(name, content.length, '0'), content, padding(content));
  }
  parts.push(new Uint8Array(2 * block));
  return Buffer.concat(parts);
}

function padding({ length }: Uint8Array): Uint8Array {
  return new Uint8Array((block - (length % block)) % block);
}

/** Returns a record of an extended header. It begins with its own length, in decimal. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = Buffer.byteLength(rest);
  const digits = String(length + String(length).length).length;
  return `${length + digits}${rest}`;
}

function header(name: string, size: number, type: 'x' | '0'): Buffer {
  const bytes = Buffer.alloc(block);
  // A longer name is in the extended header before this one.
  Buffer.from(name).copy(bytes, 0, 0, longestName);
  bytes.write('0000644\0', 100); // mode
  bytes.write('0000000\0', 108); // owner
  bytes.write('0000000\0', 116); // group
  bytes.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  bytes.write('00000000000\0', 136); // time
  bytes.write('        ', 148); // the checksum counts as blanks
  bytes.write(type, 156);
  bytes.write('ustar\u000000', 257);
  const checksum = bytes.reduce((sum, byte) => sum + byte, 0);
  bytes.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}
