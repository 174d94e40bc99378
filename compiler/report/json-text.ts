import { actingCharacter } from './terminal-line.ts';

/**
 * A value as indented JSON that ends in a line break. Texts stay what they are to a reader of JSON, and none of their characters acts
 * where the JSON is shown in a terminal or the log of a CI job.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, integersAsDigits, 2)
    .replaceAll(actingCharacter, (character) => (character === '\n' ? character : escaped(character)))
    .replaceAll(/##(?=\[|vso\[)/gi, '#\\u0023');
  return `${text}\n`;
}

/** Integers that a double cannot hold are kept as their digits. */
function integersAsDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}
