import { GoObject, goFunction, Integer, type GoFunction, type Value } from '../../gotemplate/index.ts';
import { goInt } from './conversion.ts';
import { compareVersions, parseVersion, versionText, type Version } from './semantic-version.ts';
import { satisfies } from './version-constraint.ts';

const pointerType = '*semver.Version';

/** Functions on semantic versions. */
export const versionFunctions: Readonly<Record<string, GoFunction>> = {
  semver: goFunction('string -> *semver.Version', ([text]) =>
    versionObject(parseVersion(text as string), pointerType),
  ),
  semverCompare: goFunction('string, string -> bool', ([constraint, version]) =>
    satisfies(version as string, constraint as string),
  ),
};

function versionObject(version: Version, type: string): GoObject {
  const unsigned = (value: bigint): GoFunction =>
    goFunction(' -> uint64', () => new Integer(value, 'uint64'));
  const text = (value: string): GoFunction => goFunction(' -> string', () => value);
  const next = (change: Partial<Version>): GoFunction =>
    goFunction(' -> semver.Version', () => changed(version, { preRelease: '', metadata: '', ...change }));
  const compared = (result: (order: number) => Value, type_: string): GoFunction =>
    goFunction(`*semver.Version -> ${type_}`, ([other]) =>
      result(compareVersions(version, (other as GoObject).content as Version)),
    );
  const { major, minor, patch } = version;
  const methods = {
    Major: unsigned(major),
    Minor: unsigned(minor),
    Patch: unsigned(patch),
    Prerelease: text(version.preRelease),
    Metadata: text(version.metadata),
    Original: text(version.original),
    String: text(versionText(version)),
    IncMajor: next({ major: major + 1n, minor: 0n, patch: 0n }),
    IncMinor: next({ minor: minor + 1n, patch: 0n }),
    IncPatch: next(version.preRelease === '' ? { patch: patch + 1n } : {}),
    Compare: compared((order) => goInt(order), 'int'),
    Equal: compared((order) => order === 0, 'bool'),
    LessThan: compared((order) => order < 0, 'bool'),
    LessThanEqual: compared((order) => order <= 0, 'bool'),
    GreaterThan: compared((order) => order > 0, 'bool'),
    GreaterThanEqual: compared((order) => order >= 0, 'bool'),
  };
  return new GoObject(type, {
    methods: new Map(Object.entries(methods)),
    text: versionText(version),
    content: version,
    contentKey: [versionText(version), version.original].join('\n'),
  });
}

function changed(version: Version, change: Partial<Version>): GoObject {
  const next = { ...version, ...change };
  const prefix = version.original.startsWith('v') ? 'v' : '';
  return versionObject({ ...next, original: prefix + versionText(next) }, 'semver.Version');
}

/** What Go's copy of a version is: the copy leaves out fields that are not exported. */
export function emptyVersion(): GoObject {
  return versionObject({ ...parseVersion('0.0.0'), original: '' }, pointerType);
}
