import { shortenedSides } from '../compiler/report/value-diff.ts';

const longest = 120;

/** A value as JSON on one line, cut where it is long; of `expect.stringMatching` and its like, what they ask for. */
export function valueWords(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (!isRule(value)) return shortenedSides(undefined, value, longest).there ?? 'nothing';
  const name = value.toString();
  return value.sample === undefined ? name : `${name} ${valueWords(value.sample)}`;
}

/** What vitest and Jest match values by, as far as it tells of itself. */
interface Rule {
  readonly sample?: unknown;
  toString(): string;
}

function isRule(value: unknown): value is Rule {
  return (
    typeof value === 'object' &&
    value !== null &&
    'asymmetricMatch' in value &&
    typeof value.asymmetricMatch === 'function'
  );
}
