import { noSuchOverload } from '../values/comparison.ts';
import { instanceOf, method, overload, text } from '../function.ts';
import type { FunctionDeclaration } from '../function.ts';
import { compareVersions, parseVersion } from '../values/semantic-version.ts';
import type { SemanticVersion } from '../values/semantic-version.ts';
import { boolType, intType, structType } from '../check/types.ts';
import { CelError } from '../error.ts';
import type { CelBox } from '../values/box.ts';

class CelSemver implements CelBox {
  readonly typeName = 'kubernetes.Semver';
  readonly version: SemanticVersion;

  constructor(version: SemanticVersion) {
    this.version = version;
  }

  equals(other: unknown): boolean | CelError {
    return other instanceof CelSemver ? compareVersions(this.version, other.version) === 0 : noSuchOverload;
  }
}

const semverType = structType('kubernetes.Semver');
const semver = instanceOf(semverType, CelSemver);

function part(name: string, index: 0 | 1 | 2): FunctionDeclaration {
  // as Go's conversion of a uint64 to an int64
  const read = ({ version }: CelSemver) => BigInt.asIntN(64, version.numbers[index]);
  return { name, overloads: [method(`semver_${name}`, [semver], intType, read)] };
}

/** Kubernetes' semver library in its version 0: without the overloads that normalize. */
export const semverFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'semver',
    overloads: [
      overload('string_to_semver', [text], semverType, (value) => {
        const version = parseVersion(value);
        return typeof version === 'string' ? new CelError(version) : new CelSemver(version);
      }),
    ],
  },
  {
    name: 'isSemver',
    overloads: [
      overload('is_semver_string', [text], boolType, (value) => typeof parseVersion(value) !== 'string'),
    ],
  },
  {
    name: 'isGreaterThan',
    overloads: [
      method(
        'semver_is_greater_than',
        [semver, semver],
        boolType,
        (a, b) => compareVersions(a.version, b.version) > 0,
      ),
    ],
  },
  {
    name: 'isLessThan',
    overloads: [
      method(
        'semver_is_less_than',
        [semver, semver],
        boolType,
        (a, b) => compareVersions(a.version, b.version) < 0,
      ),
    ],
  },
  {
    name: 'compareTo',
    overloads: [
      method('semver_compare_to', [semver, semver], intType, (a, b) =>
        BigInt(compareVersions(a.version, b.version)),
      ),
    ],
  },
  part('major', 0),
  part('minor', 1),
  part('patch', 2),
];
