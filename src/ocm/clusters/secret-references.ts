import { isJsonMap, type JsonMap } from '../../base/json/json-map.ts';

/** Keys and list indices. */
type Path = readonly (string | number)[];

/** A reference to a Secret in the namespace of the object that has it. */
export interface SecretReference {
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
 * Returns the Secrets that an object needs: those that its pods read, unless they are optional, and those with which images are pulled. As
 * VisitPodSecretNames of Kubernetes.
 */
export function secretReferences(kindKey: string, object: JsonMap): readonly SecretReference[] {
  if (kindKey === '/ServiceAccount') return [...pullSecrets(object, [])];
  const pod = podSpecOf(kindKey, object);
  if (pod === undefined) return [];
  const { spec, path } = pod;
  return [
    ...pullSecrets(spec, path),
    ...containerLists.flatMap((list) =>
      itemsAt(spec, list, path).flatMap(({ item, at }) => [...ofContainer(item, at)]),
    ),
    ...itemsAt(spec, 'volumes', path).flatMap(({ item, at }) => [...ofVolume(item, at)]),
  ];
}

function* pullSecrets(holder: JsonMap, path: Path): Iterable<SecretReference> {
  for (const { item, at } of itemsAt(holder, 'imagePullSecrets', path)) yield* named(item, 'name', at, true);
}

function* ofContainer(container: JsonMap, path: Path): Iterable<SecretReference> {
  for (const { item, at } of itemsAt(container, 'envFrom', path))
    yield* required(item, ['secretRef'], 'name', at);
  for (const { item, at } of itemsAt(container, 'env', path))
    yield* required(item, ['valueFrom', 'secretKeyRef'], 'name', at);
}

/** The volumes that name a Secret, with the field that has its name. */
const volumeSources: readonly (readonly [Path, string])[] = [
  [['secret'], 'secretName'],
  [['azureFile'], 'secretName'],
  [['csi', 'nodePublishSecretRef'], 'name'],
  [['iscsi', 'secretRef'], 'name'],
  [['cephfs', 'secretRef'], 'name'],
  [['rbd', 'secretRef'], 'name'],
  [['flexVolume', 'secretRef'], 'name'],
];

function* ofVolume(volume: JsonMap, path: Path): Iterable<SecretReference> {
  for (const [source, field] of volumeSources) yield* required(volume, source, field, path);
  const { projected } = volume;
  if (!isJsonMap(projected)) return;
  for (const { item, at } of itemsAt(projected, 'sources', [...path, 'projected']))
    yield* required(item, ['secret'], 'name', at);
}

/** Returns the reference in a part of an object, unless it is optional. */
function* required(holder: JsonMap, part: Path, field: string, path: Path): Iterable<SecretReference> {
  const reference = fieldAt(holder, part);
  if (isJsonMap(reference) && reference['optional'] !== true)
    yield* named(reference, field, [...path, ...part], false);
}

function* named(
  reference: JsonMap,
  field: string,
  path: Path,
  isForImages: boolean,
): Iterable<SecretReference> {
  const name = reference[field];
  if (typeof name === 'string' && name !== '') yield { name, path: [...path, field], isForImages };
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
