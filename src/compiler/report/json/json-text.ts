import { actingCharacter } from '../text/terminal-line.ts';

/**
 * Formats a value as indented JSON with a trailing line break. Parsing the JSON returns the original texts, and no character of a
 * text takes effect in a terminal or the log of a CI job.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, integersAsDigits, 2)
    .replaceAll(actingCharacter, (character) => (character === '\n' ? character : escaped(character)))
    .replaceAll(/##(?=\[|vso\[)/gi, '#\\u0023');
  return `${text}\n`;
}

/** Writes integers that a double cannot represent as their digits. */
function integersAsDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}
