/**
 * Returns an equal text with its own memory. V8 stores a part of a text as a reference to the whole, so that a short part of an earlier
 * version of a file keeps that version in memory.
 */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
