import { engineOf, isEmitted } from '../../ocm/writer.ts';
import { compareUtf8 } from '../../base/json/go-json.ts';
import { isJsonList, isJsonMap, type JsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject, ObjectMeta } from '../../base/objects/object-meta.ts';
import type { Resource } from '../../client/resource.ts';
import { tokenInfrastructureReady } from '../../ocm/token-infrastructure.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import { resourceOf } from '../../ocm/resource.ts';

/** A kind of which a snapshot has objects, and the parts of them that it keeps. */
export interface SnapshotKind extends Resource {
  /** Whether every hub of OCM serves it. */
  readonly required?: true;
  /** @param now - the time of the snapshot, in milliseconds since the epoch */
  readonly keep: (object: KubernetesObject, now: number) => object;
}

/**
 * Clusters and the objects that the hub creates for them: the kinds of a fleet snapshot, in the order in which it
 * lists them.
 */
export const fleetKinds: readonly SnapshotKind[] = [
  {
    ...resourceOf(ocmKinds.managedCluster, 'v1'),
    required: true,
    keep: ({ metadata, spec, status }) => ({
      metadata: {
        ...retainedMetadata(metadata),
        // Selectors in CEL may use them; neither ever changes.
        ...picked(metadata, ['creationTimestamp', 'deletionTimestamp']),
      },
      spec: picked(spec, ['hubAcceptsClient', 'leaseDurationSeconds', 'taints']),
      status: {
        ...picked(status, ['version', 'capacity', 'allocatable', 'clusterClaims']),
        ...conditions(status),
      },
    }),
  },
  {
    ...resourceOf(ocmKinds.managedClusterSet, 'v1beta2'),
    required: true,
    keep: onlySpec,
  },
  {
    ...resourceOf(ocmKinds.managedClusterSetBinding, 'v1beta2'),
    required: true,
    keep: onlySpec,
  },
  {
    ...resourceOf(ocmKinds.addOnPlacementScore, 'v1alpha1'),
    keep: ({ metadata, status }, now) => ({
      metadata: retainedMetadata(metadata),
      // Agents renew scores repeatedly. A valid score is the default; only an expired one makes a difference.
      status: picked(
        status,
        isPast(field(status, 'validUntil'), now) ? ['scores', 'validUntil'] : ['scores'],
      ),
    }),
  },
  {
    ...resourceOf(ocmKinds.placementDecision, 'v1beta1'),
    keep: ({ metadata, status }) => ({
      metadata: retainedMetadata(metadata),
      // A PlacementDecision without clusters has a status without the field, which only the hub may write.
      ...(field(status, 'decisions') ? { status: picked(status, ['decisions']) } : {}),
    }),
  },
];

/** The add-ons of clusters: by far most of the objects of a hub. */
export const clusterAddOnKind: SnapshotKind = {
  ...resourceOf(ocmKinds.managedClusterAddOn, 'v1alpha1'),
  keep: ({ metadata, spec, status }) => ({
    metadata: retainedMetadata(metadata),
    // An engine's settings are in Git. A copy here would outlive them.
    spec: engineOf(metadata) === undefined ? (spec ?? {}) : {},
    ...(status === undefined ? {} : { status: clusterAddOnStatus(status) }),
  }),
};

const addOnStatusFields = [
  'namespace',
  'healthCheck',
  'registrations',
  'kubeClientDriver',
  'supportedConfigs',
  'configReferences',
];

/** Rollouts use the first two, and agents with tokens the last. The others report the health of the agent. */
const addOnConditions = ['Progressing', 'ManifestApplied', tokenInfrastructureReady];

function clusterAddOnStatus(status: unknown): object {
  return { ...picked(status, addOnStatusFields), ...conditions(status, addOnConditions) };
}

/** The kinds that people write. A snapshot has the objects of them that Git does not have. */
export const configurationKinds: readonly SnapshotKind[] = [
  {
    ...resourceOf(ocmKinds.placement, 'v1beta1'),
    required: true,
    keep: ({ metadata, spec, status }) => ({
      metadata: retainedMetadata(metadata),
      spec: spec ?? {},
      ...(status === undefined ? {} : { status }),
    }),
  },
  {
    ...resourceOf(ocmKinds.clusterManagementAddOn, 'v1alpha1'),
    required: true,
    keep: onlySpec,
  },
  {
    ...resourceOf(ocmKinds.addOnDeploymentConfig, 'v1alpha1'),
    keep: onlySpec,
  },
  { ...resourceOf(ocmKinds.addOnTemplate, 'v1alpha1'), keep: onlySpec },
];

