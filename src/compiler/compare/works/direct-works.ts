import { addToGroup } from '../../../base/collections/groups.ts';
import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import { addOnNameLabel } from '../../../ocm/labels.ts';
import { groupOf } from '../../../base/names/resource-name.ts';
import type { FieldPath } from '../../model/field-path.ts';
import { objectKey, type Admitted } from '../../model/inventory.ts';
import type { Resolution } from '../../resolve.ts';
import { workGroup } from '../../../../schemas/groups.ts';

/** Works by name, then by cluster. */
export type WorksByCluster = ReadonlyMap<string, ReadonlyMap<string, readonly Admitted[]>>;

/** The works of one state that were written, not those that the hub creates. */
export interface DirectWorks {
  /** The works that name the add-on to which they belong, by add-on. */
  readonly addOns: WorksByCluster;
  /** All others, by name. */
  readonly others: WorksByCluster;
  /** By `namespace/name`. */
  readonly replicaSets: ReadonlyMap<string, Admitted>;
}

/** The relation of a work to clusters and add-ons, the same in both states. */
export interface WorkOwners {
  readonly isCluster: (name: string) => boolean;
  readonly hasAddOn: (addOn: string, cluster: string) => boolean;
}

/** Returns the written works. Omits works in namespaces that belong to no cluster, because they reach no cluster. */
export function directWorks({ inventory }: Resolution, { isCluster, hasAddOn }: WorkOwners): DirectWorks {
  const addOns = new Map<string, Map<string, Admitted[]>>();
  const others = new Map<string, Map<string, Admitted[]>>();
  const replicaSets = new Map<string, Admitted>();
  for (const admitted of inventory.others) {
    const { apiVersion, kind, metadata } = admitted.object;
    if (groupOf(apiVersion) !== workGroup) continue;
    const { name = '', namespace: cluster = '', labels } = metadata;
    if (kind === 'ManifestWorkReplicaSet') replicaSets.set(objectKey(cluster, name), admitted);
    if (kind !== 'ManifestWork' || !isCluster(cluster)) continue;
    const addOn = labels?.[addOnNameLabel];
    if (addOn !== undefined && hasAddOn(addOn, cluster)) add(addOns, addOn, cluster, admitted);
    else add(others, name, cluster, admitted);
  }
  return { addOns, others, replicaSets };
}

function add(
  works: Map<string, Map<string, Admitted[]>>,
  name: string,
  cluster: string,
  work: Admitted,
): void {
  const clusters = getOrInsertComputed(works, name, () => new Map<string, Admitted[]>());
  addToGroup(clusters, cluster, work);
}

/** Returns the field of a written work that contains what clusters receive. */
export function workSpecPath({ object }: Admitted): FieldPath {
  return object.kind === 'ManifestWorkReplicaSet' ? ['spec', 'manifestWorkTemplate'] : ['spec'];
}
