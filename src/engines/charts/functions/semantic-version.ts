import { FunctionError } from '../../gotemplate/index.ts';

/** A version as github.com/Masterminds/semver parses it: minor and patch may be missing, and `v` may be before it. */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly preRelease: string;
  readonly metadata: string;
  /** As written. */
  readonly original: string;
}

const syntax =
  /^v?(\d+)(\.\d+)?(\.\d+)?(-([0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*))?(\+([0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*))?$/;
const maxUint64 = 2n ** 64n - 1n;

/** @throws {FunctionError} with the library's message */
export function parseVersion(text: string): Version {
  const match = syntax.exec(text);
  if (match === null) throw new FunctionError('invalid semantic version');
  const [, major = '', minor = '.0', patch = '.0', , preRelease = '', , , metadata = ''] = match;
  for (const part of preRelease.split('.'))
    if (/^0\d+$/.test(part)) throw new FunctionError('version segment starts with 0');
  return {
    major: segment(major),
    minor: segment(minor.slice(1)),
    patch: segment(patch.slice(1)),
    preRelease,
    metadata,
    original: text,
  };
}

function segment(digits: string): bigint {
  const value = BigInt(digits);
  if (value > maxUint64)
    throw new FunctionError(
      `error parsing version segment: strconv.ParseUint: parsing "${digits}": value out of range`,
    );
  return value;
}

export function versionText({ major, minor, patch, preRelease, metadata }: Version): string {
  const numbers = [major, minor, patch].join('.');
  return numbers + (preRelease === '' ? '' : `-${preRelease}`) + (metadata === '' ? '' : `+${metadata}`);
}

/** Returns -1 if `a` is older, 0 if both are the same, 1 if `a` is newer. */
export function compareVersions(a: Version, b: Version): number {
  for (const part of ['major', 'minor', 'patch'] as const)
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  if (a.preRelease === '' || b.preRelease === '')
    return Number(a.preRelease === '') - Number(b.preRelease === '');
  return comparePreReleases(a.preRelease, b.preRelease);
}

export function comparePreReleases(a: string, b: string): number {
  const [partsA, partsB] = [a.split('.'), b.split('.')];
  for (let at = 0; at < Math.max(partsA.length, partsB.length); at++) {
    const order = compareParts(partsA[at] ?? '', partsB[at] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** A missing part is older, and numbers are older than words. */
function compareParts(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '' || b === '') return a === '' ? -1 : 1;
  const [isNumberA, isNumberB] = [isNumber(a), isNumber(b)];
  if (isNumberA && isNumberB) return BigInt(a) > BigInt(b) ? 1 : -1;
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a > b ? 1 : -1;
}

function isNumber(part: string): boolean {
  return /^\d+$/.test(part) && BigInt(part) <= maxUint64;
}
