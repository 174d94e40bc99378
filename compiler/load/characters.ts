import type { Findings } from './findings.ts';

// as go-yaml readerc.go; and what YAML 1.1 takes for a line break and YAML 1.2 does not, lone carriage returns among it
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]|\r(?!\n)/;
const lineBreaks = new Set(['\r', '\u0085', '\u2028', '\u2029']);

/**
 * Reports the first character that cannot stand in YAML, or that only some readers take for the end of a line.
 *
 * @param base - the offset of the text in its file
 */
export function reportForbiddenCharacter(text: string, base: number, findings: Findings): boolean {
  const match = forbidden.exec(text);
  if (match === null) return false;
  const [character] = match;
  const name = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  const message = lineBreaks.has(character)
    ? `the character ${name} ends a line for kubectl, but not for other readers of YAML`
    : `the control character ${name} cannot stand in YAML`;
  findings.add('FW1012', base + match.index, message, {
    hint: 'remove it, or write it as an escape in double quotes',
  });
  return true;
}
