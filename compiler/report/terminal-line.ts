/**
 * Characters that a terminal obeys, that change the order of what is read, or that nobody sees: control characters, line and
 * paragraph separators, marks of writing direction, characters without width, and the tags of plane 14. Not the selectors that
 * follow an emoji.
 */
export const actingCharacter =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/gu;

/** A text whose acting characters, other than line breaks and tabs, are written as their escapes. */
export function escapeActing(text: string): string {
  return text.replaceAll(actingCharacter, (character) =>
    /[\n\t]/.test(character) ? character : escaped(character),
  );
}

/**
 * An untrusted text as one line for a terminal or the log of a CI job: line breaks become spaces, other characters that would act
 * become their escapes, and what GitHub's and Azure's runners take for a command gets a backslash.
 */
export function terminalLine(text: string): string {
  return withoutCommands(text.replaceAll(/\r?\n/g, ' ').replaceAll(actingCharacter, escaped));
}

/** A text without what the runner of a CI job takes for a command, on any of its lines. */
export function withoutCommands(text: string): string {
  return text.replaceAll(/^(\s*)::/gm, '$1\\::').replaceAll(/##(?=\[|vso\[)/gi, '##\\');
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