/** Returns the part of an object that decides what the hub does, with the values of the hub. The rest is left out. */
export function snapshotOf(object: KubernetesObject, kind: SnapshotKind, now: number): KubernetesObject {
  const { apiVersion, kind: name } = object;
  return { apiVersion, kind: name, metadata: object.metadata, ...kind.keep(object, now) };
}

/** The same kinds as a snapshot keeps them: a Placement without its status, which is predicted. */
export const emittedKinds: readonly SnapshotKind[] = configurationKinds.map(({ required: _, ...kind }) => ({
  ...kind,
  keep: withoutSecrets,
}));

/** Whether Fleetwright emitted the object: it is in Git, and a copy here would outlive it. */
export function isInGit({ kind, metadata }: KubernetesObject): boolean {
  return emittedKinds.some((emittedKind) => emittedKind.kind === kind) && isEmitted(metadata);
}

/** Returns the objects by namespace and name, whatever order the hub lists them in. */
export function inOrder(objects: readonly KubernetesObject[]): KubernetesObject[] {
  return objects.toSorted(
    ({ metadata: a }, { metadata: b }) =>
      compareUtf8(a.namespace ?? '', b.namespace ?? '') || compareUtf8(a.name ?? '', b.name ?? ''),
  );
}

/** Returns the object without status and without the metadata that only the server sets. */
export function withoutServerParts({ status: _, metadata, ...rest }: KubernetesObject): KubernetesObject {
  return { ...rest, metadata: retainedMetadata(metadata) };
}

/** Templates can contain Secrets, which do not belong in Git: their keys stay, without their values. */
function withoutSecrets(object: KubernetesObject): object {
  const { spec, ...others } = onlySpec(object);
  return spec === undefined ? others : { ...others, spec: emptied(spec) };
}

function emptied(value: unknown): unknown {
  if (isJsonList(value)) return value.map(emptied);
  if (!isJsonMap(value)) return value;
  const isSecret = value['kind'] === 'Secret';
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => {
      const isContent = isSecret && (key === 'data' || key === 'stringData') && isJsonMap(field);
      return [key, isContent ? withoutValues(field) : emptied(field)];
    }),
  );
}

function withoutValues(values: JsonMap): JsonMap {
  return Object.fromEntries(Object.keys(values).map((key) => [key, '']));
}

function onlySpec({ metadata, spec }: KubernetesObject): { metadata: ObjectMeta; spec?: unknown } {
  return { metadata: retainedMetadata(metadata), ...(spec === undefined ? {} : { spec }) };
}

/** Contains the whole object once more, including the parts that were left out of it. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function retainedMetadata({ name, namespace, labels, annotations = {} }: ObjectMeta): ObjectMeta {
  const { [lastApplied]: _, ...otherAnnotations } = annotations;
  return {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined || Object.keys(labels).length === 0 ? {} : { labels }),
    ...(Object.keys(otherAnnotations).length === 0 ? {} : { annotations: otherAnnotations }),
  };
}

function conditions(status: unknown, types?: readonly string[]): object {
  const all = field(status, 'conditions');
  if (!Array.isArray(all)) return {};
  const selected = (all as readonly JsonMap[]).filter(({ type }) => types?.includes(String(type)) ?? true);
  if (selected.length === 0) return {};
  return { conditions: selected.map(({ observedGeneration: _, ...condition }) => condition) };
}

function picked(value: unknown, names: readonly string[]): JsonMap {
  return Object.fromEntries(
    names.flatMap((name) => {
      const inner = field(value, name);
      return inner === undefined || inner === null ? [] : [[name, inner]];
    }),
  );
}

function field(value: unknown, name: string): unknown {
  return isJsonMap(value) ? value[name] : undefined;
}

function isPast(time: unknown, now: number): boolean {
  return typeof time === 'string' && Date.parse(time) < now;
}
