/** On a ClusterManagementAddOn: the manager of the add-on. */
export const lifecycleAnnotation = 'addon.open-cluster-management.io/lifecycle';

/** The value for the hub's addon-manager, which is also the default. */
export const addonManager = 'addon-manager';

/**
 * Whether the hub's addon-manager installs and configures the add-on. As addon-framework ManagedByAddonManager: absent
 * means managed; any other value, including the empty one, means not managed.
 */
export function isManagedByAddonManager({
  metadata,
}: {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}): boolean {
  const { [lifecycleAnnotation]: lifecycle = addonManager } = metadata.annotations ?? {};
  return lifecycle === addonManager;
}
