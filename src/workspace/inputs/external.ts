import type { ExternalObject } from '../../compiler/index.ts';
import { groupOf } from '../../base/names/resource-name.ts';
import type { SettingsFile } from '../settings/settings-file.ts';

/** Returns the objects that are expected on the hub outside of Git, as fleetwright.yaml lists them. */
export function externalOf(file: SettingsFile): ExternalObject[] {
  return (file.written.external ?? []).map(({ apiVersion, kind, namespace, name }, index) => ({
    ...(apiVersion !== undefined && { group: groupOf(apiVersion) }),
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    location: file.locate(['external', index]),
  }));
}
