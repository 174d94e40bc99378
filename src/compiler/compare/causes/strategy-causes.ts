import { objectKey } from '../../model/inventory.ts';
import { quote } from '../../model/words.ts';
import type { Resolution } from '../../resolve.ts';
import type { Cause } from '../change.ts';
import type { Pair } from '../resolution-pair.ts';
import { lifecycleAnnotation } from '../../../ocm/lifecycle.ts';

/** Returns the placements of an install strategy that the hub follows. Empty if the hub installs nothing. */
export function listedPlacements(addOn: string, resolution: Resolution): ReadonlySet<string> {
  if (!isInstalled(addOn, resolution)) return new Set();
  const { installStrategy } = resolution.inventory.clusterManagementAddOns.get(addOn)?.object.spec ?? {};
  return new Set(
    (installStrategy?.placements ?? []).map(({ namespace, name }) => objectKey(namespace, name)),
  );
}

/** Returns whether the hub installs an add-on by its placements. */
export function isInstalled(addOn: string, { configuration, inventory }: Resolution): boolean {
  const { installStrategy } = inventory.clusterManagementAddOns.get(addOn)?.object.spec ?? {};
  return configuration.get(addOn)?.managed === true && installStrategy?.type === 'Placements';
}

/** Returns the cause for an add-on that is added or removed as a whole. */
export function addOnCause(
  kind: 'add-on added' | 'add-on removed',
  name: string,
  { inventory }: Resolution,
): Cause {
  const origin = inventory.clusterManagementAddOns.get(name)?.origin;
  const added = kind === 'add-on added';
  return {
    kind,
    text: added
      ? `ClusterManagementAddOn "${name}" is new`
      : `ClusterManagementAddOn "${name}" no longer exists`,
    side: added ? 'head' : 'base',
    ...(origin && { location: origin.location }),
  };
}

/** Returns the cause for a placement that the install strategy lists in one state only. */
export function listCause(
  addOn: string,
  placement: string,
  added: boolean,
  { inventory }: Resolution,
): Cause {
  const origin = inventory.clusterManagementAddOns.get(addOn)?.origin;
  return {
    kind: 'install strategy edited',
    text: `the install strategy ${added ? 'now' : 'no longer'} lists Placement "${placement}"`,
    side: 'head',
    ...(origin && { location: origin.locate(['spec', 'installStrategy', 'placements']) }),
  };
}

/** Returns the cause for the same placements in another order. */
export function orderCause(addOn: string, { inventory }: Resolution): Cause {
  const origin = inventory.clusterManagementAddOns.get(addOn)?.origin;
  return {
    kind: 'install strategy edited',
    text: 'the install strategy lists its placements in another order',
    side: 'head',
    ...(origin && { location: origin.locate(['spec', 'installStrategy', 'placements']) }),
  };
}

/** Returns the cause for the annotation that sets whether the hub manages an add-on. */
export function lifecycleCause(addOn: string, { base, head }: Pair): Cause {
  const [before, after] = [base, head].map(({ resolution }) => {
    const lifecycle =
      resolution.inventory.clusterManagementAddOns.get(addOn)?.object.metadata.annotations?.[
        lifecycleAnnotation
      ];
    return lifecycle === undefined ? 'nothing' : quote(lifecycle);
  });
  const origin = head.resolution.inventory.clusterManagementAddOns.get(addOn)?.origin;
  return {
    kind: 'lifecycle changed',
    text: `annotation ${lifecycleAnnotation} of the ClusterManagementAddOn changed from ${before} to ${after}`,
    side: 'head',
    ...(origin && { location: origin.locate(['metadata', 'annotations', lifecycleAnnotation]) }),
  };
}

/**
 * Returns the cause for a ManagedClusterAddOn that was written for a cluster that no placement selects, after the hub starts to
 * follow placements.
 */
export function unselectedCause(addOn: string, { inventory }: Resolution): Cause {
  const origin = inventory.clusterManagementAddOns.get(addOn)?.origin;
  return {
    kind: 'install strategy edited',
    text: 'no placement of the install strategy selects it',
    side: 'head',
    ...(origin && { location: origin.locate(['spec', 'installStrategy']) }),
  };
}
