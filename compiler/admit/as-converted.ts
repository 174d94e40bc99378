import type { KubernetesObject } from '../../schemas/object-meta.ts';
import { addOnGroup } from '../api/referent.ts';
import { convertAddOn } from './convert.ts';
import { isJsonList, isJsonMap } from '../../encoding/json-map.ts';
import { formatGoDuration, parseGoDuration } from '../syntax/go-duration.ts';

/**
 * Returns an add-on object in v1beta1 as the hub returns it, in whichever version it is written. ClusterManagementAddOns and
 * ManagedClusterAddOns are stored in v1alpha1, and OCM's conversion webhook converts them through Go types. These write durations
 * in their own form (`5m0s`), write some fields that were absent, and omit empty ones. In any other form, Argo CD would report a
 * difference indefinitely. The status is unchanged, because nothing applies it.
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
 * Returns an add-on object in its stable form: the API server returns every field of it as it is here, in whichever version a
 * controller of OCM has written the object since. OCM 1.3 writes statuses in v1beta1. The spec then passes the conversion webhook
 * twice, which rewrites durations (`5m` becomes `5m0s`) and removes empty fields and fields that v1beta1 does not have. Fields
 * that the webhook adds are not here: Argo CD and Flux do not compare fields that are not in Git.
 */
export function inStableForm(object: KubernetesObject): KubernetesObject {
  const { kind, apiVersion } = object;
  const isConverted = kind === 'ClusterManagementAddOn' || kind === 'ManagedClusterAddOn';
  if (!isConverted || apiVersion !== `${addOnGroup}/v1alpha1`) return object;
  const { metadata, spec } = convertAddOn(convertAddOn(object, 'v1beta1'), 'v1alpha1');
  return { ...object, metadata, spec: asGoWrites(spec, false) };
}

/** Fields without `omitempty`: those that contain names. */
const kept: ReadonlySet<string> = new Set(['group', 'name', 'resource']);

/** Returns a value as the Go types of the add-on kinds write it; `isComplete` adds the fields that they always write. */
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
  // Go never treats a struct as empty: intstr.IntOrString writes its zero
  if (key === 'progressive' && isComplete) return [[key, { maxConcurrency: 0, ...asGoWrites(value) }]];
  if (isJsonMap(value)) return [[key, asGoWrites(value, isComplete)]];
  if (isJsonList(value))
    return value.length === 0 ? [] : [[key, value.map((item) => asGoWrites(item, isComplete))]];
  const isEmpty = (value === '' && !kept.has(key)) || (value === 0 && key === 'groupIndex');
  return isEmpty ? [] : [[key, value]];
}
