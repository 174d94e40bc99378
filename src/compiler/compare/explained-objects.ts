import { addOnNameLabel } from '../../ocm/labels.ts';
import { groupOf, groupResource, guessResource } from '../../base/names/resource-name.ts';
import { objectKey, type Admitted } from '../model/inventory.ts';
import type { AddOnChange } from './add-on-plan.ts';
import type { PlacementChange } from './placements/placements.ts';

/** The parts of a plan that describe one app, without its objects. */
export interface ExplainedParts {
  readonly addOns: readonly AddOnChange[];
  readonly placements: readonly PlacementChange[];
  /** The objects that decide what else follows Placements, in the form `Policy agents/etcd`. */
  readonly followed: ReadonlySet<string>;
}

/** Returns whether the add-ons and placements of a plan show the effect of an edit to an object. */
export function explainedObjects({
  addOns,
  placements,
  followed,
}: ExplainedParts): (object: Admitted) => boolean {
  const configs = new Set<string>();
  const subjects = new Set<string>();
  const clustersOf = new Map<string, Set<string>>();
  const reached = new Set<string>();
  const roles = new Set<string>();
  let setsChanged = false;
  for (const { kind = 'ManagedClusterAddOn', addOn, groups, permissions } of addOns) {
    const clusters = new Set(groups.flatMap((group) => group.clusters));
    subjects.add(`${kind} ${addOn}`);
    clustersOf.set(`${kind} ${addOn}`, clusters);
    for (const cluster of clusters) reached.add(cluster);
    for (const { permission } of permissions) roles.add(permission.split(' in ', 1)[0] ?? '');
    for (const { configs: changed, causes } of groups) {
      setsChanged ||= causes.some(({ kind: cause }) => cause === 'binding changed');
      for (const { resource, before, after } of changed)
        for (const { name } of [...before, ...after]) configs.add(`${resource} ${name}`);
    }
  }
  const decided = new Set(placements.map(({ placement }) => placement));
  for (const { lost, gained } of placements)
    for (const { clusters } of [...lost, ...gained]) for (const cluster of clusters) reached.add(cluster);
  return (object) => {
    const { apiVersion, kind, metadata } = object.object;
    const { name = '', namespace = '', labels } = metadata;
    if (followed.has(`${kind} ${nameOf(object)}`)) return true;
    switch (kind) {
      case 'ClusterManagementAddOn':
        return subjects.has(`ManagedClusterAddOn ${name}`);
      case 'ManagedClusterAddOn':
        return clustersOf.get(`${kind} ${name}`)?.has(namespace) === true;
      case 'ManifestWork': {
        const owner = labels?.[addOnNameLabel] ?? '';
        const rows = [`${kind} ${name}`, `ManagedClusterAddOn ${owner}`];
        return rows.some((row) => clustersOf.get(row)?.has(namespace));
      }
      case 'ManifestWorkReplicaSet':
        return subjects.has(`${kind} ${nameOf(object)}`);
      case 'Placement':
        return decided.has(nameOf(object));
      case 'ManagedCluster':
        return reached.has(name);
      case 'ManagedClusterSet':
      case 'ManagedClusterSetBinding':
        return setsChanged;
      case 'AddOnPlacementScore':
      case 'PlacementDecision':
        return decided.size > 0;
      case 'ClusterRole':
      case 'Role':
        return roles.has(`${kind}/${name}`);
      default: {
        const resource = groupResource(groupOf(apiVersion), guessResource(kind));
        return configs.has(`${resource} ${nameOf(object)}`);
      }
    }
  };
}

function nameOf({ object: { metadata } }: Admitted): string {
  return objectKey(metadata.namespace, metadata.name ?? '');
}
