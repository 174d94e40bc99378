import type { JsonMap } from '../base/json/json-map.ts';
import type { KubernetesObject, ObjectMeta } from '../base/objects/object-meta.ts';

const serverFields = [
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
] as const;

/** The uid of an owner belongs to one hub. On any other hub, the garbage collector deletes the object. */
const owners = 'ownerReferences';

/** Annotations and labels that kubectl, controllers and GitOps engines write on objects that they apply or manage. */
const writtenKeys: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'argocd.argoproj.io/tracking-id',
  'kustomize.toolkit.fluxcd.io/name',
  'kustomize.toolkit.fluxcd.io/namespace',
  'openshift.io/sa.scc.mcs',
  'openshift.io/sa.scc.supplemental-groups',
  'openshift.io/sa.scc.uid-range',
]);

/** Finalizers of Kubernetes itself, and those of OCM's controllers. */
const hubFinalizer =
  /^(?:orphan|foregroundDeletion|kubernetes|(?:[^/]+\.)?kubernetes\.io\/.*|(?:[^/]+\.)?open-cluster-management\.io(?:\/.*)?)$/;
/** Users set these on Applications, so that deleting one deletes what it applied. */
const userFinalizer = /(?:^|\.)argocd\.argoproj\.io(?:\/|$)/;

/** Whether an object was read from a hub: the API server sets these fields, and rejects them in a new object or ignores them. */
function isExported({ metadata }: KubernetesObject): boolean {
  const { uid, resourceVersion }: JsonMap = { ...metadata };
  return isSet(uid) || isSet(resourceVersion);
}

/**
 * Returns the object without the status and without metadata that only a hub, its controllers or kubectl write. In Git, some of these
 * would be a permanent difference, a finalizer without its controller would block the deletion, and an owner of another hub would
 * delete the object.
 */
export function withoutServerFields({
  status: _status,
  metadata,
  ...rest
}: KubernetesObject): KubernetesObject {
  const object = { ...rest, apiVersion: rest.apiVersion, kind: rest.kind, metadata };
  return { ...object, metadata: withoutHubMetadata(object) };
}

/** Returns the metadata that users write. */
export function withoutHubMetadata(object: KubernetesObject): ObjectMeta {
  const omitted: ReadonlySet<string> = new Set([...serverFields, owners]);
  const metadata: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(object.metadata)) {
    if (omitted.has(field)) continue;
    const remaining =
      field === 'finalizers'
        ? withoutHubFinalizers(object)
        : field === 'annotations' || field === 'labels'
          ? withoutWrittenKeys(object.metadata[field])
          : value;
    if (remaining !== undefined) metadata[field] = remaining;
  }
  return metadata;
}

/** Returns the fields, annotations, labels and finalizers that `withoutHubMetadata` leaves out. */
export function hubMetadataOf(object: KubernetesObject): readonly string[] {
  const metadata: JsonMap = { ...object.metadata };
  const { annotations, labels, finalizers = [] } = object.metadata;
  const kept = withoutHubFinalizers(object) ?? [];
  return [
    ...[...serverFields, owners].filter((field) => isSet(metadata[field])),
    ...Object.keys({ ...annotations, ...labels }).filter((key) => writtenKeys.has(key)),
    ...[...finalizers].filter((name) => !kept.includes(name)).map((name) => `finalizer ${name}`),
  ];
}

/** Returns the map itself if there is nothing to remove, and undefined if nothing remains. */
function withoutWrittenKeys(
  map: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  if (map === undefined || map === null || !Object.keys(map).some((key) => writtenKeys.has(key))) return map;
  const remaining = Object.entries(map).filter(([key]) => !writtenKeys.has(key));
  return remaining.length === 0 ? undefined : Object.fromEntries(remaining);
}

/** An exported object has the finalizers of controllers of this hub only. Returns undefined if none remains. */
function withoutHubFinalizers(object: KubernetesObject): readonly string[] | undefined {
  const { finalizers } = object.metadata;
  if (finalizers === undefined || finalizers === null || finalizers.length === 0) return finalizers;
  const isFromHub = isExported(object);
  const remaining = finalizers.filter(
    (name) => userFinalizer.test(name) || (!isFromHub && !hubFinalizer.test(name)),
  );
  return remaining.length === finalizers.length ? finalizers : remaining.length === 0 ? undefined : remaining;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
