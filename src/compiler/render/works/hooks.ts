import { goJson, isGoJsonObject, type GoJsonObject, type GoJsonValue } from '../../../base/json/go-json.ts';
import { guessResource } from '../../../base/names/resource-name.ts';
import type { ManifestWorkV1DeleteOption } from '../../../../schemas/types.gen.ts';
import { groupVersionKind, nameOf, namespaceOf } from '../../../base/objects/object-identity.ts';
import { hookResources, preDeleteHook } from '../../../ocm/hook-work.ts';

/** On a manifest of an add-on: the object stays when the add-on is deleted. */
export const deletionOrphan = 'addon.open-cluster-management.io/deletion-orphan';

/** Maximum size in bytes of hooks that the companion runs: all annotations of an object have at most 256 KB. */
const largestHooks = 200_000;

/** Returns the annotation with the hooks that the companion runs. Undefined if there are none, or if they are too large. */
export function hooksAnnotation(hooks: readonly GoJsonObject[]): string | undefined {
  if (hooks.length === 0) return undefined;
  const text = `[\n${hooks.map(goJson).join(',\n')}\n]\n`;
  return Buffer.byteLength(text) > largestHooks ? undefined : text;
}

/**
 * Returns whether an object is run before the add-on is deleted, instead of being deployed: a Job or Pod of any group, with the
 * annotation or label. As addon-framework isPreDeleteHookObject.
 *
 * @param label its name differs between releases of the hub
 */
export function isPreDeleteHook(object: GoJsonObject, label: string): boolean {
  const { kind } = groupVersionKind(object);
  if (!hookResources.has(kind)) return false;
  const { labels, annotations } = metadataOf(object);
  return Object.hasOwn(texts(labels), label) || Object.hasOwn(texts(annotations), preDeleteHook);
}

/** Returns `spec.deleteOption` of the works: the objects whose annotation requests that they remain on the cluster. */
export function deleteOption(objects: readonly GoJsonObject[]): ManifestWorkV1DeleteOption | undefined {
  const rules = objects.flatMap((object) => {
    const { annotations } = metadataOf(object);
    if (!Object.hasOwn(texts(annotations), deletionOrphan)) return [];
    const { group, kind } = groupVersionKind(object);
    return [{ group, resource: guessResource(kind), name: nameOf(object), namespace: namespaceOf(object) }];
  });
  if (rules.length === 0) return undefined;
  return { propagationPolicy: 'SelectivelyOrphan', selectivelyOrphans: { orphaningRules: rules } };
}

export function metadataOf({ metadata }: GoJsonObject): GoJsonObject {
  return isGoJsonObject(metadata) ? metadata : {};
}

/** As unstructured.NestedStringMap: one value that is not a string invalidates the whole map. */
export function texts(value: GoJsonValue | undefined): Readonly<Record<string, string>> {
  if (!isGoJsonObject(value)) return {};
  return Object.values(value).every((item) => typeof item === 'string')
    ? (value as Readonly<Record<string, string>>)
    : {};
}
