import type { HubVersion } from '../../../ocm/hub-version.ts';
import { groupOf, kindKey } from '../../../base/names/resource-name.ts';
import { ocmKinds } from '../../../../schemas/kinds.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { referenceTo, type LoadedObject } from '../../model/inventory.ts';
import { quote } from '../../model/words.ts';

/** The kinds that OCM 1.2 and later also serve in v1beta1. */
const versionedKinds: ReadonlySet<string> = new Set([
  ocmKinds.addOnDeploymentConfig.key,
  ocmKinds.clusterManagementAddOn.key,
  ocmKinds.managedClusterAddOn.key,
]);

/**
 * Returns the fault of an object in a version that the API server of the release does not serve. Constructs have none: `synth` writes
 * them in a version that the hub serves.
 *
 * @param loaded - an object that the API server of the reference release accepts
 */
export function unservedVersion(
  { object, origin, source }: LoadedObject,
  { name, addOnApiVersions }: HubVersion,
): Diagnostic | undefined {
  if (source === 'fleet' || !('file' in origin.location) || !versionedKinds.has(kindKey(object)))
    return undefined;
  const { apiVersion, kind } = object;
  const group = groupOf(apiVersion);
  const served = addOnApiVersions.map((version) => `${group}/${version}`);
  if (served.includes(apiVersion)) return undefined;
  return diagnostic('FW2003', {
    message: `OCM ${name} does not serve ${kind} in ${quote(apiVersion)}`,
    object: referenceTo(object),
    path: 'apiVersion',
    location: origin.locate(['apiVersion']),
    hint: `write apiVersion: ${served.join(' or ')} and its fields; synth converts the object, kubectl does not`,
  });
}
