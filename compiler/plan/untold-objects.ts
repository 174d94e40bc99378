import { compareUtf8 } from '../../encoding/go-json.ts';
import { addOnNameLabel } from '../api/labels.ts';
import { groupOf, groupResource, guessResource } from '../api/resource-name.ts';
import { objectKey, type Admitted, type Inventory } from '../inventory.ts';
import type { Location } from '../origin.ts';
import type { Resolution } from '../resolve.ts';
import type { AddOnChange } from './add-on-plan.ts';
import { withoutBookkeeping } from './bookkeeping.ts';
import { compareValues } from './compare-values.ts';
import type { Side } from './change.ts';
import type { PlacementChange } from './placements.ts';

/** A written object that changes, though no add-on and no work changes by it on any cluster. */
export interface ObjectChange {
  /** `ClusterManagementAddOn logging`, `AddOnDeploymentConfig agents/unused`. */
  readonly object: string;
  readonly change: 'added' | 'removed' | 'edited';
  readonly side: Side;
  readonly location: Location;
}

/** What a plan tells of one app. */
export interface ToldApp {
  readonly addOns: readonly AddOnChange[];
  readonly placements: readonly PlacementChange[];
}

/**
 * The objects that an app writes differently, adds or no longer has, and that the rest of its plan says nothing of: what a
 * reviewer would otherwise find in the diff of the emitted files only. Sorted.
 */
export function untoldObjects(base: Resolution, head: Resolution, told: ToldApp): ObjectChange[] {
  const before = appObjects(base);
  const after = appObjects(head);
  const isTold = toldIn(told);
  const changes: ObjectChange[] = [];
  for (const [key, written] of after) {
    const earlier = before.get(key);
    const [first] = earlier === undefined ? [] : compareValues(contentOf(earlier), contentOf(written));
    if ((earlier !== undefined && first === undefined) || isTold(written)) continue;
    changes.push(
      first === undefined
        ? changeOf(written, 'added', 'head')
        : 'after' in first
          ? changeOf(written, 'edited', 'head', first.fieldPath)
          : changeOf(earlier ?? written, 'edited', 'base', first.fieldPath),
    );
  }
  for (const [key, written] of before) {
    if (!after.has(key) && !isTold(written)) changes.push(changeOf(written, 'removed', 'base'));
  }
  return changes.sort((a, b) => compareUtf8(a.object, b.object));
}

function changeOf(
  written: Admitted,
  change: ObjectChange['change'],
  side: Side,
  path: readonly (string | number)[] = [],
): ObjectChange {
  const { kind } = written.object;
  const location = change === 'edited' ? written.origin.locate(path) : written.origin.location;
  return { object: `${kind} ${nameOf(written)}`, change, side, location };
}

function appObjects({ inventory }: Resolution): ReadonlyMap<string, Admitted> {
  const objects = new Map<string, Admitted>();
  for (const written of inventory.written) {
    if (written.source !== 'app') continue;
    const { apiVersion, kind } = written.object;
    const key = `${groupOf(apiVersion)}/${kind} ${nameOf(written)}`;
    objects.set(key, asRead(written, inventory));
  }
  return objects;
}

/** In the one version that the phases read: another one in which the same is written is no change. */
function asRead(written: Admitted, inventory: Inventory): Admitted {
  const { kind } = written.object;
  const read =
    kind === 'ClusterManagementAddOn'
      ? inventory.clusterManagementAddOns.get(nameOf(written))
      : kind === 'ManagedClusterAddOn'
        ? inventory.managedClusterAddOns.get(nameOf(written))
        : undefined;
  return read === undefined ? written : { ...written, object: { ...read.object } };
}

function nameOf({ object: { metadata } }: Admitted): string {
  return objectKey(metadata.namespace, metadata.name ?? '');
}

/** What is written by people: not the status, and not what tools that apply objects note on them. */
function contentOf({ object: { apiVersion: _version, status: _status, ...object } }: Admitted): object {
  const { labels, annotations, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: withoutBookkeeping(labels),
      annotations: withoutBookkeeping(annotations),
    },
  };
}

/** Whether a plan says something of an object already. */
function toldIn({ addOns, placements }: ToldApp): (written: Admitted) => boolean {
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
  return (written) => {
    const { apiVersion, kind, metadata } = written.object;
    const { name = '', namespace = '', labels } = metadata;
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
        return subjects.has(`${kind} ${nameOf(written)}`);
      case 'Placement':
        return decided.has(nameOf(written));
      case 'ManagedCluster':
        return reached.has(name);
      case 'ManagedClusterSet':
      case 'ManagedClusterSetBinding':
        return setsChanged;
      case 'ClusterRole':
      case 'Role':
        return roles.has(`${kind}/${name}`);
      default: {
        const resource = groupResource(groupOf(apiVersion), guessResource(kind));
        return configs.has(`${resource} ${nameOf(written)}`);
      }
    }
  };
}
