import type { Condition, ManagedClusterV1, ManagedClusterV1Taint } from '../../schemas/types.gen.ts';
import type { ObjectMeta } from '../../schemas/object-meta.ts';
import { canonicalString, parseQuantity } from '../quantity.ts';
import { formatTimestamp, parseTimestamp } from './time.ts';
import { CelError, CelList, CelMap, CelTimestamp } from './value.ts';
import type { CelValue } from './value.ts';

/** What the hub knows of an object's metadata, and a fleet snapshot need not. */
interface HubMetadata extends ObjectMeta {
  readonly resourceVersion?: string;
  readonly selfLink?: string;
  readonly deletionGracePeriodSeconds?: number;
}

/** Fields that the API server sets on every object: where a snapshot leaves them out, the hub has them all the same. */
const serverFields = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields'];

/**
 * The value of `managedCluster` in a selector: the cluster as Go's struct of it looks after apimachinery's unstructured
 * converter. Empty fields are absent, `status.conditions`, `status.version` and the times of taints are always there,
 * integers are integers, times are in UTC and without fractions, quantities in their canonical text.
 *
 * @param complete whether the object is all that the hub has of it. A fleet snapshot is not: an expression that reads
 * what the API server adds, or `apiVersion` and `kind`, which OCM's cache sometimes holds and sometimes not, cannot be
 * answered then.
 */
export function managedClusterValue(cluster: ManagedClusterV1, { complete = false } = {}): CelMap {
  const { spec, status } = cluster;
  const typeMeta = complete ? { apiVersion: cluster.apiVersion, kind: cluster.kind } : {};
  const fields = {
    ...typeMeta,
    metadata: metadata(cluster.metadata, complete),
    spec: object({
      managedClusterClientConfigs: listOf(spec?.managedClusterClientConfigs, ({ url, caBundle }) =>
        object({ url, caBundle: unlessEmpty(caBundle?.replaceAll(/[\r\n]/g, '')) }),
      ),
      hubAcceptsClient: spec?.hubAcceptsClient ?? false,
      leaseDurationSeconds: integer(spec?.leaseDurationSeconds),
      taints: listOf(spec?.taints, taint),
    }),
    status: object({
      conditions: status?.conditions === undefined ? null : new CelList(status.conditions.map(condition)),
      capacity: quantities(status?.capacity),
      allocatable: quantities(status?.allocatable),
      version: object({ kubernetes: unlessEmpty(status?.version?.kubernetes) }),
      clusterClaims: listOf(status?.clusterClaims, ({ name, value }) =>
        object({ name: unlessEmpty(name), value: unlessEmpty(value) }),
      ),
      managedNamespaces: listOf(status?.managedNamespaces, ({ name, clusterSet, conditions }) =>
        object({ name, clusterSet, conditions: listOf(conditions, condition) }),
      ),
    }),
  };
  return complete
    ? object(fields)
    : object(fields, ['apiVersion', 'kind'], "OCM's cache does not always hold it");
}

function metadata(source: HubMetadata, complete: boolean): CelMap {
  const fields = {
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
    ownerReferences: listOf(source.ownerReferences, ({ uid, ...owner }) =>
      object({ ...owner, uid: uid ?? '' }),
    ),
    finalizers: listOf(source.finalizers, (finalizer) => finalizer),
  };
  if (complete) return object(fields);
  const missing = serverFields.filter(
    (field) => !(field in fields) || fields[field as keyof typeof fields] === undefined,
  );
  return object(fields, missing, 'the API server sets it, and the fleet does not have it');
}

/** A map of the fields that are not undefined; reading one of `unknown` cannot be answered. */
function object(
  fields: Readonly<Record<string, CelValue | undefined>>,
  unknown: readonly string[] = [],
  reason = '',
): CelMap {
  const entries = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return CelMap.of(entries, new Map(unknown.map((key) => [key, `managed clusters have ${key}: ${reason}`])));
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

function strings(map: Readonly<Record<string, string>> | undefined): CelMap | undefined {
  const entries = Object.entries(map ?? {});
  return entries.length === 0 ? undefined : CelMap.of(entries);
}

function quantities(resources: Readonly<Record<string, number | string>> | undefined): CelMap | undefined {
  const entries = Object.entries(resources ?? {});
  if (entries.length === 0) return undefined;
  return CelMap.of(
    entries.map(([name, amount]) => [name, canonicalQuantity(String(amount).trim())] as const),
  );
}

function canonicalQuantity(text: string): string {
  const { quantity } = parseQuantity(text);
  return quantity === undefined ? text : canonicalString(quantity);
}

/** As `metav1.Time`: in UTC, to the second. */
function time(text: string | null | undefined): string | undefined {
  const parsed = text === null || text === undefined ? undefined : parseTimestamp(text);
  if (parsed === undefined || parsed instanceof CelError) return undefined;
  return formatTimestamp(new CelTimestamp(parsed.seconds, 0));
}

function taint({ key, value, effect, timeAdded }: ManagedClusterV1Taint): CelMap {
  return object({ key, value: unlessEmpty(value), effect, timeAdded: time(timeAdded) ?? null });
}

function condition({
  type,
  status,
  observedGeneration,
  lastTransitionTime,
  reason,
  message,
}: Condition): CelMap {
  return object({
    type,
    status,
    observedGeneration: integer(observedGeneration),
    lastTransitionTime: time(lastTransitionTime) ?? null,
    reason,
    message,
  });
}
