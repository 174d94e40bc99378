import type { Outcome } from '../model/diagnostic.ts';
import { DiagnosticCollector } from './diagnostic-collector.ts';
import { SourceFile } from './source-file.ts';

/**
 * Decodes a file. If it is not UTF-8, returns the location of the first invalid byte and no text. A byte order mark is removed.
 */
export function decodeText(file: string, bytes: Uint8Array): Outcome<string | undefined> {
  const wide = wideEncoding(bytes);
  if (wide === undefined) {
    try {
      return { value: new TextDecoder('utf-8', { fatal: true }).decode(bytes), diagnostics: [] };
    } catch {
      // the code below finds the position
    }
  }
  const valid = wide === undefined ? validLength(bytes) : 0;
  const before = new TextDecoder('utf-8').decode(bytes.subarray(0, valid), { stream: true });
  const findings = new DiagnosticCollector(new SourceFile(file, before));
  const message = wide === undefined ? 'the text is not UTF-8 from here on' : `the file is in ${wide}`;
  findings.add('FW1013', before.length, message, { hint: 'save the file as UTF-8' });
  return { value: undefined, diagnostics: findings.diagnostics };
}

/**
 * Detects the encoding as YAML 1.2.2, 5.2: by the byte order mark, or by a first character in ASCII. Read as UTF-8, such a text
 * would consist of control characters.
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
  const encoding = wideEncodings.find(
    ([, start]) =>
      bytes.length >= start.length &&
      start.every((byte, i) => (byte === undefined ? isAscii(bytes[i]) : byte === bytes[i])),
  );
  return encoding?.[0];
}

/** Whether a text can start with these bytes: a NUL is invalid in every encoding. */
function isAscii(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0 && byte < 0x80;
}

/** Returns the number of bytes from the start that are UTF-8; the last character may be truncated. */
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
    // streaming: a character that is truncated at the end counts
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
