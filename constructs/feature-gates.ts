/** Features by name, enabled or disabled. */
export type FeatureGates = Readonly<Record<string, boolean>>;

/** A component of a ClusterManager or Klusterlet, with its features by name. */
export type WithFeatureGates<T extends { readonly featureGates?: unknown }> = Omit<T, 'featureGates'> & {
  /**
   * Features to enable or disable.
   *
   * @default - the defaults of the release
   */
  readonly featureGates?: FeatureGates;
};

interface FeatureGate {
  readonly feature: string;
  readonly mode: 'Enable' | 'Disable';
}

/** Returns the component as in the API, with features as a list. */
export function toFeatureGateList<T extends { readonly featureGates?: FeatureGates }>(
  part: T | undefined,
): (Omit<T, 'featureGates'> & { readonly featureGates?: readonly FeatureGate[] }) | undefined {
  if (part === undefined) return undefined;
  const { featureGates, ...rest } = part;
  if (featureGates === undefined) return rest;
  const gates = Object.entries(featureGates).map(([feature, on]): FeatureGate => ({
    feature,
    mode: on ? 'Enable' : 'Disable',
  }));
  return { ...rest, featureGates: gates };
}
