import { FunctionError } from '../../gotemplate/index.ts';
import { comparePreReleases, compareVersions, parseVersion, type Version } from './semantic-version.ts';

const version = String.raw`v?([0-9|xX*]+)(\.[0-9|xX*]+)?(\.[0-9|xX*]+)?(-([0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*))?(\+([0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*))?`;
const operator = String.raw`=||!=|>|<|>=|=>|<=|=<|~|~>|\^`;
const one = new RegExp(`^\\s*(${operator})\\s*(${version})\\s*$`);
const every = new RegExp(`(${operator})\\s*(${version})`, 'g');
const valid = new RegExp(
  `^(\\s*(${operator})\\s*(${version})\\s*)((?:\\s+|,\\s*)(${operator})\\s*(${version})\\s*)*$`,
);
const range = new RegExp(`\\s*(${version})\\s+-\\s+(${version})\\s*`, 'g');

/** One comparison, and which parts of its version are missing or wild cards. */
interface Constraint {
  readonly operator: string;
  readonly version: Version;
  readonly isDirty: boolean;
  readonly isMinorDirty: boolean;
  readonly isPatchDirty: boolean;
}

/**
 * Whether a version satisfies a constraint such as `>=1.2, <2 || ~3.1`. As github.com/Masterminds/semver.
 *
 * @throws {FunctionError} with the library's message
 */
export function satisfies(text: string, constraint: string): boolean {
  const alternatives = rewritten(constraint).split('||').map(parseAll);
  const parsed = parseVersion(text);
  return alternatives.some((constraints) => {
    const includesPreReleases = constraints.some((each) => each.version.preRelease !== '');
    if (parsed.preRelease !== '' && !includesPreReleases) return false;
    return constraints.every((each) => matches(parsed, each));
  });
}

/** Replaces `1.2 - 3` with comparisons. */
function rewritten(constraint: string): string {
  let result = constraint;
  for (const match of constraint.matchAll(range)) {
    const [all, from = ''] = match;
    result = result.replace(all, () => `>= ${from}, <= ${match[11] ?? ''} `);
  }
  return result;
}

function parseAll(text: string): Constraint[] {
  if (!valid.test(text)) throw new FunctionError(`improper constraint: ${text}`);
  return (text.match(every) ?? [text]).map(parse);
}

function parse(text: string): Constraint {
  const match = one.exec(text);
  if (match === null) throw new FunctionError(`improper constraint: ${text}`);
  const [, sign = '', full = '', major = '', minor = '', patch = '', preRelease = ''] = match;
  const [isMajorWild, isMinorWild, isPatchWild] = [isWild(major), isWild(minor), isWild(patch)];
  let concrete = full;
  if (isMajorWild) concrete = `0.0.0${preRelease}`;
  else if (isMinorWild) concrete = `${major}.0.0${preRelease}`;
  else if (isPatchWild) concrete = `${major}${minor}.0${preRelease}`;
  return {
    operator: sign,
    version: parseConcrete(concrete),
    isDirty: isMajorWild || isMinorWild || isPatchWild,
    isMinorDirty: !isMajorWild && isMinorWild,
    isPatchDirty: !isMajorWild && !isMinorWild && isPatchWild,
  };
}

function parseConcrete(text: string): Version {
  try {
    return parseVersion(text);
  } catch {
    throw new FunctionError('constraint parser error');
  }
}

function isWild(part: string): boolean {
  return ['', 'x', 'X', '*'].includes(part.replace(/^\./, ''));
}

function matches(version: Version, constraint: Constraint): boolean {
  const order = compareVersions(version, constraint.version);
  switch (constraint.operator) {
    case '':
    case '=':
      return constraint.isDirty ? tilde(version, constraint) : order === 0;
    case '!=':
      return differs(version, constraint);
    case '>':
      return isGreater(version, constraint, order);
    case '<':
      return order < 0;
    case '>=':
    case '=>':
      return order >= 0;
    case '<=':
    case '=<':
      return isAtMost(version, constraint, order);
    case '^':
      return order >= 0 && caret(version, constraint);
    default:
      return tilde(version, constraint);
  }
}

function differs(
  version: Version,
  { version: other, isDirty, isMinorDirty, isPatchDirty }: Constraint,
): boolean {
  if (isDirty) {
    if (version.major !== other.major) return true;
    if (isMinorDirty) return false;
    if (version.minor !== other.minor) return true;
    if (isPatchDirty)
      return (
        (version.preRelease !== '' || other.preRelease !== '') &&
        comparePreReleases(version.preRelease, other.preRelease) !== 0
      );
    if (version.patch !== other.patch) return true;
  }
  return compareVersions(version, other) !== 0;
}

function isGreater(version: Version, constraint: Constraint, order: number): boolean {
  const other = constraint.version;
  if (!constraint.isDirty) return order > 0;
  if (version.major !== other.major) return version.major > other.major;
  if (constraint.isMinorDirty) return false;
  return constraint.isPatchDirty ? version.minor > other.minor : order > 0;
}

function isAtMost(version: Version, constraint: Constraint, order: number): boolean {
  const other = constraint.version;
  if (!constraint.isDirty) return order <= 0;
  if (version.major !== other.major) return version.major < other.major;
  return constraint.isMinorDirty || version.minor <= other.minor;
}

/** `~1.2`: the same minor version, or the same major version where it is not given. */
function tilde(version: Version, { version: other, isMinorDirty, isPatchDirty }: Constraint): boolean {
  if (compareVersions(version, other) < 0) return false;
  const isZero = other.major === 0n && other.minor === 0n && other.patch === 0n;
  if (isZero && !isMinorDirty && !isPatchDirty) return true;
  return version.major === other.major && (isMinorDirty || version.minor === other.minor);
}

/** `^1.2`: nothing changes before the first part that is not 0. */
function caret(version: Version, { version: other, isMinorDirty, isPatchDirty }: Constraint): boolean {
  if (version.major !== other.major) return false;
  if (other.major > 0n || isMinorDirty) return true;
  if (version.minor !== other.minor) return false;
  return other.minor > 0n || isPatchDirty || version.patch === other.patch;
}
