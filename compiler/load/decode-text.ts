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
    const wide = wideEncoding(bytes);
    findings.add(
      'FW1013',
      before.length,
      wide === undefined ? 'the text is not UTF-8 from here on' : `the file is in ${wide}`,
      {
        hint: 'save the file as UTF-8',
      },
    );
    return { value: undefined, diagnostics: findings.diagnostics };
  }
}

/** What a byte order mark says that is not UTF-8's. */
function wideEncoding([first, second, third, fourth]: Uint8Array): 'UTF-16' | 'UTF-32' | undefined {
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? 'UTF-32' : 'UTF-16';
  return first === 0xfe && second === 0xff ? 'UTF-16' : undefined;
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
