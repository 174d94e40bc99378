import type { GoJsonObject } from '../../../base/json/go-json.ts';
import { diagnostic, type Diagnostic, type Outcome } from '../../model/diagnostic.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { LoadedObject } from '../../model/inventory.ts';
import type { ManagerProfile } from '../../model/manager-profile.ts';
import type { ReadPosition } from '../../../ocm/referent.ts';
import { checkValue } from '../../parameters/check-value.ts';
import { pointAt } from '../../model/point-at.ts';
import { sourceApiVersion } from '../../model/source-kinds.ts';
import { managerProfileSchema } from './manager-profile-schema.ts';

/** Whether an object is a ManagerProfile, a kind that no API server has. */
export function isManagerProfile({ object }: LoadedObject): boolean {
  return object.apiVersion === sourceApiVersion && object.kind === 'ManagerProfile';
}

/** Reads profiles, by add-on. Invalid ones are reported and left out. */
export function readManagerProfiles(
  objects: readonly LoadedObject[],
): Outcome<ReadonlyMap<string, ManagerProfile>> {
  const profiles = new Map<string, ManagerProfile>();
  const diagnostics: Diagnostic[] = [];
  const report = (
    loaded: LoadedObject,
    path: FieldPath,
    details: Pick<Diagnostic, 'message' | 'hint' | 'related'>,
  ): void => {
    diagnostics.push(diagnostic('FW6043', { ...details, ...pointAt(loaded, path) }));
  };
  for (const loaded of objects) {
    // The keywords are those of structural schemas; descriptions are for editors.
    const faults = checkValue(loaded.object, managerProfileSchema, 'ManagerProfile');
    for (const { path, message, hint } of faults)
      report(loaded, path, { message, ...(hint !== undefined && { hint }) });
    if (faults.length > 0) continue;
    const { metadata, spec } = loaded.object as unknown as WrittenProfile;
    const { registers = true, framework, helmChart, goTemplates } = spec;
    const source = helmChart ?? goTemplates;
    if (source === undefined || (helmChart !== undefined && goTemplates !== undefined)) {
      report(loaded, ['spec'], { message: 'spec needs either helmChart or goTemplates' });
      continue;
    }
    const first = profiles.get(metadata.name);
    if (first !== undefined) {
      report(loaded, ['metadata', 'name'], {
        message: `add-on "${metadata.name}" has two ManagerProfiles`,
        hint: 'remove one of them: an add-on has one manager',
        related: [{ message: 'the first profile', location: first.declaration.origin.location }],
      });
      continue;
    }
    profiles.set(metadata.name, {
      declaration: loaded,
      field: helmChart === undefined ? 'goTemplates' : 'helmChart',
      source: {
        apiVersion: sourceApiVersion,
        kind: helmChart === undefined ? 'GoTemplates' : 'HelmChart',
        metadata: { name: metadata.name },
        spec: source,
      },
      registers,
      ...(framework !== undefined && { reads: readBy(framework) }),
    });
  }
  return { value: profiles, diagnostics };
}

/** Returns which of several configurations of one kind a release of addon-framework reads. */
function readBy(framework: string): ReadPosition {
  const [major = 0, minor = 0] = framework.replace(/^v/, '').split('.').map(Number);
  return major > 1 || (major === 1 && minor >= 4) ? 'last' : 'first';
}

interface WrittenProfile {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly registers?: boolean;
    readonly framework?: string;
    readonly helmChart?: GoJsonObject;
    readonly goTemplates?: GoJsonObject;
  };
}
