import { overrideOfAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { installPlacements } from '../../../ocm/install-strategy.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { emptyPlacements } from '../placements/empty-placements.ts';
import { objectKey } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import type { CheckInput, Rule } from '../rule.ts';
import { overriddenAddOns, type OverriddenAddOn } from './overridden-add-ons.ts';

/** Reports overrides that are placements of single clusters on the hub, for clusters that no placement selects. */
export const unselectedOverride: Rule = {
  codes: ['FW4012'],
  *check(input) {
    for (const overridden of overriddenAddOns(input)) yield* unselected(overridden, input);
  },
};

function* unselected(
  { addOn, resolved: { name, clusters } }: OverriddenAddOn,
  { inventory: { placements }, decisions }: CheckInput,
): Iterable<Diagnostic> {
  const seen = new Set<string>();
  const installing = installPlacements(addOn.object).map(({ namespace, name }) => objectKey(namespace, name));
  for (const strategy of addOn.object.spec.installStrategy?.placements ?? []) {
    const placement = placements.get(objectKey(strategy.namespace, strategy.name));
    const [cluster = ''] = placement?.object.metadata.annotations?.[overrideOfAnnotation]?.split('/') ?? [];
    if (placement === undefined || cluster === '' || seen.has(cluster)) continue;
    seen.add(cluster);
    if (clusters.has(cluster)) continue;
    const isInFleet = decisions.clusters.has(cluster);
    yield diagnostic('FW4012', {
      message: isInFleet
        ? `no placement of "${name}" selects "${cluster}", so its override has no effect`
        : `the fleet has no cluster "${cluster}", so its override has no effect`,
      ...pointAt(placement, ['metadata', 'namespace']),
      object: { ...pointAt(addOn, []).object, kind: 'ManagedClusterAddOn', namespace: cluster },
      hint: 'select the cluster with a placement of the install strategy, or remove the override',
      ...(isInFleet && clusters.size === 0 && { explainedBy: emptyPlacements(installing) }),
    });
  }
}
