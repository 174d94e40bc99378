import { stripVTControlCharacters } from 'node:util';

/**
 * Returns the number of columns of a text for yargs, whose help has no wide characters. The built command uses it in place of the
 * package `string-width`, which takes longer to load than the rest of yargs: it has a regular expression of all emoji.
 */
export default function stringWidth(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}
