/** Returns a text in double quotes, as messages print it. */
export function quote(text: string): string {
  return `"${text}"`;
}

/** Returns `"a"`, `"a" and "b"`, `"a", "b" and "c"`. */
export function listed(names: readonly string[], link: 'and' | 'or' = 'and'): string {
  return series(names.map(quote), link);
}

/** Returns words as prose lists them: one, two and three. */
export function series(words: readonly string[], link: 'and' | 'or' = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${link} ${last}`;
}

/** Returns `1 object`, or `3 objects`. */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** Returns `1 cluster`, or `3 clusters`. */
export function clusterCount(clusters: number): string {
  return counted(clusters, 'cluster');
}
