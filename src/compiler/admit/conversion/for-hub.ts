import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import { asConverted } from './as-converted.ts';
import { convertAddOn } from './convert.ts';
import type { AddOnApiVersion, HubVersion } from '../../../ocm/hub-version.ts';

/** The target hub of objects, and the version of the add-on API to write them in. */
export interface TargetHub {
  readonly hub: HubVersion;
  readonly addOnApiVersion: AddOnApiVersion;
}

/**
 * Returns an admitted object as this hub accepts it: in the requested API version, without fields that its release does not have.
 */
export function forHub(object: KubernetesObject, { hub, addOnApiVersion }: TargetHub): KubernetesObject {
  const converted =
    addOnApiVersion === 'v1beta1' ? asConverted(object, hub.kinds) : convertAddOn(object, addOnApiVersion);
  if (hub.servesPlacementSorting || !isPlacement(converted)) return converted;
  const { sortBy: _sortBy, scoreRateLimit: _scoreRateLimit, ...spec } = converted.spec;
  return { ...converted, spec };
}

type WithSpec = KubernetesObject & { readonly spec: Readonly<Record<string, unknown>> };

function isPlacement(object: KubernetesObject): object is WithSpec {
  return object.kind === 'Placement' && object.apiVersion.startsWith('cluster.open-cluster-management.io/');
}
