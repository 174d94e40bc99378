import { parseVersion, type SemanticVersion } from '../../engines/cel/values/semantic-version.ts';
import { parsePattern, type TextPattern } from './text-pattern.ts';

const largest = 2n ** 64n - 1n;
const identifier = '[0-9A-Za-z-]+';
const number = `(${upTo(largest)})`;
// a number without leading zeros, or text with at least one character that is no digit
const preRelease = `(${number}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`;
const version = `${number}\\.${number}\\.${number}(-${preRelease}(\\.${preRelease})*)?(\\+${identifier}(\\.${identifier})*)?`;

/** The pattern of the texts that are semantic versions. */
export const anyVersion: TextPattern = patternOf(`^${version}$`);

/**
 * Returns the patterns that tell whether a version is before another, and whether they are equal, by names of them. They say nothing
 * about texts that are no versions. None for a text that is no version, with which nothing can be compared.
 */
export function comparisonsWith(text: string): ReadonlyMap<string, TextPattern> {
  const parsed = parseVersion(text);
  if (typeof parsed === 'string') return new Map();
  return new Map([
    [`before ${text}`, patternOf(`^(${before(parsed)})$`)],
    [`version ${text}`, patternOf(`^${coreOf(parsed)}${preReleaseOf(parsed)}(\\+[\\s\\S]*)?$`)],
  ]);
}

function before({ numbers: [major, minor, patch], preRelease: parts }: SemanticVersion): string {
  const core = `${major}\\.${minor}\\.${patch}`;
  const rest = '[\\s\\S]*';
  const options = [
    ...below(major).map((less) => `(${less})\\.${rest}`),
    ...below(minor).map((less) => `${major}\\.(${less})\\.${rest}`),
    ...below(patch).map((less) => `${major}\\.${minor}\\.(${less})([-+]${rest})?`),
    // without a pre-release, every version with one comes before; with one, none without
    ...(parts.length === 0 ? [`${core}-${rest}`] : [`${core}-(${listBefore(parts)})(\\+${rest})?`]),
  ];
  return options.join('|');
}

/** The lists of pre-release parts before a list: with an earlier part, or a part of the list only. */
function listBefore(parts: SemanticVersion['preRelease']): string {
  const options: string[] = [];
  let prefix = '';
  for (const [index, part] of parts.entries()) {
    if (index > 0) options.push(prefix.slice(0, -2));
    for (const less of partBefore(part)) options.push(`${prefix}(${less})(\\.[0-9A-Za-z.-]*)?`);
    prefix += `${String(part)}\\.`;
  }
  return options.map((option) => `(${option})`).join('|') || '[^\\s\\S]';
}

/** Numbers come before texts, and texts are in the order of ASCII. */
function partBefore(part: bigint | string): readonly string[] {
  if (typeof part === 'bigint') return below(part);
  const options = [number];
  for (const [index, character] of Array.from(part).entries()) {
    const prefix = part.slice(0, index);
    if (index > 0) options.push(prefix);
    const smaller = Array.from('-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz').filter(
      (other) => other < character,
    );
    if (smaller.length > 0) options.push(`${prefix}(${smaller.join('|')})[0-9A-Za-z-]*`);
  }
  return options;
}

function coreOf({ numbers }: SemanticVersion): string {
  return numbers.join('\\.');
}

function preReleaseOf({ preRelease: parts }: SemanticVersion): string {
  return parts.length === 0 ? '' : `-${parts.map(String).join('\\.')}`;
}

/** The decimal numbers below a number: none, or one pattern. */
function below(bound: bigint): readonly string[] {
  return bound === 0n ? [] : [upTo(bound - 1n)];
}

/** The decimal numbers up to a number, without leading zeros. */
function upTo(bound: bigint): string {
  const digits = bound.toString();
  const options = ['0'];
  if (digits.length > 1) options.push(digits.length === 2 ? '[1-9]' : `[1-9][0-9]{0,${digits.length - 2}}`);
  for (const [index, digit] of Array.from(digits).entries()) {
    const least = index === 0 ? 1 : 0;
    const rest = digits.length - index - 1;
    if (Number(digit) > least)
      options.push(
        `${digits.slice(0, index)}[${least}-${Number(digit) - 1}]${rest === 0 ? '' : `[0-9]{${rest}}`}`,
      );
  }
  options.push(digits);
  return options.join('|');
}

function patternOf(source: string): TextPattern {
  const pattern = parsePattern(source);
  if (pattern === undefined) throw new Error(`this is no pattern: ${source}`);
  return pattern;
}
