import type { ManagedClusterAddOnV1beta1, ManagedClusterV1 } from '../../../schemas/types.gen.ts';
import { installNamespaceAnnotation } from '../admit/conversion/convert-managed-cluster-add-on.ts';
import type { ClusterAddOn } from '../configure/resolved-add-on.ts';
import type { HubVersion } from '../../ocm/hub-version.ts';
import type { FieldPath } from '../model/field-path.ts';
import { syncedAnnotations } from '../configure/installed-add-on.ts';
import type { Admitted } from '../model/inventory.ts';
import { defaultInstallNamespace } from '../../ocm/install-namespace.ts';
import type { Resolution } from '../resolve.ts';
import { withoutBookkeeping } from './bookkeeping.ts';
import { compareValues } from './compare-values.ts';
import type { Cause, Side, ValueChange } from './change.ts';
import type { Pair } from './resolution-pair.ts';

/** The differences in a ManagedClusterAddOn itself, apart from its configurations. */
export interface ClusterAddOnComparison {
  readonly causes: readonly Cause[];
  readonly values: readonly ValueChange[];
}

const same: ClusterAddOnComparison = { causes: [], values: [] };

type AdmittedClusterAddOn = Admitted<ManagedClusterAddOnV1beta1>;

/**
 * Compares the fields of a ManagedClusterAddOn, other than configurations, that the manager and the agents of an add-on read:
 * labels, annotations such as `addon.open-cluster-management.io/values`, and the namespace to install into. The hub copies
 * annotations with its prefix from the cluster to the ManagedClusterAddOn, and copies them again when they change.
 */
export function compareClusterAddOns(
  before: ClusterAddOn,
  after: ClusterAddOn,
  { hub, baseHub, base: { resolution: base }, head: { resolution: head } }: Pair,
  name: string,
): ClusterAddOnComparison {
  const clusters = { base: copiedFrom(before, base, baseHub), head: copiedFrom(after, head, hub) };
  if (
    before.managedClusterAddOn === undefined &&
    after.managedClusterAddOn === undefined &&
    isSameCluster(clusters)
  )
    return same;
  const differences = compareValues(
    readFields(before.managedClusterAddOn, clusters.base),
    readFields(after.managedClusterAddOn, clusters.head),
  );
  if (differences.length === 0) return same;
  const edits = new Set(
    compareValues(
      readFields(before.managedClusterAddOn, undefined),
      readFields(after.managedClusterAddOn, undefined),
    ).map(({ path }) => path),
  );
  const causes = new Map<string, Cause>();
  const values: ValueChange[] = [];
  for (const { path, fieldPath, ...sides } of differences) {
    const { cause, place } = edits.has(path)
      ? editOf(before.managedClusterAddOn, after.managedClusterAddOn, fieldPath, 'after' in sides)
      : copyOf(after.cluster, head, fieldPath);
    // The first location represents all of them.
    if (!causes.has(cause.text)) causes.set(cause.text, { ...cause, ...place });
    values.push({ object: `ManagedClusterAddOn ${name}`, path, ...sides, ...place });
  }
  return { causes: [...causes.values()], values };
}

/** Returns the fields that are compared, with the annotations that the hub copies from the cluster. */
export function clusterAddOnFields(
  clusterAddOn: ClusterAddOn,
  resolution: Resolution,
  hub: HubVersion,
): object {
  return readFields(clusterAddOn.managedClusterAddOn, copiedFrom(clusterAddOn, resolution, hub));
}

type CauseLocation = Pick<Cause, 'side' | 'location'>;

interface Reason {
  readonly cause: Pick<Cause, 'kind' | 'text'>;
  readonly place: CauseLocation;
}

function editOf(
  before: AdmittedClusterAddOn | undefined,
  after: AdmittedClusterAddOn | undefined,
  path: FieldPath,
  isThere: boolean,
): Reason {
  const side: Side = (isThere && after !== undefined) || before === undefined ? 'head' : 'base';
  const clusterAddOn = side === 'head' ? after : before;
  const how =
    before === undefined ? 'is written now' : after === undefined ? 'is no longer written' : 'was edited';
  return {
    cause: { kind: 'add-on edited', text: `its ManagedClusterAddOn ${how}` },
    place: {
      side,
      ...(clusterAddOn && { location: clusterAddOn.origin.locate(placeOf(path, clusterAddOn)) }),
    },
  };
}

function copyOf(cluster: string, head: Resolution, path: FieldPath): Reason {
  const { origin } = head.inventory.managedClusters.get(cluster) ?? {};
  return {
    cause: { kind: 'cluster changed', text: `annotation ${String(path.at(-1))} changed` },
    place: { side: 'head', ...(origin && { location: origin.locate(path) }) },
  };
}

/** Returns the cluster whose annotations the hub copies. The hub does so for add-ons that it installs itself. */
function copiedFrom(
  { cluster, placements }: ClusterAddOn,
  { decisions }: Resolution,
  hub: HubVersion,
): ManagedClusterV1 | undefined {
  return !hub.copiesClusterAnnotations || placements.length === 0
    ? undefined
    : decisions.clusters.get(cluster);
}

function isSameCluster({ base, head }: Readonly<Record<Side, ManagedClusterV1 | undefined>>): boolean {
  return base === head || compareValues(syncedAnnotations(base), syncedAnnotations(head)).length === 0;
}

/** Returns the values by the fields in which they are reported. The namespace is in the field that v1alpha1 uses. */
function readFields(
  clusterAddOn: AdmittedClusterAddOn | undefined,
  cluster: ManagedClusterV1 | undefined,
): object {
  const { annotations, labels } = clusterAddOn?.object.metadata ?? {};
  const { [installNamespaceAnnotation]: installNamespace, ...others } = {
    ...syncedAnnotations(cluster),
    ...withoutBookkeeping(annotations),
  };
  return {
    metadata: { labels: withoutBookkeeping(labels), annotations: others },
    // The API server sets the default in v1alpha1, the version that it stores.
    spec: { installNamespace: installNamespace ?? defaultInstallNamespace },
  };
}

function placeOf(fieldPath: FieldPath, { object, originalVersion }: AdmittedClusterAddOn): FieldPath {
  if (fieldPath.at(-1) !== 'installNamespace') return fieldPath;
  const isV1alpha1 = (originalVersion ?? object.apiVersion).endsWith('/v1alpha1');
  return isV1alpha1 ? fieldPath : ['metadata', 'annotations', installNamespaceAnnotation];
}
