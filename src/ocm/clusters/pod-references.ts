import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';

/** Keys and list indices. */
type Path = readonly (string | number)[];

/** The kinds of objects that pods need in their namespace. All are of the core group. */
export const podDependencies = ['ConfigMap', 'PersistentVolumeClaim', 'Secret', 'ServiceAccount'] as const;
export type PodDependency = (typeof podDependencies)[number];

/** A reference to an object in the namespace of the object that has it. */
export interface PodReference {
  readonly kind: PodDependency;
  readonly name: string;
  /** The path of the name in the object. */
  readonly path: Path;
  /** Whether only images are pulled with it: without such a Secret, pods start with images that need no credentials. */
  readonly isForImages: boolean;
}

/** The paths of the pod specs of objects, by `group/Kind`. */
const podSpecPaths: Readonly<Record<string, Path>> = {
  '/Pod': ['spec'],
  '/ReplicationController': ['spec', 'template', 'spec'],
  'apps/DaemonSet': ['spec', 'template', 'spec'],
  'apps/Deployment': ['spec', 'template', 'spec'],
  'apps/ReplicaSet': ['spec', 'template', 'spec'],
  'apps/StatefulSet': ['spec', 'template', 'spec'],
  'batch/CronJob': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  'batch/Job': ['spec', 'template', 'spec'],
};

/** Returns the pod spec of an object, with its path. Undefined if the kind has no pods. */
export function podSpecOf(
  kindKey: string,
  object: JsonMap,
): { readonly spec: JsonMap; readonly path: Path } | undefined {
  const path = podSpecPaths[kindKey];
  const spec = path && fieldAt(object, path);
  return path !== undefined && isJsonMap(spec) ? { spec, path } : undefined;
}

/** The lists of containers in a pod spec. */
export const containerLists = ['initContainers', 'containers'] as const;

/**
 * Returns the objects that an object needs: what its pods read, unless it is optional, their claims and their ServiceAccount, and the Secrets
 * with which images are pulled. As VisitPodSecretNames and VisitPodConfigmapNames of Kubernetes.
 */
export function podReferences(kindKey: string, object: JsonMap): readonly PodReference[] {
  if (kindKey === '/ServiceAccount') return [...pullSecrets(object, [])];
  const pod = podSpecOf(kindKey, object);
  if (pod === undefined) return [];
  const { spec, path } = pod;
  return [
    ...named('ServiceAccount', spec, 'serviceAccountName', path),
    ...pullSecrets(spec, path),
    ...containerLists.flatMap((list) =>
      itemsAt(spec, list, path).flatMap(({ item, at }) => [...ofContainer(item, at)]),
    ),
    ...itemsAt(spec, 'volumes', path).flatMap(({ item, at }) => [...ofVolume(item, at)]),
  ];
}

function* pullSecrets(holder: JsonMap, path: Path): Iterable<PodReference> {
  for (const { item, at } of itemsAt(holder, 'imagePullSecrets', path))
    yield* named('Secret', item, 'name', at, true);
}

function* ofContainer(container: JsonMap, path: Path): Iterable<PodReference> {
  for (const { item, at } of itemsAt(container, 'envFrom', path)) {
    yield* required('Secret', item, ['secretRef'], 'name', at);
    yield* required('ConfigMap', item, ['configMapRef'], 'name', at);
  }
  for (const { item, at } of itemsAt(container, 'env', path)) {
    yield* required('Secret', item, ['valueFrom', 'secretKeyRef'], 'name', at);
    yield* required('ConfigMap', item, ['valueFrom', 'configMapKeyRef'], 'name', at);
  }
}

/** The volumes that name an object, with the field that has its name. */
const volumeSources: readonly (readonly [PodDependency, Path, string])[] = [
  ['Secret', ['secret'], 'secretName'],
  ['Secret', ['azureFile'], 'secretName'],
  ['Secret', ['csi', 'nodePublishSecretRef'], 'name'],
  ['Secret', ['iscsi', 'secretRef'], 'name'],
  ['Secret', ['cephfs', 'secretRef'], 'name'],
  ['Secret', ['rbd', 'secretRef'], 'name'],
  ['Secret', ['flexVolume', 'secretRef'], 'name'],
  ['ConfigMap', ['configMap'], 'name'],
  ['PersistentVolumeClaim', ['persistentVolumeClaim'], 'claimName'],
];

function* ofVolume(volume: JsonMap, path: Path): Iterable<PodReference> {
  for (const [kind, source, field] of volumeSources) yield* required(kind, volume, source, field, path);
  const { projected } = volume;
  if (!isJsonMap(projected)) return;
  for (const { item, at } of itemsAt(projected, 'sources', [...path, 'projected'])) {
    yield* required('Secret', item, ['secret'], 'name', at);
    yield* required('ConfigMap', item, ['configMap'], 'name', at);
  }
}

/** Returns the reference in a part of an object, unless it is optional. */
function* required(
  kind: PodDependency,
  holder: JsonMap,
  part: Path,
  field: string,
  path: Path,
): Iterable<PodReference> {
  const reference = fieldAt(holder, part);
  if (isJsonMap(reference) && reference['optional'] !== true)
    yield* named(kind, reference, field, [...path, ...part]);
}

function* named(
  kind: PodDependency,
  reference: JsonMap,
  field: string,
  path: Path,
  isForImages = false,
): Iterable<PodReference> {
  const name = reference[field];
  if (typeof name === 'string' && name !== '') yield { kind, name, path: [...path, field], isForImages };
}

/** Returns the maps of a list, with their paths. */
function itemsAt(
  holder: JsonMap,
  list: string,
  path: Path,
): readonly { readonly item: JsonMap; readonly at: Path }[] {
  const items = holder[list];
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown, index) =>
    isJsonMap(item) ? [{ item, at: [...path, list, index] }] : [],
  );
}

function fieldAt(object: JsonMap, path: Path): unknown {
  let value: unknown = object;
  for (const step of path) value = isJsonMap(value) ? value[step] : undefined;
  return value;
}
