import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { addOnGroup } from '../api/referent.ts';
import { convertAddOn } from './convert.ts';
import { isJsonList, isJsonMap } from '../../encoding/json-map.ts';
import { formatGoDuration, parseGoDuration } from '../syntax/go-duration.ts';

/**
 * An add-on object in v1beta1 as the hub gives it back, however it is written. ClusterManagementAddOns and
 * ManagedClusterAddOns are stored in v1alpha1, and OCM's conversion webhook reads and writes them by way of Go types: these
 * write durations in their own form (`5m0s`), some fields that were absent, and none that are empty. In any other form
 * Argo CD would see a difference for ever. The status stays as it is: nobody applies it.
 */
export function asConverted(object: KubernetesObject): KubernetesObject {
  const inV1beta1 = convertAddOn(object, 'v1beta1');
  if (object.kind !== 'ClusterManagementAddOn' && object.kind !== 'ManagedClusterAddOn') return inV1beta1;
  const { metadata, spec } = convertAddOn(convertAddOn(object, 'v1alpha1'), 'v1beta1');
  const written = asGoWrites(spec);
  return {
    ...inV1beta1,
    metadata,
    spec: object.kind === 'ClusterManagementAddOn' ? { addOnMeta: {}, ...written } : written,
  };
}

/**
 * An add-on object in the form that stays: the API server returns every field of it as it is here, whichever version a
 * controller of OCM has written the object in since. OCM 1.3 writes statuses in v1beta1. The spec then passes the conversion
 * webhook twice, which rewrites durations (`5m` becomes `5m0s`) and removes empty fields and those that v1beta1 does not
 * have. Fields that the webhook adds are not here: Argo CD and Flux do not compare what Git does not have.
 */
export function inStableForm(object: KubernetesObject): KubernetesObject {
  const { kind, apiVersion } = object;
  const isConverted = kind === 'ClusterManagementAddOn' || kind === 'ManagedClusterAddOn';
  if (!isConverted || apiVersion !== `${addOnGroup}/v1alpha1`) return object;
  const { metadata, spec } = convertAddOn(convertAddOn(object, 'v1beta1'), 'v1alpha1');
  return { ...object, metadata, spec: asGoWrites(spec, false) };
}

/** Fields without `omitempty`: those that name something. */
const kept: ReadonlySet<string> = new Set(['group', 'name', 'resource']);

/** A value as the Go types of the add-on kinds write it; `isComplete` adds the fields that they always write. */
function asGoWrites(value: unknown, isComplete = true): object {
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
  // a struct is never empty for Go: intstr.IntOrString writes its zero
  if (key === 'progressive' && isComplete) return [[key, { maxConcurrency: 0, ...asGoWrites(value) }]];
  if (isJsonMap(value)) return [[key, asGoWrites(value, isComplete)]];
  if (isJsonList(value))
    return value.length === 0 ? [] : [[key, value.map((item) => asGoWrites(item, isComplete))]];
  const isEmpty = (value === '' && !kept.has(key)) || (value === 0 && key === 'groupIndex');
  return isEmpty ? [] : [[key, value]];
}
