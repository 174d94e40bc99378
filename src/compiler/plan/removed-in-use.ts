import { oncePerPart } from '../../base/collections/joined-lists.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { guessResource } from '../../base/names/resource-name.ts';
import { placementFollowers } from '../api/placement-followers.ts';
import type { GitOpsEngine } from '../check/overrides/pruned-overrides.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { objectKey, referenceTo, type Inventory } from '../model/inventory.ts';
import { usersOf, type HubUsers } from '../api/hub-users.ts';

/** An object that an app no longer has. */
export interface RemovedObject {
  readonly app: string;
  readonly object: KubernetesObject;
}

/** An app of the later state. */
export interface RemainingApp {
  readonly app: string;
  readonly inventory: Inventory;
}

const kinds: ReadonlySet<string> = new Set([
  'Placement',
  'ManagedClusterSet',
  'ManagedClusterSetBinding',
  'Namespace',
]);

/**
 * Reports the removed placements, sets, bindings and namespaces that other apps use, or objects that only the fleet snapshot has. The
 * checks of an app report what its own objects lack, but for its namespace. An object that any app or snapshot has is not removed.
 */
export function removedInUse(
  removed: readonly RemovedObject[],
  apps: readonly RemainingApp[],
  engine: GitOpsEngine,
): readonly Diagnostic[] {
  const candidates = removed.filter(({ object }) => kinds.has(object.kind));
  if (candidates.length === 0) return [];
  const reason = engine === 'none' ? 'nothing deletes what leaves Git' : 'it is protected';
  const present = new Set(apps.flatMap(({ inventory }) => titlesIn(inventory.objects)));
  return candidates.flatMap(({ app, object }): Diagnostic[] => {
    if (present.has(titleOf(object))) return [];
    const isOwn = (each: RemainingApp): boolean => each.app === app && object.kind !== 'Namespace';
    const users = usersOf(
      object,
      guessResource(object.kind),
      usersIn(apps, (each, source) => source === 'fleet' || !isOwn(each)),
    );
    const [first] = users;
    if (first === undefined) return [];
    const more = users.length === 1 ? '' : ` and ${users.length - 1} more`;
    return [
      diagnostic('FW8063', {
        message: `${titleOf(object)} is removed from app "${app}", but ${first}${more} still ${users.length === 1 ? 'uses' : 'use'} it: it stays on this hub only because ${reason}, and a new hub does not have it`,
        object: referenceTo(object),
        hint: `keep it in app "${app}", or move it to the app that uses it; remove it once nothing uses it`,
      }),
    ];
  });
}

const titlesIn = oncePerPart((part: Inventory['objects']) =>
  part.flatMap(({ object }) => (kinds.has(object.kind) ? [titleOf(object)] : [])),
);

/** The objects of the apps that may use others. */
function usersIn(
  apps: readonly RemainingApp[],
  isCounted: (app: RemainingApp, source: 'app' | 'fleet') => boolean,
): HubUsers {
  const counted = apps.flatMap((app) => app.inventory.objects.filter(({ source }) => isCounted(app, source)));
  const ofKind = (...names: readonly string[]): readonly KubernetesObject[] =>
    counted.flatMap(({ object }) => (names.includes(object.kind) ? [object] : []));
  return {
    addOns: ofKind('ClusterManagementAddOn'),
    clusterAddOns: ofKind('ManagedClusterAddOn'),
    placements: ofKind('Placement'),
    bindings: ofKind('ManagedClusterSetBinding'),
    templates: [],
    clusters: ofKind('ManagedCluster'),
    roleBindings: ofKind('RoleBinding'),
    followers: placementFollowers({ others: counted }),
    custom: new Map(),
  };
}

function titleOf({ kind, metadata: { name = '', namespace } }: KubernetesObject): string {
  return `${kind} ${objectKey(namespace, name)}`;
}
