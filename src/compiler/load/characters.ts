import type { DiagnosticCollector } from './diagnostic-collector.ts';

// as go-yaml readerc.go; a lone carriage return ends a line for every reader, but is no end of line that anyone means
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]|\r(?!\n)/;
const lineBreak = /[\u0085\u2028\u2029]/;

/**
 * Reports the first character that is not allowed in YAML, and the first that ends a line for kubectl, which reads YAML 1.1, but
 * is an ordinary character in YAML 1.2. Returns whether the text cannot be read.
 *
 * @param base - the offset of the text in its file
 */
export function reportOddCharacters(text: string, base: number, findings: DiagnosticCollector): boolean {
  const broken = forbidden.exec(text);
  if (broken !== null) {
    findings.add(
      'FW1012',
      base + broken.index,
      `the control character ${nameOf(broken[0])} is not allowed in YAML`,
      { hint },
    );
    return true;
  }
  const odd = lineBreak.exec(text);
  if (odd !== null) {
    const message = `the character ${nameOf(odd[0])} ends a line for kubectl, but not for other readers of YAML`;
    findings.add('FW1014', base + odd.index, message, { hint });
  }
  return false;
}

const hint = 'remove it, or write it as an escape in double quotes';

function nameOf(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
