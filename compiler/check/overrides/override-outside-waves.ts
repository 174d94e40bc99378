import { addToGroup } from '../../../collections/groups.ts';
import { diagnostic, type Diagnostic } from '../../diagnostic.ts';
import { objectKey } from '../../inventory.ts';
import { isOverridePlacement } from '../../cluster-overrides/override-mode.ts';
import { pointAt } from '../../point-at.ts';
import { clusterCount } from '../../words.ts';
import type { CheckInput, Rule } from '../rule.ts';
import { overriddenAddOns, type OverriddenAddOn } from './overridden-add-ons.ts';

/** Reports overrides that are placements of single clusters on the hub and that take their cluster out of a rollout in waves. */
export const overrideOutsideWaves: Rule = {
  codes: ['FW7210'],
  *check(input) {
    for (const overridden of overriddenAddOns(input)) yield* outsideWaves(overridden, input);
  },
};

function* outsideWaves(
  { addOn, resolved: { clusters } }: OverriddenAddOn,
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
    addToGroup(outside, position, cluster);
  }
  for (const [position, [first = '', ...others]] of outside) {
    yield diagnostic('FW7210', {
      message: `${clusterCount(others.length + 1)} with an override as a placement (${first}${others.length === 0 ? '' : ', …'}) ${others.length === 0 ? 'is' : 'are'} not part of these waves: a change for all clusters reaches ${others.length === 0 ? 'it' : 'them'} at once`,
      ...pointAt(addOn, ['spec', 'installStrategy', 'placements', position, 'rolloutStrategy']),
      hint: 'with override: inventory, they remain part of the waves',
    });
  }
}
