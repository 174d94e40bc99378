import { isGoJsonObject, type GoJsonObject, type GoJsonValue } from '../../encoding/go-json.ts';
import { guessResource } from '../api/resource-name.ts';
import type { ManifestWorkV1DeleteOption } from '../../schemas/types.gen.ts';
import { groupVersionKind, nameOf, namespaceOf } from './object-identity.ts';

const preDelete = 'addon.open-cluster-management.io/addon-pre-delete';
const deletionOrphan = 'addon.open-cluster-management.io/deletion-orphan';

/** Keeps a ManagedClusterAddOn until its hooks have run. */
export const preDeleteFinalizer = preDelete;

/**
 * Whether an object is run before the add-on goes, instead of being deployed: a Job or Pod, of whatever group, with the
 * annotation or label. As addon-framework isPreDeleteHookObject.
 *
 * @param label which releases of the hub name differently
 */
export function isPreDeleteHook(object: GoJsonObject, label: string): boolean {
  const { kind } = groupVersionKind(object);
  if (kind !== 'Job' && kind !== 'Pod') return false;
  const { labels, annotations } = metadataOf(object);
  return Object.hasOwn(texts(labels), label) || Object.hasOwn(texts(annotations), preDelete);
}

/** `spec.deleteOption` of the works: the objects that are annotated to stay on the cluster. */
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

function metadataOf({ metadata }: GoJsonObject): GoJsonObject {
  return isGoJsonObject(metadata) ? metadata : {};
}

// as unstructured.NestedStringMap: one value that is no string voids the whole map
function texts(value: GoJsonValue | undefined): GoJsonObject {
  return isGoJsonObject(value) && Object.values(value).every((item) => typeof item === 'string') ? value : {};
}
