/** Where a conflict begins: Git writes seven of these characters, and the name of a side. */
const begin = /^<{7}(?: |$)/m;

/** Returns the line of the first conflict marker of Git in a text, from 1. Undefined if there is none. */
export function conflictLine(text: string): number | undefined {
  const at = text.search(begin);
  return at < 0 || !/^>{7}(?: |$)/m.test(text) ? undefined : text.slice(0, at).split('\n').length;
}

/** Returns the two texts that Git could not merge, each without the markers. A text without a conflict is returned alone. */
export function conflictSides(text: string): readonly string[] {
  if (conflictLine(text) === undefined) return [text];
  const [ours, theirs]: [string[], string[]] = [[], []];
  let part: 'both' | 'ours' | 'ancestor' | 'theirs' = 'both';
  for (const line of text.split('\n')) {
    if (/^<{7}(?: |$)/.test(line)) part = 'ours';
    else if (/^\|{7}(?: |$)/.test(line)) part = 'ancestor';
    else if (/^={7}$/.test(line) && part !== 'both') part = 'theirs';
    else if (/^>{7}(?: |$)/.test(line)) part = 'both';
    else {
      if (part === 'both' || part === 'ours') ours.push(line);
      if (part === 'both' || part === 'theirs') theirs.push(line);
    }
  }
  return [ours.join('\n'), theirs.join('\n')];
}
