// Strings are written plain only if YAML 1.1 and 1.2 readers, including sigs.k8s.io/yaml, all read the same string. All doubtful
// strings are quoted: an unnecessary quote is harmless, a boolean in place of a string is not.

const plain = /^[A-Za-z_/][\w\-./@+:=,()% ]*$/;
// Sizes and percentages, such as `64Mi`, `1.5Gi`, `1h30m` and `25%`: the digits are followed by a unit that no number has.
const measure = /^(?!0[xob])\d+(?:\.\d+)?[a-df-zA-DF-Z%][A-Za-z\d%]*$/;
// Some YAML 1.1 readers parse `e1` as a number.
const reserved = /^(?:y|n|yes|no|on|off|true|false|null|e[-+]?[\d_]+)$/i;

// YAML does not count the first ones as printable. The others are invisible, or turn the direction of writing: a reviewer of the
// output would read another text than the hub.
const unprintable =
  // oxlint-disable-next-line no-control-regex -- the control characters are the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]|\p{Surrogate}/u;
const needsEscape = new RegExp(unprintable.source, 'gu');

// CI systems run such lines of a log as commands: output is printed in jobs too. `\s*` would try each of many empty lines again.
const command = /^[^\S\n]*::|##(?=\[|vso\[)/im;

/** Returns a string on one line: plain if that is safe, otherwise in double quotes. */
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

/** JSON's escapes are valid in YAML. Unprintable characters are escaped too. */
function quoted(text: string): string {
  return JSON.stringify(text)
    .replace(needsEscape, (character) => {
      return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
    })
    .replaceAll(/##(?=\[|vso\[)/gi, '#\\u0023');
}

/** Returns a number that both YAML versions read alike: YAML 1.1 requires a point before an exponent. */
export function yamlNumber(value: number | bigint): string {
  const text = String(value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}

/** Returns the length of a text without trailing occurrences of a character. A regular expression would take quadratic time. */
function lengthWithout(text: string, character: string): number {
  let end = text.length;
  while (text[end - 1] === character) end -= 1;
  return end;
}

/**
 * Returns the lines of a multi-line text for a literal block (`|`), with the block's header. Undefined if a literal block cannot
 * represent the text unchanged: a first line that starts with a space, white space at the end of a line, or characters that need
 * escapes; or if a line is a command of a CI system.
 */
export function literalBlock(text: string): { header: string; lines: string[] } | undefined {
  if (!text.includes('\n') || unprintable.test(text) || command.test(text)) return undefined;
  if (/^[\s]|[ \t]\n|[ \t]$/.test(text)) return undefined;
  const body = text.slice(0, lengthWithout(text, '\n'));
  const trailing = text.length - body.length;
  const header = trailing === 0 ? '|-' : trailing === 1 ? '|' : '|+';
  return {
    header,
    lines: [...body.split('\n'), ...Array.from({ length: Math.max(0, trailing - 1) }, () => '')],
  };
}
