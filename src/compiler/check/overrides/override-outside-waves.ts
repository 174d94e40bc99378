import { addToGroup } from '../../../base/collections/groups.ts';
import { parametersOfAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { objectKey } from '../../model/inventory.ts';
import { isOverridePlacement } from '../../cluster-overrides/override-mode.ts';
import { pointAt } from '../../model/point-at.ts';
import { clusterCount } from '../../model/words.ts';
import type { CheckInput, Rule } from '../rule.ts';
import { overriddenAddOns, type OverriddenAddOn } from './overridden-add-ons.ts';

/** Reports overrides that are placements of single clusters on the hub and that take their cluster out of a rollout in waves. */
export const overrideOutsideWaves: Rule = {
  codes: ['FW7210'],
  *check(input) {
    for (const overridden of overriddenAddOns(input)) yield* outsideWaves(overridden, input);
  },
};

const path = ['spec', 'installStrategy', 'placements'] as const;

function* outsideWaves(
  { addOn, resolved: { clusters } }: OverriddenAddOn,
  { inventory: { placements } }: CheckInput,
): Iterable<Diagnostic> {
  const strategies = addOn.object.spec.installStrategy?.placements ?? [];
  const positions = new Map(
    strategies.map(({ namespace, name }, index) => [objectKey(namespace, name), index]),
  );
  const outside = new Map<number, (readonly string[])[]>();
  const grouped = new Map<number, (readonly string[])[]>();
  const isOverride = (key: string): boolean => {
    const placement = placements.get(key);
    return placement !== undefined && isOverridePlacement(placement.object);
  };
  for (const { clusters: alike, placements: selecting } of clusters.parts()) {
    const deciding = selecting.at(-1) ?? '';
    if (!isOverride(deciding)) continue;
    const position = positions.get(selecting.findLast((key) => !isOverride(key)) ?? '');
    if (position === undefined || (strategies[position]?.rolloutStrategy?.type ?? 'All') === 'All') continue;
    const annotations = placements.get(deciding)?.object.metadata.annotations ?? {};
    addToGroup(parametersOfAnnotation in annotations ? grouped : outside, position, alike);
  }
  for (const [position, lists] of outside) {
    const names = lists.flat();
    const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them'];
    yield diagnostic('FW7210', {
      message: `${someClusters(names, 'an override as a placement')} ${are} not part of these waves: a change for all clusters reaches ${them} at once`,
      ...pointAt(addOn, [...path, position, 'rolloutStrategy']),
      hint: 'with override: inventory, they remain part of the waves',
    });
  }
  for (const [position, lists] of grouped) {
    const names = lists.flat();
    const are = names.length === 1 ? 'is' : 'are';
    yield diagnostic('FW7210', {
      message: `${someClusters(names, 'other parameters')} ${are} not part of these waves: each placement for such clusters has separate waves, which begin at the same time`,
      ...pointAt(addOn, [...path, position, 'rolloutStrategy']),
      hint: 'with override: inventory, they remain part of the waves',
    });
  }
}

function someClusters(names: readonly string[], what: string): string {
  return `${clusterCount(names.length)} with ${what} (${names[0]}${names.length === 1 ? '' : ', …'})`;
}
