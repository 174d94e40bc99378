/**
 * Returns the candidates that were probably meant, in order: equal except for upper and lower case, or with at most a third of the
 * letters different. Of several, those with the fewest different letters.
 *
 * @param mostLetters - the maximum number of different letters
 */
export function closestNames(word: string, candidates: Iterable<string>, mostLetters = 3): readonly string[] {
  const lower = word.toLowerCase();
  let best: string[] = [];
  let bestDistance = Math.min(mostLetters, Math.floor(word.length / 3));
  for (const candidate of candidates) {
    const distance = editDistance(lower, candidate.toLowerCase(), bestDistance + 1);
    if (distance > bestDistance) continue;
    if (distance < bestDistance) best = [];
    bestDistance = distance;
    best.push(candidate);
  }
  return best;
}

/** Returns the number of letters to add, remove, replace or swap with their neighbor; `limit` if it is at least that. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let distance = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, at(beforeLast, j - 2) + 1);
      }
      row.push(distance);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
