/** Names of kept files, the latest first, as the outputs of some commits list them. */
export interface Histories {
  /** The list of the output that the next one replaces. */
  readonly own: readonly string[];
  /** What an output has as current, and the next one does not: the clusters of a rollout use these. */
  readonly replaced: readonly string[];
  /** The lists of other outputs: of the base, and of the other side of a merge. */
  readonly others: readonly (readonly string[])[];
  /** The number of files to keep. */
  readonly limit: number;
}

/**
 * Returns the files that the next output keeps. Whatever Git does, the result is the same for the commit that has it:
 *
 * - the limit never drops what an output replaces now, even if there are more files than it allows;
 * - it drops others only when a file is added, so that a list which is longer remains as it is;
 * - what only other outputs list, because this one was reverted or restored, fills the list up to the limit.
 */
export function mergeHistory({ own, replaced, others, limit }: Histories): readonly string[] {
  const listed = new Set(own);
  const added = new Set(replaced.filter((file) => !listed.has(file)));
  const all = new Set([...added, ...own]);
  const isReplaced = new Set(replaced);
  const kept =
    added.size === 0 ? [...all] : [...all].filter((file, index) => index < limit || isReplaced.has(file));
  for (const file of others.flat()) {
    if (kept.length >= limit) break;
    if (!all.has(file)) kept.push(file);
    all.add(file);
  }
  return kept;
}
