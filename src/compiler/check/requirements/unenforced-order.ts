import type { PlacementV1beta1 } from '../../../../schemas/types.gen.ts';
import { requiresAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { installPlacements } from '../../../ocm/install-strategy.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { objectKey, type Inventory } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import { addOnLabelPrefix } from '../placements/add-on-label.ts';
import type { Rule } from '../rule.ts';
import { declaredRequirements, type DeclaredRequirement } from './declared-requirements.ts';

/**
 * Reports add-ons that must not be delivered before another one is Available, if nothing enforces it: OCM's addon-manager does not
 * know requirements, and waves of compiled delivery only wait for compiled add-ons.
 */
export const unenforcedOrder: Rule = {
  codes: ['FW4021'],
  *check(input) {
    for (const declared of declaredRequirements(input)) {
      const { requirement, dependent, definition, required } = declared;
      if (requirement.state !== 'available') continue;
      const reason = unenforcedReason(declared);
      if (reason === undefined || selectsAvailable(declared, input.inventory)) continue;
      const label = `${addOnLabelPrefix}${requirement.name}: available`;
      yield diagnostic('FW4021', {
        message: `add-on ${quote(dependent.name)} may be delivered to a cluster before ${quote(requirement.name)} is Available there: ${reason}`,
        ...pointAt(definition, ['metadata', 'annotations', requiresAnnotation]),
        hint: `${required === undefined ? `let the placements of ${quote(dependent.name)} select the label ${label}` : `use compiled delivery for both, or let the placements of ${quote(dependent.name)} select the label ${label}`}; write "installed" if the order does not matter`,
      });
    }
  },
};

function unenforcedReason({ dependent, required, requirement }: DeclaredRequirement): string | undefined {
  if (dependent.delivery !== 'compiled') return 'the hub delivers it, and does not know requirements';
  if (required === undefined) return `${quote(requirement.name)} is not delivered by this app`;
  return required.delivery === 'compiled'
    ? undefined
    : `the hub delivers ${quote(required.name)}, and waves of compiled delivery do not wait for it`;
}

/** Whether all placements of an add-on select only clusters on which the hub reports the required add-on as available. */
function selectsAvailable(
  { definition, requirement: { name } }: DeclaredRequirement,
  { placements }: Inventory,
): boolean {
  const strategies = installPlacements(definition.object);
  return (
    strategies.length > 0 &&
    strategies.every((strategy) => {
      const placement = placements.get(objectKey(strategy.namespace, strategy.name));
      return placement !== undefined && requiresLabel(placement.object, `${addOnLabelPrefix}${name}`);
    })
  );
}

/** Whether each predicate, any of which selects a cluster, needs the label with the value `available`. */
function requiresLabel({ spec: { predicates = [] } }: PlacementV1beta1, label: string): boolean {
  return (
    predicates.length > 0 &&
    predicates.every(({ requiredClusterSelector }) => {
      const { matchLabels = {}, matchExpressions = [] } = requiredClusterSelector?.labelSelector ?? {};
      return (
        matchLabels[label] === 'available' ||
        matchExpressions.some(
          ({ key, operator, values = [] }) =>
            key === label && operator === 'In' && values.length === 1 && values[0] === 'available',
        )
      );
    })
  );
}
