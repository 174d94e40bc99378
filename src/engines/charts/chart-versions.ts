import { FunctionError } from '../gotemplate/index.ts';
import { compareVersions, parseVersion, type Version } from './functions/semantic-version.ts';
import { satisfies } from './functions/version-constraint.ts';

/**
 * Returns the version that Helm chooses: the one with this text, otherwise the newest that satisfies the constraint. Pre-releases
 * count only for constraints that name one. Texts that are not versions are left out.
 *
 * @param constraint - such as `1.2.3` or `^1.2`. @default - any version
 * @returns undefined if there is none
 * @throws {RangeError} if the constraint is not valid
 */
export function newestVersion(versions: readonly string[], constraint = '*'): string | undefined {
  if (versions.includes(constraint)) return constraint;
  try {
    satisfies('0.0.0', constraint);
  } catch (error) {
    if (error instanceof FunctionError) throw new RangeError(error.message);
    throw error;
  }
  let newest: Version | undefined;
  for (const text of versions) {
    const version = versionOf(text);
    if (version === undefined || !satisfies(text, constraint)) continue;
    if (newest === undefined || compareVersions(version, newest) > 0) newest = version;
  }
  return newest?.original;
}

function versionOf(text: string): Version | undefined {
  try {
    return parseVersion(text);
  } catch {
    return undefined;
  }
}
