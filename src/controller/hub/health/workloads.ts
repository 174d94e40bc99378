import type {
  ManifestWorkV1,
  ManifestWorkV1FeedbackValue,
  ManifestWorkV1ManifestCondition,
} from '../../../../schemas/types.gen.ts';
import { pick, type Stored } from '../../../client/object.ts';
import { sharedMetadata, type EqualValues } from '../../cache/equal-values.ts';
import { cutConditions, sharedConditions } from '../condition.ts';
import { deletedByAnnotation, preDeleteHooksAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { addOnNamespaceLabel } from '../../../ocm/hosted-mode.ts';
import { addOnNameLabel } from '../../../ocm/labels.ts';
import { specHashAnnotation } from '../../../ocm/annotations.ts';

/** A Deployment or DaemonSet in a work. */
export interface Workload {
  readonly resource: 'deployments' | 'daemonsets';
  readonly namespace: string;
  readonly name: string;
  /** The replicas of a Deployment, if they are set. */
  readonly replicas: number | undefined;
}

interface Manifest {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly spec?: { readonly replicas?: unknown };
}

export function workloadsOf({ spec }: Stored<ManifestWorkV1>): readonly Workload[] {
  return (spec?.workload?.manifests ?? []).flatMap((manifest) => {
    const { apiVersion, kind, metadata, spec } = manifest as Manifest;
    if (typeof apiVersion !== 'string' || !apiVersion.startsWith('apps/')) return [];
    if (kind !== 'Deployment' && kind !== 'DaemonSet') return [];
    const { name = '', namespace = '' } = metadata ?? {};
    const replicas = typeof spec?.replicas === 'number' ? spec.replicas : undefined;
    return [
      kind === 'Deployment'
        ? { resource: 'deployments', namespace, name, replicas }
        : { resource: 'daemonsets', namespace, name, replicas: undefined },
    ];
  });
}

/** Values of status feedback that determine the health. */
const countedValues: ReadonlySet<string> = new Set([
  'ReadyReplicas',
  'NumberReady',
  'Replicas',
  'DesiredNumberScheduled',
]);

/**
 * Returns the part of a work to cache: the input of health and progress. Of its manifests, that is the list of
 * workloads, and of the status, the reports of the cluster about these. Works have up to 400 KB, and a cluster may
 * write a megabyte into the status of each of its works.
 */
export function cachedWork(work: Stored<ManifestWorkV1>, equal: EqualValues): Stored<ManifestWorkV1> {
  const { apiVersion, kind, metadata, status } = work;
  const workloads = workloadsOf(work);
  const manifests = workloads.map(({ resource, namespace, name, replicas }) => ({
    apiVersion: 'apps/v1',
    kind: resource === 'deployments' ? 'Deployment' : 'DaemonSet',
    metadata: { namespace, name },
    ...(replicas !== undefined && { spec: { replicas } }),
  }));
  const { generation, ownerReferences, labels, annotations } = metadata;
  return {
    apiVersion: equal.one(apiVersion),
    kind: equal.one(kind),
    metadata: sharedMetadata(
      metadata,
      {
        labels: equal.one(pick(labels, [addOnNameLabel, addOnNamespaceLabel])),
        annotations: equal.one({
          ...pick(annotations, [specHashAnnotation, deletedByAnnotation]),
          // The hooks themselves are read when they are needed.
          ...(annotations?.[preDeleteHooksAnnotation] !== undefined && { [preDeleteHooksAnnotation]: '' }),
        }),
        generation,
        // The owner is the add-on of this cluster; its texts are the same on all.
        ownerReferences: ownerReferences?.map((owner) => equal.texts(owner)),
      },
      equal,
    ),
    spec: equal.one({ workload: { manifests } }),
    status: {
      conditions: sharedConditions(cutConditions(status?.conditions, ['Applied', 'Available']), equal),
      resourceStatus: equal.one({
        manifests: reportedOf(workloads, status?.resourceStatus?.manifests ?? []),
      }),
    },
  };
}

/** Returns the reports of a cluster about workloads, the last one for each. */
function reportedOf(
  workloads: readonly Workload[],
  manifests: readonly ManifestWorkV1ManifestCondition[],
): readonly ManifestWorkV1ManifestCondition[] {
  const keys = new Set(
    workloads.map(({ resource, namespace, name }) => `${resource}.apps/${namespace}/${name}`),
  );
  const reported = new Map<string, ManifestWorkV1ManifestCondition>();
  for (const { resourceMeta, statusFeedback } of manifests) {
    const { group = '', resource = '', namespace = '', name = '', ordinal } = resourceMeta;
    const key = `${resource}.${group}/${namespace}/${name}`;
    const values = statusFeedback?.values ?? [];
    if (!keys.has(key) || values.length === 0) continue;
    reported.set(key, {
      resourceMeta: { group, resource, namespace, name, ordinal },
      conditions: [],
      statusFeedback: { values: countsOf(values) },
    });
  }
  return [...reported.values()];
}

/**
 * Returns the counts among the values, the last one for each name; never empty, because it matters that there are
 * values.
 */
function countsOf(values: readonly ManifestWorkV1FeedbackValue[]): readonly ManifestWorkV1FeedbackValue[] {
  const counts = new Map<string, ManifestWorkV1FeedbackValue>();
  for (const { name, fieldValue } of values) {
    if (!countedValues.has(name) || fieldValue.integer === undefined) continue;
    counts.delete(name);
    counts.set(name, { name, fieldValue: { type: 'Integer', integer: fieldValue.integer } });
  }
  return counts.size === 0
    ? [{ name: 'other', fieldValue: { type: 'Boolean', boolean: true } }]
    : [...counts.values()];
}
