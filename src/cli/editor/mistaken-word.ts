import type { Position, Range } from 'vscode-languageserver/node';
import { closestNames } from '../../base/collections/closest-names.ts';
import { guessResource } from '../../base/names/resource-name.ts';
import type { TextPositions } from './text-positions.ts';

/** A word of a text that a finding is about, and what belongs in its place. */
export interface MistakenWord {
  readonly word: string;
  readonly newText: string;
  readonly range: Range;
}

/** What a finding says about a name. */
interface Mistake {
  readonly message: string;
  /** A name that was probably meant: `namespace/name` for an object in a namespace. */
  readonly meant: string;
}

/** How many lines a reference has at most: a finding points at its first one. */
const longestReference = 6;

/**
 * Returns the word at the place of a finding that has to be replaced for what was meant. A finding can have a hint about another field than
 * the one it points at, and messages name several things. So the word must be in the message, and similar to what was meant; otherwise
 * nothing is offered.
 */
export function mistakenWord(
  text: TextPositions,
  start: Position,
  mistake: Mistake,
): MistakenWord | undefined {
  for (const { line: lineOf, from, written } of linesOfField(text, start)) {
    if (lineOf >= start.line + longestReference) return undefined;
    const words = wordsOf(written, lineOf, from);
    const candidates = words.flatMap((word) => {
      const newText = replacementOf(word, mistake);
      return newText === undefined ? [] : [{ ...word, newText }];
    });
    if (candidates.length === 0) continue;
    // In `{ env: pord, tier: pord }`, the finding is about the field that it points at.
    const own = candidates.filter(({ isOwn }) => isOwn);
    const [only, another] = own.length === 0 ? candidates : own;
    if (only === undefined || another !== undefined) return undefined;
    const { line, column, text: word, newText } = only;
    return {
      word,
      newText,
      range: { start: { line, character: column }, end: { line, character: column + word.length } },
    };
  }
  return undefined;
}

interface Word {
  readonly text: string;
  /** From 0, as the column. */
  readonly line: number;
  readonly column: number;
  /** Whether it is the value of a field `namespace`. */
  readonly isNamespace: boolean;
  /** Whether it is the key or the value at the place of the finding. */
  readonly isOwn: boolean;
}

/** A line of a text. */
interface WrittenLine {
  /** From 0. */
  readonly line: number;
  /** Where the field begins; 0 after its first line. */
  readonly from: number;
  readonly written: string;
}

/** Returns the lines of the mapping or the field that begins at a position: the first one, and those below it that are indented as deep. */
export function* linesOfField(
  text: TextPositions,
  { line: first, character }: Position,
): Iterable<WrittenLine> {
  yield { line: first, from: character, written: text.line(first) };
  for (let line = first + 1; line < text.lineCount; line += 1) {
    const written = text.line(line);
    const indentation = written.search(/\S/);
    if (indentation >= 0 && indentation < character) return;
    yield { line, from: 0, written };
  }
}

function wordsOf(written: string, line: number, from: number): readonly Word[] {
  const comment = /\s#/.exec(written.slice(from));
  const end = comment === null ? written.length : from + comment.index;
  const words: Word[] = [];
  for (const { 0: text, index: column } of written.slice(0, end).matchAll(/[\w./:*@-]*[\w*]/g)) {
    if (column < from) continue;
    const before = written.slice(0, column);
    words.push({
      text,
      line,
      column,
      isNamespace: /\bnamespace["']?:\s*["']?$/.test(before),
      isOwn: /^["']?(?:[\w./-]+["']?:\s+["']?)?$/.test(before.slice(from)),
    });
  }
  return words;
}

/** Returns what belongs in the place of a word; undefined if it is not the mistaken one. */
function replacementOf({ text, isNamespace }: Word, { message, meant }: Mistake): string | undefined {
  if (text === meant) return undefined;
  const slash = meant.lastIndexOf('/');
  const isWhole = !isNamespace || slash < 0;
  if (isWhole && isNamedIn(message, text) && isSimilar(text, meant)) return meant;
  const [namespace, name] = [meant.slice(0, slash), meant.slice(slash + 1)];
  if (slash < 0 || text === (isNamespace ? namespace : name)) return undefined;
  if (isNamespace) return message.includes(`"${text}/${name}"`) ? namespace : undefined;
  const written = `${namespace}/${text}`;
  return message.includes(`"${written}"`) && isSimilar(written, meant) ? name : undefined;
}

/** Whether a message names a word: alone, or at the end of a path or before a group. */
function isNamedIn(message: string, word: string): boolean {
  for (let at = message.indexOf(word); at >= 0; at = message.indexOf(word, at + 1))
    if (!/[\w-]/.test(`${message[at - 1] ?? ' '}${message[at + word.length] ?? ' '}`)) return true;
  return false;
}

/** Whether one of two words is probably a misspelling of the other, or the singular of a resource. */
function isSimilar(word: string, meant: string): boolean {
  // The path .spec.replcas is not the name of a field.
  if (/^[./]/.test(word) !== /^[./]/.test(meant)) return false;
  return closestNames(word, [meant]).length > 0 || guessResource(word) === meant;
}
