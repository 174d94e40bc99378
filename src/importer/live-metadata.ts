import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { diagnostic, type Diagnostic } from '../compiler/model/diagnostic.ts';
import { hubMetadataOf, withoutServerFields } from '../compiler/hub-metadata.ts';
import { referenceTo, type LoadedObject } from '../compiler/model/inventory.ts';

/**
 * Kept for fleet objects: placements depend on which clusters are being deleted, and expressions can read the age of a cluster. An
 * object that waits for its finalizers behaves as such.
 */
const stateFields = ['creationTimestamp', 'deletionTimestamp', 'finalizers'] as const;

/** Returns an object of the fleet, with its state and without other metadata that the hub or kubectl writes. */
export function fleetObject(object: KubernetesObject): KubernetesObject {
  const { status, metadata } = object;
  const state = stateFields.flatMap((field) => (isSet(metadata[field]) ? [[field, metadata[field]]] : []));
  const bare = withoutServerFields(object);
  return {
    ...bare,
    metadata: { ...bare.metadata, ...Object.fromEntries(state) },
    ...(status !== undefined && { status }),
  };
}

/** Reports once which metadata import omits from objects of files. For objects from a hub this is expected. */
export function omittedMetadata(written: readonly Pick<LoadedObject, 'object' | 'origin'>[]): Diagnostic[] {
  const exported = written.flatMap(({ object, origin }) => {
    const fields = hubMetadataOf(object);
    return fields.length > 0 && 'file' in origin.location ? [{ object, origin, fields }] : [];
  });
  const [first] = exported;
  if (first === undefined) return [];
  const fields = [...new Set(exported.flatMap((each) => each.fields))].sort();
  return [
    diagnostic('FW9104', {
      message: `import omits metadata that the hub or kubectl writes: ${fields.join(', ')}`,
      object: referenceTo(first.object),
      path: 'metadata',
      location: first.origin.locate(['metadata']),
    }),
  ];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
