import { actingCharacter } from './terminal-line.ts';

/** A line of a source, cut to what fits, with the place of a caret under it. */
export interface Excerpt {
  readonly text: string;
  /** How many columns the caret stands from the left. */
  readonly caret: number;
}

const ellipsis = '…';

/**
 * The part of a line around a column, at most `width` columns wide. Tabs show as arrows, because what they hide is often
 * the fault; other control characters as a replacement character, because a terminal might obey them.
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
