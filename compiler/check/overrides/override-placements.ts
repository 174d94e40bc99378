import type { ClusterManagementAddOnV1beta1 } from '../../../schemas/types.gen.ts';
import { overrideOfAnnotation } from '../../../ocm/own-annotations.ts';
import type { ResolvedAddOn } from '../../configure/configuration.ts';
import { diagnostic, type Diagnostic } from '../../diagnostic.ts';
import { objectKey, type Admitted } from '../../inventory.ts';
import { isOverridePlacement } from '../../override/override-mode.ts';
import { pointAt } from '../../point-at.ts';
import { clusterCount } from '../../words.ts';
import type { CheckInput, Rule } from '../rule.ts';

/**
 * Reports overrides that are placements of single clusters on the hub and that select nothing or take their cluster out of a
 * rollout in waves.
 */
export const overridePlacements: Rule = function* (input): Iterable<Diagnostic> {
  if (![...input.inventory.placements.values()].some(({ object }) => isOverridePlacement(object))) return;
  for (const resolved of input.configuration.values()) {
    const addOn = input.inventory.clusterManagementAddOns.get(resolved.name);
    if (addOn === undefined || !resolved.managed) continue;
    yield* withoutEffect(resolved, addOn, input);
    yield* outsideWaves(resolved, addOn, input);
  }
};

type AddOn = Admitted<ClusterManagementAddOnV1beta1>;

function* withoutEffect(
  { name, clusters }: ResolvedAddOn,
  addOn: AddOn,
  { inventory: { placements }, decisions }: CheckInput,
): Iterable<Diagnostic> {
  const seen = new Set<string>();
  for (const strategy of addOn.object.spec.installStrategy?.placements ?? []) {
    const placement = placements.get(objectKey(strategy.namespace, strategy.name));
    const [cluster = ''] = placement?.object.metadata.annotations?.[overrideOfAnnotation]?.split('/') ?? [];
    if (placement === undefined || cluster === '' || seen.has(cluster)) continue;
    seen.add(cluster);
    if (clusters.has(cluster)) continue;
    yield diagnostic('FW4012', {
      message: decisions.clusters.has(cluster)
        ? `no placement of "${name}" selects "${cluster}", so its override has no effect`
        : `the fleet has no cluster "${cluster}", so its override has no effect`,
      ...pointAt(placement, ['metadata', 'namespace']),
      object: { ...pointAt(addOn, []).object, kind: 'ManagedClusterAddOn', namespace: cluster },
      hint: 'select the cluster with a placement of the install strategy, or remove the override',
    });
  }
}

function* outsideWaves(
  { clusters }: ResolvedAddOn,
  addOn: AddOn,
  { inventory: { placements } }: CheckInput,
): Iterable<Diagnostic> {
  const strategies = addOn.object.spec.installStrategy?.placements ?? [];
  const positions = new Map(
    strategies.map(({ namespace, name }, index) => [objectKey(namespace, name), index]),
  );
  const outside = new Map<number, string[]>();
  for (const { cluster, placements: selecting } of clusters.values()) {
    const isOverride = (key: string): boolean => {
      const placement = placements.get(key);
      return placement !== undefined && isOverridePlacement(placement.object);
    };
    if (!isOverride(selecting.at(-1) ?? '')) continue;
    const position = positions.get(selecting.findLast((key) => !isOverride(key)) ?? '');
    if (position === undefined || (strategies[position]?.rolloutStrategy?.type ?? 'All') === 'All') continue;
    const others = outside.get(position) ?? [];
    outside.set(position, others);
    others.push(cluster);
  }
  for (const [position, [first = '', ...others]] of outside) {
    yield diagnostic('FW7210', {
      message: `${clusterCount(others.length + 1)} with an override as a placement (${first}${others.length === 0 ? '' : ', …'}) ${others.length === 0 ? 'is' : 'are'} not part of these waves: a change for all clusters reaches ${others.length === 0 ? 'it' : 'them'} at once`,
      ...pointAt(addOn, ['spec', 'installStrategy', 'placements', position, 'rolloutStrategy']),
      hint: 'with override: inventory, they remain part of the waves',
    });
  }
}
