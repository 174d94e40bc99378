import { UnansweredError } from '../generation-error.ts';

/** A part of a pattern: a text, any character, any characters, or one of a set. */
type Token =
  | { readonly kind: 'text' | 'set'; readonly matches: (character: string) => boolean }
  | { readonly kind: 'any' | 'star' };

/** How a pattern is read. */
interface Rules {
  /** Whether a wildcard can match a slash. */
  readonly crossesSlashes: boolean;
  /** The characters that negate a set. */
  readonly negations: string;
}

/** Go's `path.Match`. */
const ofGo: Rules = { crossesSlashes: false, negations: '^' };
/** A pathspec of Git without magic. */
const ofGit: Rules = { crossesSlashes: true, negations: '^!' };

/** Whether a path matches a pattern of Go's `path.Match`. An invalid pattern matches nothing: Argo CD logs it. */
export function matchesPath(pattern: string, path: string): boolean {
  const tokens = tokensOf(pattern, ofGo);
  return tokens !== undefined && matches(tokens, path, ofGo);
}

/**
 * Whether `git ls-files PATTERN` lists a file: the pattern is its path or a folder above it, or matches the path, where `*` matches
 * slashes too.
 *
 * @throws {UnansweredError} for the magic of pathspecs, and for patterns that leave the repository
 */
export function matchesPathspec(pattern: string, path: string): boolean {
  if (pattern.startsWith(':')) throw new UnansweredError(`the pattern "${pattern}" of the git generator`);
  const parts = pattern.split('/').filter((part) => part !== '.' && part !== '');
  if (pattern.startsWith('/') || parts.includes('..'))
    throw new UnansweredError(`the pattern "${pattern}" of the git generator`);
  const plain = parts.join('/');
  const isFolder = pattern.endsWith('/');
  if (plain === '' || (path === plain && !isFolder) || path.startsWith(`${plain}/`)) return true;
  if (!/[*?[\\]/.test(plain)) return false;
  const tokens = tokensOf(isFolder ? `${plain}/` : plain, ofGit);
  return tokens !== undefined && matches(tokens, path, ofGit);
}

/** Matches with one point of return, which is enough: a later star can take over from an earlier one. */
function matches(tokens: readonly Token[], path: string, { crossesSlashes }: Rules): boolean {
  let [at, next, star, resume] = [0, 0, -1, 0];
  while (at < path.length) {
    const token = tokens[next];
    const character = path[at] ?? '';
    const isFree = crossesSlashes || character !== '/';
    if (token?.kind === 'star') {
      star = next++;
      resume = at;
    } else if (token !== undefined && isMatch(token, character, isFree)) {
      next++;
      at++;
    } else if (star >= 0 && (crossesSlashes || path[resume] !== '/')) {
      next = star + 1;
      at = ++resume;
    } else return false;
  }
  while (tokens[next]?.kind === 'star') next++;
  return next === tokens.length;
}

function isMatch(token: Token, character: string, isFree: boolean): boolean {
  if (!('matches' in token)) return token.kind === 'any' && isFree;
  return (token.kind === 'text' || isFree) && token.matches(character);
}

function tokensOf(pattern: string, rules: Rules): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index] ?? '';
    if (character === '*') tokens.push({ kind: 'star' });
    else if (character === '?') tokens.push({ kind: 'any' });
    else if (character === '[') {
      const set = setAt(pattern, index, rules);
      if (set === undefined) return undefined;
      tokens.push({ kind: 'set', matches: set.matches });
      index = set.end;
    } else {
      const literal = character === '\\' ? pattern[++index] : character;
      if (literal === undefined) return undefined;
      tokens.push({ kind: 'text', matches: (each) => each === literal });
    }
  }
  return tokens;
}

/** Reads a set such as `[a-z]`; undefined if it has no end. */
function setAt(
  pattern: string,
  start: number,
  { negations }: Rules,
): { readonly matches: (character: string) => boolean; readonly end: number } | undefined {
  let index = start + 1;
  const isNegated = negations.includes(pattern[index] ?? ' ');
  if (isNegated) index++;
  const ranges: (readonly [string, string])[] = [];
  const literal = (): string | undefined => {
    const character = pattern[index] === '\\' ? pattern[++index] : pattern[index];
    index++;
    return character;
  };
  while (ranges.length === 0 || pattern[index] !== ']') {
    if (pattern.startsWith('[:', index))
      throw new UnansweredError(`the pattern "${pattern}" of the git generator`);
    const low = literal();
    if (low === undefined) return undefined;
    let high: string | undefined = low;
    if (pattern[index] === '-' && pattern[index + 1] !== ']') {
      index++;
      high = literal();
    }
    if (high === undefined) return undefined;
    ranges.push([low, high]);
  }
  const isIn = (character: string): boolean =>
    ranges.some(([low, high]) => low <= character && character <= high);
  return { matches: (character) => isIn(character) !== isNegated, end: index };
}
