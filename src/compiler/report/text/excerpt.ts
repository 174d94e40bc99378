import { actingCharacter } from './terminal-line.ts';

/** A line of a source, cut to the available width, with the position of a caret below it. */
export interface Excerpt {
  readonly text: string;
  /** The number of columns to the left of the caret. */
  readonly caret: number;
}

const ellipsis = '…';

/**
 * Returns the part of a line around a column, at most `width` columns wide. Tabs are shown as arrows, because the spacing that
 * they hide is often the cause of the error. Other control characters are shown as a replacement character, because a terminal
 * could interpret them.
 *
 * @param column - from 1, in UTF-16 code units
 */
export function excerpt(line: string, column: number, width = 80): Excerpt {
  const caret = Math.min(column - 1, line.length);
  const shown = line
    .replaceAll('\t', '→')
    .replaceAll(actingCharacter, '\ufffd')
    .replaceAll(/##(?=\[|vso\[)/gi, '#\ufffd')
    .trimEnd();
  if (shown.length <= width) return { text: shown, caret };
  const latest = shown.length - width;
  const start = Math.min(Math.max(0, caret - Math.floor(width / 2)), latest);
  const end = start + width;
  const left = start > 0 ? ellipsis : '';
  const right = end < shown.length ? ellipsis : '';
  return { text: left + shown.slice(start + left.length, end - right.length) + right, caret: caret - start };
}
