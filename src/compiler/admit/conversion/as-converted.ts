import type { KubernetesObject } from '../../../base/objects/object-meta.ts';
import type { ServedKinds } from '../../../../schemas/index.ts';
import { convertAddOn } from './convert.ts';
import { isJsonList, isJsonMap } from '../../../base/json/json-map.ts';
import { formatGoDuration, parseGoDuration } from '../../../base/time/duration.ts';
import { normalizeTime } from '../../../base/time/rfc3339.ts';

/**
 * Returns an add-on object in v1beta1 as the hub returns it, in whichever version it is written. ClusterManagementAddOns and
 * ManagedClusterAddOns are stored in v1alpha1, and OCM's conversion webhook converts them through Go types. These write durations
 * in their own form (`5m0s`), write some fields that were absent, and omit empty ones. In any other form, Argo CD would report a
 * difference indefinitely. The status is unchanged, because nothing applies it.
 *
 * @param served - the kinds of the hub
 */
export function asConverted(object: KubernetesObject, served?: ServedKinds): KubernetesObject {
  const inV1beta1 = convertAddOn(object, 'v1beta1', served);
  if (object.kind !== 'ClusterManagementAddOn' && object.kind !== 'ManagedClusterAddOn') return inV1beta1;
  const { metadata, spec } = convertAddOn(convertAddOn(object, 'v1alpha1'), 'v1beta1');
  const encoded = asGoWrites(spec);
  return {
    ...inV1beta1,
    metadata,
    spec: object.kind === 'ClusterManagementAddOn' ? { addOnMeta: {}, ...encoded } : encoded,
  };
}

/** Texts without `omitempty`: those that contain names, and the address of a cluster. */
const requiredTexts: ReadonlySet<string> = new Set(['group', 'name', 'resource', 'url']);

/** Numbers with `omitempty`. */
const omittedZeros: ReadonlySet<string> = new Set(['groupIndex', 'leaseDurationSeconds']);

/**
 * Returns a spec as the Go types of ClusterManagementAddOns, ManagedClusterAddOns and ManagedClusters write it.
 *
 * @param isComplete - adds the fields that they always write
 */
export function asGoWrites(value: unknown, isComplete = true): object {
  return isJsonMap(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, field]) => asGoWritesField(key, field, isComplete)),
      )
    : {};
}

function asGoWritesField(
  key: string,
  value: unknown,
  isComplete: boolean,
): readonly (readonly [string, unknown])[] {
  if (key === 'minSuccessTime' && typeof value === 'string') {
    const duration = parseGoDuration(value);
    return [[key, duration instanceof Error ? value : formatGoDuration(duration)]];
  }
  if (key === 'timeAdded' && typeof value === 'string') return [[key, normalizeTime(value) ?? value]];
  // Go never treats a struct as empty: intstr.IntOrString writes its zero
  if (key === 'progressive' && isComplete) return [[key, { maxConcurrency: 0, ...asGoWrites(value) }]];
  if (isJsonMap(value)) return [[key, asGoWrites(value, isComplete)]];
  if (isJsonList(value))
    return value.length === 0
      ? []
      : [[key, value.map((item: unknown) => (isJsonMap(item) ? asGoWrites(item, isComplete) : item))]];
  const isEmpty =
    value === null || (value === '' && !requiredTexts.has(key)) || (value === 0 && omittedZeros.has(key));
  return isEmpty ? [] : [[key, value]];
}
