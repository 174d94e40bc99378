import type { Code } from './codes.ts';
import type { Inventory } from './inventory.ts';

/**
 * Whether the inputs describe the fleet: clusters, or the cluster sets and bindings that every fleet snapshot has. Without them
 * the clusters are unknown. That differs from a fleet without clusters.
 */
export function hasFleet({
  managedClusters,
  managedClusterSets,
  managedClusterSetBindings,
}: Pick<Inventory, 'managedClusters' | 'managedClusterSets' | 'managedClusterSetBindings'>): boolean {
  if (managedClusters.size > 0) return true;
  return [...managedClusterSets.values(), ...managedClusterSetBindings.values()].some(
    ({ source }) => source === 'fleet',
  );
}

/** Rules that read clusters, cluster sets or bindings. Without a fleet they would report everything as missing, or nothing. */
export const fleetCodes: ReadonlySet<Code> = new Set<Code>([
  // place
  'FW3001',
  'FW3004',
  'FW3005',
  'FW3007',
  'FW3008',
  'FW3009',
  'FW3010',
  // configure
  'FW4003',
  'FW4006',
  'FW4007',
  'FW4012',
  // rollout
  'FW5002',
  // render
  'FW6001',
  'FW6002',
  'FW6003',
  'FW6004',
  'FW6005',
  'FW6006',
  'FW6007',
  'FW6008',
  // placements
  'FW7001',
  'FW7002',
  'FW7004',
  'FW7007',
  'FW7009',
  'FW7010',
  'FW7016',
  'FW7020',
  'FW7022',
  'FW7023',
  // templates: they look at the objects that clusters get
  'FW7101',
  'FW7102',
  'FW7103',
  'FW7104',
  'FW7105',
  'FW7106',
  'FW7107',
  'FW7108',
  'FW7109',
  'FW7110',
  'FW7111',
  'FW7112',
  'FW7114',
  'FW7115',
  'FW7116',
  'FW7117',
  'FW7118',
  'FW7122',
  'FW7123',
  'FW7124',
  'FW7125',
  'FW7126',
  'FW7127',
  'FW7128',
  'FW7129',
  'FW7130',
  'FW7136',
  'FW7137',
  'FW7138',
  // rollout strategies: they look at the clusters of each placement
  'FW7201',
  'FW7202',
  'FW7203',
  'FW7204',
  'FW7205',
  'FW7206',
  'FW7207',
  'FW7208',
  'FW7210',
  'FW7211',
]);
