import { isDeepStrictEqual } from 'node:util';
import { isGoJsonObject, type GoJsonObject, type GoJsonValue } from '../../../base/json/go-json.ts';
import { nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import type { RenderedManifest } from './manifests.ts';

/** A Secret whose content a random function decides, or one that reads the clock. */
export interface GeneratedSecret {
  /** With samples in place of what is random. */
  readonly manifest: RenderedManifest;
  /** The keys of its values that are random. Sorted. */
  readonly keys: readonly string[];
}

/** Returns the Secret if two renderings of a manifest are one Secret with other content. */
export function generatedSecret(one: RenderedManifest, other: RenderedManifest): GeneratedSecret | undefined {
  const isSame =
    [one, other].every(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Secret') &&
    nameOf(one.object) !== '' &&
    nameOf(one.object) === nameOf(other.object) &&
    namespaceOf(one.object) === namespaceOf(other.object);
  if (!isSame) return undefined;
  const [before, after] = [valuesOf(one.object), valuesOf(other.object)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => !isDeepStrictEqual(before.get(key), after.get(key)),
  );
  return { manifest: one, keys: keys.sort() };
}

/** Whether two renderings of a manifest differ only by annotations of Pods, whose change does nothing but restart them. */
export function differOnlyByPodAnnotations(one: RenderedManifest, other: RenderedManifest): boolean {
  return isDeepStrictEqual(withoutPodAnnotations(one.object), withoutPodAnnotations(other.object));
}

function valuesOf(secret: GoJsonObject): ReadonlyMap<string, GoJsonValue> {
  return new Map(
    [secret['data'], secret['stringData']].flatMap((values) =>
      isGoJsonObject(values) ? Object.entries(values) : [],
    ),
  );
}

/** Returns a value without the annotations in the metadata of templates. */
function withoutPodAnnotations(value: GoJsonValue, key = ''): GoJsonValue {
  if (Array.isArray(value))
    return (value as readonly GoJsonValue[]).map((item) => withoutPodAnnotations(item));
  if (!isGoJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (key !== 'template' || name !== 'metadata' || !isGoJsonObject(inner))
        return [name, withoutPodAnnotations(inner, name)];
      const { annotations: _, ...others } = inner;
      return [name, others];
    }),
  );
}
