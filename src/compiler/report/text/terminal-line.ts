/**
 * Characters that a terminal interprets, that change the reading order, or that are invisible: control characters, line and
 * paragraph separators, marks of writing direction, zero-width characters, and the tags of plane 14. Excludes the variation
 * selectors that follow an emoji.
 */
export const actingCharacter =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu;

/** Replaces the acting characters of a text, except line breaks and tabs, with their escapes. */
export function escapeActing(text: string): string {
  return text.replaceAll(actingCharacter, (character) =>
    /[\n\t]/.test(character) ? character : escaped(character),
  );
}

/** Texts without any of these characters and commands. */
const plainText = /^[\w ./-]*$/;

/**
 * Returns an untrusted text as one line for a terminal or the log of a CI job. Line breaks become spaces, other acting characters
 * become their escapes, and commands of GitHub's and Azure's runners get a backslash.
 */
export function terminalLine(text: string): string {
  // Most texts are names, of which a large report has hundreds of thousands.
  if (plainText.test(text)) return text;
  return withoutCommands(text.replaceAll(/\r?\n/g, ' ').replaceAll(actingCharacter, escaped));
}

/** Escapes commands to the runner of a CI job on any line of a text. */
export function withoutCommands(text: string): string {
  return text.replaceAll(/^([^\S\n]*)::/gm, '$1\\::').replaceAll(/##(?=\[|vso\[)/gi, '##\\');
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
