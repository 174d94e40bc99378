/** A part of a layout: a literal text, or an element such as `2006`. */
export interface LayoutPart {
  readonly prefix: string;
  /** Undefined at the end of the layout. */
  readonly element: string | undefined;
}

// As nextStdChunk of package time. A short name before a small letter is part of a word, as in `Janet`.
const elements =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|002|0[1-6]|15|1|2006|2|__2|_2(?!006)|[345]|PM|pm|[-Z](?:070000|07:00:00|0700|07:00|07)|[.,](?:0+|9+)(?!\d)/g;

/** Returns the parts of a layout of package time, in order. */
export function layoutParts(layout: string): LayoutPart[] {
  const parts: LayoutPart[] = [];
  let at = 0;
  for (const match of layout.matchAll(elements)) {
    parts.push({ prefix: layout.slice(at, match.index), element: match[0] });
    at = match.index + match[0].length;
  }
  return [...parts, { prefix: layout.slice(at), element: undefined }];
}

export function isFraction(element: string | undefined): element is string {
  return element !== undefined && /^[.,]/.test(element);
}

export function isNumericZone(element: string): boolean {
  return /^[-Z]0/.test(element);
}

export const months =
  'January February March April May June July August September October November December'.split(' ');
export const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
