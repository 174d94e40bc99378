import type { Resolution } from '../resolve.ts';

/**
 * Returns why it is unknown what the manager of an add-on renders, as the end of a sentence. Undefined if it is predicted, or if
 * there is no such add-on.
 */
export function unknownRendering(
  addOn: string,
  { configuration, inventory }: Pick<Resolution, 'configuration' | 'inventory'>,
): string | undefined {
  const resolved = configuration.get(addOn);
  if (resolved === undefined) return undefined;
  if (!resolved.managed) return 'the hub resolves no configuration for it, because it has lifecycle: self';
  if (resolved.template || inventory.managerProfiles?.has(addOn) === true) return undefined;
  return 'no ManagerProfile declares it';
}
