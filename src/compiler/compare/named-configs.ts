import type { ClusterAddOn, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import { defaultPath } from '../configure/default-path.ts';
import { effectiveConfiguration } from '../configure/effective.ts';
import { levelCandidates } from '../configure/levels.ts';
import type { Resolution } from '../resolve.ts';

/**
 * Returns an add-on on a cluster with the configurations that count there. For add-ons with `lifecycle: self` the hub resolves
 * none. The add-on's own manager then reads those that the ManagedClusterAddOn names, or else the defaults of the
 * ClusterManagementAddOn.
 */
export function withNamedConfigs(
  clusterAddOn: ClusterAddOn,
  { name, managed, reads }: ResolvedAddOn,
  { inventory }: Resolution,
): ClusterAddOn {
  if (managed) return clusterAddOn;
  const addOn = inventory.clusterManagementAddOns.get(name);
  if (addOn === undefined) return clusterAddOn;
  const { managedClusterAddOn } = clusterAddOn;
  const unhashed = (): string => '';
  const defaults = levelCandidates(
    addOn.object.spec.defaultConfigs,
    { level: 'default', origin: addOn.origin, pathOf: (index) => defaultPath(addOn, index) },
    unhashed,
  );
  const cluster =
    managedClusterAddOn === undefined
      ? new Map<string, never>()
      : levelCandidates(
          managedClusterAddOn.object.spec.configs,
          {
            level: 'cluster',
            origin: managedClusterAddOn.origin,
            pathOf: (index) => ['spec', 'configs', index],
          },
          unhashed,
        );
  return {
    ...clusterAddOn,
    effective: effectiveConfiguration({ defaults, placements: [], cluster }, [], reads),
  };
}
