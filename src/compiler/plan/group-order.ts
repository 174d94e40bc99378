import type { HubVersion } from '../../ocm/hub-version.ts';
import { isPromoted } from '../../ocm/promoted-rollout.ts';
import type { Pair } from '../compare/resolution-pair.ts';
import { diagnostic, type Diagnostic } from '../model/diagnostic.ts';
import { pointAt } from '../model/point-at.ts';
import { mandatoryGroups, reachableGroups } from '../rollout/decision-tracker.ts';
import { rolloutGraph, type StrategyNode } from '../rollout/graph.ts';
import { partOf } from '../rollout/strategy/strategy.ts';

/**
 * Reports add-ons that go by decision groups and are installed again: the snapshot has their ManagedClusterAddOns, but the base has not. No release of OCM keeps their order while ManagedClusterAddOns of an
 * earlier installation are left: setRolloutStatus of its addonconfiguration graph counts them as successful.
 */
export function unorderedGroups({ base, head }: Pair, hub: HubVersion): readonly Diagnostic[] {
  const { inventory, decisions, configuration } = head.resolution;
  return [...configuration.values()].flatMap((addOn) => {
    const { name, managed, delivery, isHubOwned } = addOn;
    const admitted = inventory.clusterManagementAddOns.get(name);
    if (!managed || delivery !== 'hub' || isHubOwned === true || admitted === undefined) return [];
    if (base.resolution.configuration.get(name)?.managed === true || isPromoted(admitted.object)) return [];
    const isInSnapshot = [...inventory.managedClusterAddOns.values()].some(
      ({ object, source }) => source === 'fleet' && object.metadata.name === name,
    );
    if (!isInSnapshot) return [];
    const graph = rolloutGraph(addOn, inventory, decisions);
    if ('error' in graph) return [];
    return graph.nodes.filter(goesByGroup).map(({ position, strategy }) =>
      diagnostic('FW8160', {
        message: `the snapshot has ManagedClusterAddOns of add-on "${name}" from before, and its groups can change in another order while they are left: OCM ${hub.name} counts them as successful until they are removed`,
        ...pointAt(admitted, [
          'spec',
          'installStrategy',
          'placements',
          position,
          'rolloutStrategy',
          partOf[strategy.type],
        ]),
        hint: 'before the merge, wait until all its ManagedClusterAddOns are gone; updates keep the order',
      }),
    );
  });
}

/** Whether a group waits for another one. */
function goesByGroup({ groups, strategy }: StrategyNode): boolean {
  const mandatory = mandatoryGroups(groups, strategy).length;
  if (strategy.type === 'All') return false;
  return (strategy.type === 'ProgressivePerGroup' || mandatory > 0) && reachableGroups(groups).length > 1;
}
