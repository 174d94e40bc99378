import { gzipSync } from 'node:zlib';

/** Returns the bytes of texts, by path. */
export function chartFiles(texts: Readonly<Record<string, string>>): Map<string, Uint8Array> {
  return new Map(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));
}

/** An entry of a tar archive. */
interface TarEntry {
  readonly path: string;
  readonly text?: string;
  /** The type flag: `0` for a file, `2` for a symbolic link, `5` for a folder. @default '0' */
  readonly type?: string;
  /** The size that the header has. @default - that of the text */
  readonly size?: number;
}

/** Returns a `.tgz` with the entries. */
export function tarball(entries: readonly TarEntry[]): Uint8Array {
  const blocks = entries.flatMap(({ path, text = '', type = '0', size = Buffer.byteLength(text) }) => [
    header(path, type, size),
    padded(Buffer.from(text)),
  ]);
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

function header(path: string, type: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(path, 0, 100);
  block.write('0000644\0', 100);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('        ', 148);
  block.write(type, 156);
  block.write('ustar', 257);
  block.write('00', 263);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
