import type { ClusterAddOn, ConfigReference, ResolvedAddOn } from '../configure/configuration.ts';
import type { DecidedCondition } from '../place/decision.ts';
import type { Rollout } from './roll-out.ts';

/** What a ManagedClusterAddOn holds. */
export interface HeldConfiguration {
  /** The configuration that the cluster was told to use: `status.configReferences`. */
  readonly references: readonly ConfigReference[];
  /** The condition Configured; absent where no controller gets to write it. */
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

/** What clusters hold that a rollout has come to. */
export function settled({ managed, stalled }: ResolvedAddOn, { effective }: ClusterAddOn): HeldConfiguration {
  const { references } = effective;
  return managed && stalled === undefined ? { references, condition: configured } : { references };
}

/**
 * What every cluster holds once a rollout has come to its end, those too that it never comes to. As the reconciler of OCM's
 * addonconfiguration controller.
 */
export function heldAfter({
  reached,
  configures,
  stops,
}: Rollout): (clusterAddOn: ClusterAddOn) => HeldConfiguration {
  const left = new Set(stops.flatMap((stop) => stop.left));
  return ({ cluster }) => {
    const references = reached.get(cluster)?.references ?? [];
    if (!configures) return { references };
    return { references, condition: left.has(cluster) ? waiting : configured };
  };
}
