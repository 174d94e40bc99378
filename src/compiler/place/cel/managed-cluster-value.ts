import type { Condition, ManagedClusterV1, ManagedClusterV1Taint } from '../../../../schemas/types.gen.ts';
import type { ObjectMeta } from '../../../base/objects/object-meta.ts';
import { canonicalString, parseQuantity } from '../../../base/quantity.ts';
import { normalizeTime, zeroTime } from '../../../base/time/rfc3339.ts';
import { CelList, CelObject } from '../../../engines/cel/values/value.ts';
import type { CelValue } from '../../../engines/cel/values/value.ts';

/** Metadata that the hub knows and that a fleet snapshot may not have. */
interface HubMetadata extends ObjectMeta {
  readonly resourceVersion?: string;
  readonly selfLink?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly managedFields?: unknown;
}

/**
 * Fields that the API server or OCM's registration controllers set on every cluster. The hub has them even if a snapshot leaves them
 * out.
 */
const hubFields = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'finalizers',
] as const;

/**
 * Returns the value of `managedCluster` in a selector: the cluster as Go's struct of it is after apimachinery's unstructured
 * converter. Empty fields are absent; `status.conditions`, `status.version` and the times of taints are always present; integers
 * are integers; times are in UTC and without fractions; quantities are in their canonical text.
 *
 * @param complete whether the object has everything that the hub has. A fleet snapshot is not complete. Then an expression has no
 * known result if it reads fields that the hub adds, or `apiVersion` and `kind`, which OCM's cache only sometimes has.
 */
export function managedClusterValue(cluster: ManagedClusterV1, { complete = false } = {}): CelObject {
  const parts = {
    metadata: metadata(cluster.metadata, complete),
    spec: object(() => spec(cluster.spec)),
    status: object(() => status(cluster.status)),
  };
  if (!complete) return object(() => parts, uncertainTypeMeta);
  return object(() => ({ apiVersion: cluster.apiVersion, kind: cluster.kind, ...parts }));
}

/** Returns the variables of a placement's expressions: only `managedCluster`. */
export function managedClusterVariables(cluster: ManagedClusterV1): ReadonlyMap<string, CelValue> {
  return new Map([['managedCluster', managedClusterValue(cluster)]]);
}

const uncertainTypeMeta = unknownFields(['apiVersion', 'kind'], "OCM's cache does not always contain it");

/** Returns the fields of a map; undefined fields are absent. */
type Fields = Readonly<Record<string, CelValue | undefined>>;

function object(make: () => Fields, unknown?: ReadonlyMap<string, string>): CelObject {
  return new CelObject(() => {
    const fields = new Map<string, CelValue>();
    for (const [key, value] of Object.entries(make())) if (value !== undefined) fields.set(key, value);
    return fields;
  }, unknown);
}

function unknownFields(fields: readonly string[], reason: string): ReadonlyMap<string, string> | undefined {
  if (fields.length === 0) return undefined;
  return new Map(fields.map((field) => [field, `managed clusters have ${field}: ${reason}`]));
}

function metadata(source: HubMetadata, complete: boolean): CelObject {
  const missing = complete ? [] : hubFields.filter((field) => source[field] === undefined);
  return object(
    () => metadataFields(source),
    unknownFields(missing, 'the hub sets it, and the fleet does not have it'),
  );
}

function metadataFields(source: HubMetadata): Fields {
  return {
    name: unlessEmpty(source.name),
    generateName: unlessEmpty(source.generateName),
    namespace: unlessEmpty(source.namespace),
    selfLink: unlessEmpty(source.selfLink),
    uid: unlessEmpty(source.uid),
    resourceVersion: unlessEmpty(source.resourceVersion),
    generation: integer(source.generation),
    creationTimestamp: time(source.creationTimestamp),
    deletionTimestamp: time(source.deletionTimestamp),
    deletionGracePeriodSeconds:
      source.deletionGracePeriodSeconds === undefined ? undefined : BigInt(source.deletionGracePeriodSeconds),
    labels: strings(source.labels),
    annotations: strings(source.annotations),
    ownerReferences: listOf(source.ownerReferences, ({ uid = '', ...owner }) =>
      object(() => ({ ...owner, uid })),
    ),
    finalizers: listOf(source.finalizers, (finalizer) => finalizer),
  };
}

function spec(source: ManagedClusterV1['spec']): Fields {
  return {
    managedClusterClientConfigs: listOf(source?.managedClusterClientConfigs, ({ url, caBundle }) =>
      object(() => ({ url, caBundle: unlessEmpty(caBundle?.replaceAll(/[\r\n]/g, '')) })),
    ),
    hubAcceptsClient: source?.hubAcceptsClient ?? false,
    leaseDurationSeconds: integer(source?.leaseDurationSeconds),
    taints: listOf(source?.taints, taint),
  };
}

function status(source: ManagedClusterV1['status']): Fields {
  return {
    conditions: source?.conditions === undefined ? null : new CelList(source.conditions.map(condition)),
    capacity: quantities(source?.capacity),
    allocatable: quantities(source?.allocatable),
    version: object(() => ({ kubernetes: unlessEmpty(source?.version?.kubernetes) })),
    clusterClaims: listOf(source?.clusterClaims, ({ name, value }) =>
      object(() => ({ name: unlessEmpty(name), value: unlessEmpty(value) })),
    ),
    managedNamespaces: listOf(source?.managedNamespaces, ({ name, clusterSet, conditions }) =>
      object(() => ({ name, clusterSet, conditions: listOf(conditions, condition) })),
    ),
  };
}

function unlessEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Zero is left out. */
function integer(value: number | undefined): bigint | undefined {
  return value === undefined || value === 0 ? undefined : BigInt(value);
}

function listOf<T>(items: readonly T[] | undefined, convert: (item: T) => CelValue): CelList | undefined {
  return items === undefined || items.length === 0 ? undefined : new CelList(items.map(convert));
}

function strings(map: Readonly<Record<string, string>> | undefined): CelObject | undefined {
  return isEmpty(map) ? undefined : new CelObject(() => new Map(Object.entries(map)));
}

function quantities(resources: Readonly<Record<string, number | string>> | undefined): CelObject | undefined {
  if (isEmpty(resources)) return undefined;
  return object(() =>
    Object.fromEntries(
      Object.entries(resources).map(([name, amount]) => [name, canonicalQuantity(String(amount).trim())]),
    ),
  );
}

function isEmpty<T>(map: Readonly<Record<string, T>> | undefined): map is undefined {
  return map === undefined || Object.keys(map).length === 0;
}

function canonicalQuantity(text: string): string {
  const { quantity } = parseQuantity(text);
  return quantity === undefined ? text : canonicalString(quantity);
}

/** As `metav1.Time`: in UTC, to the second. */
function time(text: string | null | undefined): string | undefined {
  const normal = text === null || text === undefined ? undefined : normalizeTime(text);
  return normal === zeroTime ? undefined : normal;
}

function taint({ key, value, effect, timeAdded }: ManagedClusterV1Taint): CelObject {
  return object(() => ({ key, value: unlessEmpty(value), effect, timeAdded: time(timeAdded) ?? null }));
}

function condition(source: Condition): CelObject {
  const { type, observedGeneration, lastTransitionTime, reason, message } = source;
  return object(() => ({
    type,
    status: source.status,
    observedGeneration: integer(observedGeneration),
    lastTransitionTime: time(lastTransitionTime) ?? null,
    reason,
    message,
  }));
}
