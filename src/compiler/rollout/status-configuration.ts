import type { ClusterAddOn, ConfigReference, ResolvedAddOn } from '../configure/resolved-add-on.ts';
import type { DecidedCondition } from '../place/decision.ts';
import type { Rollout } from './simulation/simulate-rollout.ts';

/** The configuration in the status of a ManagedClusterAddOn. */
export interface StatusConfiguration {
  /** The configuration that is released to the cluster: `status.configReferences`. */
  readonly references: readonly ConfigReference[];
  /** The condition Configured. Absent if no controller writes it. */
  readonly condition?: DecidedCondition;
}

const configured: DecidedCondition = {
  type: 'Configured',
  status: 'True',
  reason: 'ConfigurationsConfigured',
  message: 'Configurations configured',
};

const waiting: DecidedCondition = {
  type: 'Configured',
  status: 'False',
  reason: 'ConfigurationsNotConfigured',
  message: 'Configurations updated and not configured yet',
};

/** Returns the configuration in the status of clusters that a rollout has reached. */
export function reachedConfiguration(
  { managed, stalled }: ResolvedAddOn,
  { effective }: ClusterAddOn,
): StatusConfiguration {
  const { references } = effective;
  return managed && stalled === undefined ? { references, condition: configured } : { references };
}

/**
 * Returns the configuration in the status of every cluster after a rollout ends, including clusters that it never reaches. As the
 * reconciler of OCM's addonconfiguration controller.
 */
export function configurationAfter({
  reached,
  configures,
  stops,
}: Rollout): (clusterAddOn: ClusterAddOn) => StatusConfiguration {
  const left = new Set(stops.flatMap((stop) => stop.left));
  return ({ cluster }) => {
    const references = reached.get(cluster)?.references ?? [];
    if (!configures) return { references };
    return { references, condition: left.has(cluster) ? waiting : configured };
  };
}
