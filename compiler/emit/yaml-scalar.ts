// Strings are written plain only where YAML 1.1 and 1.2 readers, sigs.k8s.io/yaml among them, all read the same string.
// Everything doubtful is quoted: a quote too many is harmless, a boolean in place of a string is not.

const plain = /^[A-Za-z_/][\w\-./@+:=,()% ]*$/;
// Sizes and shares, such as `64Mi`, `1.5Gi`, `1h30m` and `25%`: a unit that no number has follows the digits.
const measure = /^(?!0[xob])\d+(?:\.\d+)?[a-df-zA-DF-Z%][A-Za-z\d%]*$/;
// Some YAML 1.1 readers take `e1` for a number.
const reserved = /^(?:y|n|yes|no|on|off|true|false|null|e[-+]?[\d_]+)$/i;

// oxlint-disable-next-line no-control-regex -- the control characters are the point
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u;
const needsEscape = new RegExp(unprintable.source, 'gu');

/** A string on one line: plain where that is safe, else in double quotes. */
export function yamlString(text: string): string {
  return isPlain(text) ? text : quoted(text);
}

function isPlain(text: string): boolean {
  if (measure.test(text)) return true;
  return (
    plain.test(text) &&
    !reserved.test(text) &&
    !text.includes(': ') &&
    !text.endsWith(':') &&
    !text.endsWith(' ')
  );
}

/** JSON's escapes are YAML's; what YAML does not count as printable is escaped too. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(needsEscape, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}

/** A number as both YAML versions read it: an exponent needs a point before it in YAML 1.1. */
export function yamlNumber(value: number | bigint): string {
  const text = String(value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}

/** The length of a text without a character at its end. A regular expression takes the square of its length. */
function lengthWithout(text: string, character: string): number {
  let end = text.length;
  while (text[end - 1] === character) end -= 1;
  return end;
}

/**
 * The lines of a text of several lines that a literal block (`|`) can carry unchanged, with the block's header.
 * Undefined where it cannot: a first line that starts with a space, white space at the end of a line, characters that
 * need escapes.
 */
export function literalBlock(text: string): { header: string; lines: string[] } | undefined {
  if (!text.includes('\n') || unprintable.test(text) || /^[\s]|[ \t]\n|[ \t]$/.test(text)) return undefined;
  const body = text.slice(0, lengthWithout(text, '\n'));
  const trailing = text.length - body.length;
  const header = trailing === 0 ? '|-' : trailing === 1 ? '|' : '|+';
  return {
    header,
    lines: [...body.split('\n'), ...Array.from({ length: Math.max(0, trailing - 1) }, () => '')],
  };
}
