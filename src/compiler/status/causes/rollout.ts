import { addOnCondition, causeOf, isFalse, unreacted, type CauseRule } from '../evidence.ts';

/** The rollout strategy: the configuration is not released to the cluster yet. */
export const waveRule: CauseRule = (evidence) => {
  const { cluster, position, progress } = evidence;
  if (progress !== 'ToApply') return undefined;
  const stop = position.stopOf(cluster);
  // As OCM's addonconfiguration reports a cluster to which the strategy does not release the configuration yet.
  const configured = addOnCondition(evidence, 'Configured');
  const since = isFalse(configured) ? configured.lastTransitionTime : undefined;
  if (stop !== undefined) {
    const code = stop.reason === 'too many failures' ? 'budget-spent' : 'rollout-blocked';
    return causeOf(code, `the rollout of ${stop.placement ?? 'the add-on'} stops: ${stop.message}`, since);
  }
  const wave = position.waveOf(cluster, isFalse(configured));
  if (wave === undefined) return undefined;
  return { ...causeOf('wave-not-reached', `wave ${wave.number} of ${wave.of} that are left`, since), wave };
};

/** Nothing holds the cluster back, and its manager handles it. */
export const pendingRule: CauseRule = ({ progress }) =>
  progress === 'ToApply'
    ? causeOf('hub-pending', 'the hub may configure the cluster now, and has not done so yet')
    : undefined;

/** The cluster has no ManagedClusterAddOn, and nothing explains it. */
export const missingRule: CauseRule = (evidence) =>
  evidence.progress === 'missing'
    ? unreacted(
        evidence,
        'hub-pending',
        'a placement selects the cluster, and the hub has not created the add-on',
      )
    : undefined;
