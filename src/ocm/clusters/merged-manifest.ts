import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import { mergedObject, ownedFields, type MergedField } from './merged-fields.ts';

/** Returns what an object has once server-side apply has written a manifest over fields of other managers, which stay. */
export function mergedManifest(before: JsonMap, manifest: JsonMap): JsonMap {
  const { shape } = mergedObject(manifest);
  return merged({ value: before, shape }, { value: manifest, shape }) as JsonMap;
}

function merged(before: MergedField, after: MergedField): unknown {
  if (isAbsent(after)) return before.value;
  if (isAbsent(before)) return after.value;
  const [existing, applied] = [ownedFields(before), ownedFields(after)];
  if (existing === undefined || applied === undefined) return after.value;
  if (isJsonMap(before.value) !== isJsonMap(after.value)) return after.value;
  const absent: MergedField = { value: undefined, shape: undefined };
  const fields = Array.from(new Set([...existing.keys(), ...applied.keys()]), (key) => [
    key,
    merged(existing.get(key) ?? absent, applied.get(key) ?? absent),
  ]);
  return isJsonMap(after.value) ? (Object.fromEntries(fields) as JsonMap) : fields.map(([, item]) => item);
}

function isAbsent({ value }: MergedField): boolean {
  return value === undefined || value === null;
}
