import type { Resolution } from '../../resolve.ts';

/**
 * Returns why it is unknown what the manager of an add-on renders for a cluster, as the end of a sentence. Undefined if it is
 * predicted, or if there is no such add-on.
 */
export function unknownRendering(
  addOn: string,
  cluster: string,
  { configuration, inventory, rendering }: Pick<Resolution, 'configuration' | 'inventory' | 'rendering'>,
): string | undefined {
  const resolved = configuration.get(addOn);
  if (resolved === undefined) return undefined;
  if (!resolved.managed) return 'the hub resolves no configuration for it, because it has lifecycle: self';
  if (resolved.template) return undefined;
  if (inventory.managerProfiles?.has(addOn) !== true) return 'no ManagerProfile declares it';
  const isPredicted = !resolved.clusters.has(cluster) || rendering.predicted(addOn, cluster) !== undefined;
  if (isPredicted) return undefined;
  return resolved.clusters.get(cluster)?.awaitsHosting === undefined
    ? 'it is hosted on another cluster'
    : 'its manager waits for a hosting cluster';
}
