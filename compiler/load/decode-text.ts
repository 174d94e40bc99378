import type { Outcome } from '../diagnostic.ts';
import { Findings } from './findings.ts';
import { SourceFile } from './source-file.ts';

/** Decodes a file. Undefined, with the place of the first wrong byte, where it is not UTF-8; a byte order mark is dropped. */
export function decodeText(file: string, bytes: Uint8Array): Outcome<string | undefined> {
  try {
    return { value: new TextDecoder('utf-8', { fatal: true }).decode(bytes), diagnostics: [] };
  } catch {
    const before = new TextDecoder('utf-8').decode(bytes.subarray(0, validLength(bytes)), { stream: true });
    const findings = new Findings(new SourceFile(file, before));
    const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    findings.add(
      'FW1013',
      before.length,
      wide ? 'the file is in UTF-16' : 'the text is not UTF-8 from here on',
      {
        hint: 'save the file as UTF-8',
      },
    );
    return { value: undefined, diagnostics: findings.diagnostics };
  }
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
