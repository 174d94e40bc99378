import type { KubernetesObject } from '../base/objects/object-meta.ts';
import type { JsonMap } from '../base/json/json-map.ts';
import { diagnostic, type Diagnostic } from '../compiler/model/diagnostic.ts';
import { withoutServerFields } from '../compiler/emit/emit.ts';
import { referenceTo, type LoadedObject } from '../compiler/model/inventory.ts';

/** Metadata that belongs to an object on one hub. The hub or kubectl writes it again. */
const serverFields = ['generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'] as const;
/**
 * Kept for fleet objects: placements depend on which clusters are being deleted, and expressions can read the age of a cluster.
 */
const times = ['creationTimestamp', 'deletionTimestamp'] as const;
/** The uid of the owner belongs to one hub. On any other hub, garbage collection would delete the object. */
const owners = 'ownerReferences';
/** Written by `kubectl apply`: a second copy of the whole object. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Returns an object of the app, without status and without metadata that the hub or kubectl writes. */
export function withoutLiveMetadata(object: KubernetesObject): KubernetesObject {
  const { metadata, ...rest } = withoutServerFields(object);
  const { annotations, ownerReferences: _, ...others } = metadata;
  const { [lastApplied]: __, ...otherAnnotations } = annotations ?? {};
  const hasAnnotations = Object.keys(otherAnnotations).length > 0;
  return {
    ...rest,
    apiVersion: rest.apiVersion,
    kind: rest.kind,
    metadata: { ...others, ...(hasAnnotations && { annotations: otherAnnotations }) },
  };
}

/** Returns an object of the fleet, with its state and without other metadata that the hub or kubectl writes. */
export function fleetObject(object: KubernetesObject): KubernetesObject {
  const { status, metadata } = object;
  const timestamps = times.flatMap((field) => (isSet(metadata[field]) ? [[field, metadata[field]]] : []));
  const bare = withoutLiveMetadata(object);
  return {
    ...bare,
    metadata: { ...bare.metadata, ...Object.fromEntries(timestamps) },
    ...(status !== undefined && { status }),
  };
}

/** Returns the fields of the metadata that `withoutLiveMetadata` leaves out, and the annotation. */
export function liveMetadataOf(object: KubernetesObject): readonly string[] {
  const metadata: JsonMap = { ...object.metadata };
  const present = [...times, ...serverFields, owners].filter((field) => isSet(metadata[field]));
  return object.metadata.annotations?.[lastApplied] === undefined ? present : [...present, lastApplied];
}

/** Reports once which metadata import omits from objects of files. For objects from a hub this is expected. */
export function omittedMetadata(written: readonly Pick<LoadedObject, 'object' | 'origin'>[]): Diagnostic[] {
  const exported = written.flatMap(({ object, origin }) => {
    const fields = liveMetadataOf(object);
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
