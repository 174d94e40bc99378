import { goQuote } from '../../../base/go/quote.ts';

/** A semantic version. The text after `+` is ignored when versions are compared. */
export interface SemanticVersion {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly preRelease: readonly (bigint | string)[];
}

const maxUint64 = 2n ** 64n - 1n;

/** Parses a version as github.com/blang/semver's `Parse`, or returns its error message. */
export function parseVersion(text: string): SemanticVersion | string {
  if (text === '') return 'Version string empty';
  const parts = /^([^.]*)\.([^.]*)\.([^]*)$/.exec(text);
  if (parts === null) return 'No Major.Minor.Patch elements found';
  const [, majorText = '', minorText = '', rest = ''] = parts;
  const major = parseNumber('major', majorText);
  if (typeof major === 'string') return major;
  const minor = parseNumber('minor', minorText);
  if (typeof minor === 'string') return minor;

  const plus = rest.indexOf('+');
  const version = plus < 0 ? rest : rest.slice(0, plus);
  const dash = version.indexOf('-');
  const patch = parseNumber('patch', dash < 0 ? version : version.slice(0, dash));
  if (typeof patch === 'string') return patch;

  const preRelease: (bigint | string)[] = [];
  for (const part of dash < 0 ? [] : version.slice(dash + 1).split('.')) {
    const parsed = parsePreRelease(part);
    if (parsed.error !== undefined) return parsed.error;
    preRelease.push(parsed.value);
  }
  for (const part of plus < 0 ? [] : rest.slice(plus + 1).split('.')) {
    if (part === '') return 'Build meta data is empty';
    if (!isAlphanumeric(part)) return `Invalid character(s) found in build meta data ${goQuote(part)}`;
  }
  return { numbers: [major, minor, patch], preRelease };
}

function parseNumber(name: string, text: string): bigint | string {
  if (!/^\d*$/.test(text)) return `Invalid character(s) found in ${name} number ${goQuote(text)}`;
  if (/^0./.test(text)) {
    const capitalized = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
    return `${capitalized} number must not contain leading zeroes ${goQuote(text)}`;
  }
  if (text === '') return 'strconv.ParseUint: parsing "": invalid syntax';
  const value = BigInt(text);
  return value > maxUint64 ? `strconv.ParseUint: parsing ${goQuote(text)}: value out of range` : value;
}

function parsePreRelease(
  text: string,
): { readonly value: bigint | string; readonly error?: undefined } | { readonly error: string } {
  if (text === '') return { error: 'Prerelease is empty' };
  if (/^\d+$/.test(text)) {
    if (/^0./.test(text))
      return { error: `Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}` };
    const value = BigInt(text);
    return value > maxUint64 ? { error: 'value out of range' } : { value };
  }
  if (!isAlphanumeric(text)) return { error: `Invalid character(s) found in prerelease ${goQuote(text)}` };
  return { value: text };
}

function isAlphanumeric(text: string): boolean {
  return /^[0-9A-Za-z-]*$/.test(text);
}

/** Returns -1 if `a` is older, 0 if both are the same, 1 if `a` is newer. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): -1 | 0 | 1 {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number > other ? 1 : -1;
  }
  if (a.preRelease.length === 0 || b.preRelease.length === 0) {
    if (a.preRelease.length === b.preRelease.length) return 0;
    return a.preRelease.length === 0 ? 1 : -1;
  }
  for (const [index, part] of a.preRelease.entries()) {
    const other = b.preRelease[index];
    if (other === undefined) return 1;
    const order = comparePreReleases(part, other);
    if (order !== 0) return order;
  }
  return a.preRelease.length === b.preRelease.length ? 0 : -1;
}

/** Numbers are older than words. */
function comparePreReleases(a: bigint | string, b: bigint | string): -1 | 0 | 1 {
  if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1;
  if (a === b) return 0;
  return a > b ? 1 : -1;
}
