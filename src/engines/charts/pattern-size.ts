/** How often RE2 allows a part to be repeated, with all repetitions around it. */
const mostRepetitions = 1000;

/** A class with at least one character, an escaped character, a count, or any other character. */
const part =
  /\[\^?(?:\\.|[^\\])(?:[^\]\\]|\\.)*(?:\]|\\?$)|\\(?:[pPx]\{[^}]{0,40}\}|.)|\{(\d+)(?:,(\d*))?\}|./suy;

/**
 * Returns about how many states a regular expression has: its characters and classes, those of a part with a count as often as it is
 * repeated.
 */
export function patternSize(pattern: string): number {
  /** The size of the whole, and of each group that is open. */
  const sizes = [0];
  /** The size of the last part, which a count repeats. */
  let last = 0;
  part.lastIndex = 0;
  for (let found = part.exec(pattern); found !== null; found = part.exec(pattern)) {
    const [text, least, most] = found;
    if (text === '(') {
      sizes.push(0);
      continue;
    }
    if (least !== undefined) last *= Math.min(mostRepetitions, Number(most || least)) - 1;
    else last = text === ')' && sizes.length > 1 ? (sizes.pop() ?? 0) : 1;
    sizes.push((sizes.pop() ?? 0) + last);
  }
  const size = sizes.reduce((sum, each) => sum + each, 0);
  return Math.min(size, pattern.length * mostRepetitions);
}
