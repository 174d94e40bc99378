import { closestNames } from '../../base/collections/closest-names.ts';
import { listed, quote } from './words.ts';

/** The maximum number of candidates in a hint. */
const shownCandidates = 5;

/** Returns the first candidate that was probably meant. Undefined if no candidate is similar enough for a hint. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  return closestNames(word, candidates)[0];
}

/**
 * Returns the hint for a name that does not exist: the names that were probably meant, otherwise all candidates.
 *
 * @param what - the start of the sentence that lists all candidates, such as `the clusters are`
 * @returns undefined if there are no candidates
 */
export function didYouMean(word: string, candidates: Iterable<string>, what: string): string | undefined {
  const names = [...new Set(candidates)];
  const meant = closestNames(word, names).slice(0, 3);
  if (meant.length > 0) return `did you mean ${listed(meant, 'or')}?`;
  if (names.length === 0) return undefined;
  const rest = names.length - shownCandidates;
  return rest <= 0
    ? `${what} ${listed(names)}`
    : `${what} ${names.slice(0, shownCandidates).map(quote).join(', ')} and ${rest} more`;
}
