import type { KubernetesObject } from '../../schemas/object-meta.ts';
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

/** Fields without `omitempty`: those that name something. */
const kept: ReadonlySet<string> = new Set(['group', 'name', 'resource']);

/** A value as the Go types of the add-on kinds write it. */
function asGoWrites(value: unknown): object {
  return isJsonMap(value)
    ? Object.fromEntries(Object.entries(value).flatMap(([key, field]) => asGoWritesField(key, field)))
    : {};
}

function asGoWritesField(key: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (key === 'minSuccessTime' && typeof value === 'string') {
    const duration = parseGoDuration(value);
    return [[key, duration instanceof Error ? value : formatGoDuration(duration)]];
  }
  // a struct is never empty for Go: intstr.IntOrString writes its zero
  if (key === 'progressive') return [[key, { maxConcurrency: 0, ...asGoWrites(value) }]];
  if (isJsonMap(value)) return [[key, asGoWrites(value)]];
  if (isJsonList(value)) return value.length === 0 ? [] : [[key, value.map(asGoWrites)]];
  const isEmpty = (value === '' && !kept.has(key)) || (value === 0 && key === 'groupIndex');
  return isEmpty ? [] : [[key, value]];
}
