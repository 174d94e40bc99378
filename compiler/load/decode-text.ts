import type { Outcome } from '../diagnostic.ts';
import { Findings } from './findings.ts';
import { SourceFile } from './source-file.ts';

/** Decodes a file. Undefined, with the place of the first wrong byte, where it is not UTF-8; a byte order mark is dropped. */
export function decodeText(file: string, bytes: Uint8Array): Outcome<string | undefined> {
  const wide = wideEncoding(bytes);
  if (wide === undefined) {
    try {
      return { value: new TextDecoder('utf-8', { fatal: true }).decode(bytes), diagnostics: [] };
    } catch {
      // where it stops is found below
    }
  }
  const valid = wide === undefined ? validLength(bytes) : 0;
  const before = new TextDecoder('utf-8').decode(bytes.subarray(0, valid), { stream: true });
  const findings = new Findings(new SourceFile(file, before));
  const message = wide === undefined ? 'the text is not UTF-8 from here on' : `the file is in ${wide}`;
  findings.add('FW1013', before.length, message, { hint: 'save the file as UTF-8' });
  return { value: undefined, diagnostics: findings.diagnostics };
}

/**
 * As YAML 1.2.2, 5.2: a byte order mark tells, or else that the first character is of ASCII. Read as UTF-8 such a text would
 * be one of control characters.
 */
const wideEncodings = [
  ['UTF-32', [0x00, 0x00, 0xfe, 0xff]],
  ['UTF-32', [0x00, 0x00, 0x00, undefined]],
  ['UTF-32', [0xff, 0xfe, 0x00, 0x00]],
  ['UTF-32', [undefined, 0x00, 0x00, 0x00]],
  ['UTF-16', [0xfe, 0xff]],
  ['UTF-16', [0x00, undefined]],
  ['UTF-16', [0xff, 0xfe]],
  ['UTF-16', [undefined, 0x00]],
] as const;

function wideEncoding(bytes: Uint8Array): 'UTF-16' | 'UTF-32' | undefined {
  const found = wideEncodings.find(
    ([, start]) =>
      bytes.length >= start.length &&
      start.every((byte, i) => (byte === undefined ? isAscii(bytes[i]) : byte === bytes[i])),
  );
  return found?.[0];
}

/** Whether a text can begin so: a NUL would be none of any encoding. */
function isAscii(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0 && byte < 0x80;
}

/** How many bytes from the start are UTF-8, the last character perhaps cut. */
function validLength(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length + 1;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isUtf8(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // streaming: a character that is cut at the end counts
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
