import { RE2JS } from 're2js';
import { CannotTell, CelError } from '../error.ts';

const compiled = new Map<string, RE2JS | CelError>();
const mostCompiled = 1000;

/** Character classes that are the same in all versions of Go and Unicode: general categories, and the large scripts. */
const settledClasses =
  /^(?:C[cfos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|Any|Arabic|Armenian|Common|Cyrillic|Devanagari|Greek|Han|Hangul|Hebrew|Hiragana|Inherited|Katakana|Latin|Thai)$/;

/**
 * Compiles a pattern in RE2's syntax, or returns its error. Patterns are cached, because each is used for every cluster.
 *
 * @throws {CannotTell} for character classes that not every hub knows
 */
export function compilePattern(pattern: string): RE2JS | CelError {
  const cached = compiled.get(pattern);
  if (cached !== undefined) return cached;
  for (const [, name = ''] of pattern.matchAll(/\\[pP]\{\^?(\w+)\}/g))
    if (!settledClasses.test(name))
      throw new CannotTell(`not every hub supports the character class ${name}`);
  if (compiled.size >= mostCompiled) compiled.clear();
  const result = compile(pattern);
  compiled.set(pattern, result);
  return result;
}

function compile(pattern: string): RE2JS | CelError {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Go accepts several groups with one name, and nothing reads the names
    if (error.message.includes('duplicate capture group name')) return compile(withoutGroupNames(pattern));
    return new CelError(error.message);
  }
}

const groupName = /\(\?P?<\w+>/y;

/** Leaves literal text, escapes and character classes unchanged. */
function withoutGroupNames(pattern: string): string {
  let result = '';
  for (let at = 0; at < pattern.length;) {
    groupName.lastIndex = at;
    const [group] = groupName.exec(pattern) ?? [];
    if (group !== undefined) {
      result += '(';
      at += group.length;
      continue;
    }
    const end = literalEnd(pattern, at);
    result += pattern.slice(at, end);
    at = end;
  }
  return result;
}

/** Returns the end of the literal text, escape, character class or character that begins at a position. */
function literalEnd(pattern: string, at: number): number {
  if (pattern.startsWith('\\Q', at)) {
    const end = pattern.indexOf('\\E', at);
    return end < 0 ? pattern.length : end + 2;
  }
  if (pattern[at] === '\\') return at + 2;
  return pattern[at] === '[' ? classEnd(pattern, at) : at + 1;
}

/** Returns the end of a character class, such as `[^]a\][:alpha:]]`; the end of the pattern if it is not closed. */
function classEnd(pattern: string, start: number): number {
  let at = start + 1;
  if (pattern[at] === '^') at += 1;
  if (pattern[at] === ']') at += 1;
  let bracket = 0;
  while (at < pattern.length && pattern[at] !== ']') {
    if (bracket >= 0 && bracket < at) bracket = pattern.indexOf(']', at);
    const isNamed = pattern.startsWith('[:', at) && bracket > at + 2 && pattern[bracket - 1] === ':';
    at = isNamed ? bracket + 1 : at + (pattern[at] === '\\' ? 2 : 1);
  }
  return Math.min(at + 1, pattern.length);
}

/** Whether the pattern matches anywhere in the text. */
export function matches(text: string, pattern: string): boolean | CelError {
  const expression = compilePattern(pattern);
  return expression instanceof CelError ? expression : expression.matcher(text).find();
}

/** Returns the first match, or an empty text. */
export function findFirst(text: string, pattern: string): string | CelError {
  const [first = ''] = [findAll(text, pattern, 1)].flat();
  return first;
}

/** Returns the matches that do not overlap; empty ones right after another match do not count, as in Go. */
export function findAll(text: string, pattern: string, most: number): string[] | CelError {
  const expression = compilePattern(pattern);
  if (expression instanceof CelError) return new CelError(`Illegal regex: ${expression.message}`);
  const matcher = expression.matcher(text);
  const results: string[] = [];
  let position = 0;
  let previousEnd = -1;
  while (results.length < most && position <= text.length && matcher.find(position)) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (end > start || start !== previousEnd) results.push(text.slice(start, end));
    previousEnd = end;
    position =
      end > position ? end : position + (String.fromCodePoint(text.codePointAt(position) ?? 0).length || 1);
    if (end <= start && start > position) position = start;
  }
  return results;
}
