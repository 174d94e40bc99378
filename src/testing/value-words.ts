import { shortenedSides } from '../compiler/report/value-diff.ts';

const longest = 120;

/**
 * Returns a value as JSON on one line, truncated if it is long; for `expect.stringMatching` and similar matchers,
 * their condition.
 */
export function valueWords(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (!isRule(value)) return shortenedSides(undefined, value, longest).there ?? 'nothing';
  const name = value.toString();
  return value.sample === undefined ? name : `${name} ${valueWords(value.sample)}`;
}

/** An asymmetric matcher of vitest and Jest, with the fields that describe it. */
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
