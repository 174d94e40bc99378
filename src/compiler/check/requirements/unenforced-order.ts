import type { PlacementV1beta1 } from '../../../../schemas/types.gen.ts';
import { requiresAnnotation } from '../../../ocm/fleetwright-annotations.ts';
import { installPlacements } from '../../../ocm/install-strategy.ts';
import { diagnostic, type Diagnostic } from '../../model/diagnostic.ts';
import { objectKey, type Inventory } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { quote } from '../../model/words.ts';
import { addOnLabelPrefix } from '../placements/add-on-label.ts';
import type { GitOpsEngine } from '../overrides/pruned-overrides.ts';
import type { CheckInput, Rule } from '../rule.ts';
import { declaredRequirements, type DeclaredRequirement } from './declared-requirements.ts';

/**
 * Reports add-ons that must not be delivered before another one is Available, if nothing enforces it: OCM's addon-manager does not
 * know requirements, and waves of compiled delivery only wait for compiled add-ons. A promotion asks the hub before each wave.
 */
export const unenforcedOrder: Rule = {
  codes: ['FW4021'],
  *check(input) {
    for (const declared of declaredRequirements(input)) {
      const reason = unenforcedReason(declared, input.isPromoted === true);
      if (reason === undefined || !isOrdered(declared, input.inventory)) continue;
      yield finding(declared, reason, remedies(declared, input.isPromoted === true));
    }
  },
};

/**
 * Reports orders that only the waves of an engine would enforce, if no engine applies the output and no promotion releases it. Unlike
 * the rule, this depends on the engine that the output is written for.
 */
export function unorderedWaves(input: CheckInput, engine: GitOpsEngine): readonly Diagnostic[] {
  if (engine !== 'none') return [];
  return [...declaredRequirements(input)].flatMap((declared) => {
    const isCompiled = [declared.dependent, declared.required].every((each) => each?.delivery === 'compiled');
    if (!isCompiled || !isOrdered(declared, input.inventory)) return [];
    const reason = 'the output is written for no engine, so nothing waits between waves';
    return [finding(declared, reason, 'add a promotion, or set `engine` to argocd or flux')];
  });
}

/** Whether the order matters and the placements of the add-on do not enforce it. */
function isOrdered(declared: DeclaredRequirement, inventory: Inventory): boolean {
  return declared.requirement.state === 'available' && !selectsAvailable(declared, inventory);
}

function finding(
  { requirement, dependent, definition }: DeclaredRequirement,
  reason: string,
  remedy: string,
): Diagnostic {
  return diagnostic('FW4021', {
    message: `add-on ${quote(dependent.name)} may be delivered to a cluster before ${quote(requirement.name)} is Available there: ${reason}`,
    ...pointAt(definition, ['metadata', 'annotations', requiresAnnotation]),
    hint: `${remedy}; write "installed" if the order does not matter`,
  });
}

function remedies({ dependent, required, requirement }: DeclaredRequirement, isPromoted: boolean): string {
  const label = `let the placements of ${quote(dependent.name)} select the label ${addOnLabelPrefix}${requirement.name}: available`;
  if (isPromoted) return `use compiled delivery for ${quote(dependent.name)}, or ${label}`;
  if (dependent.delivery === 'compiled') {
    const both = required === undefined ? '' : 'use compiled delivery for both, ';
    return `${both}add a promotion, whose waves wait for it, or ${label}`;
  }
  return required === undefined ? label : `use compiled delivery for both, or ${label}`;
}

function unenforcedReason(
  { dependent, required, requirement }: DeclaredRequirement,
  isPromoted: boolean,
): string | undefined {
  if (dependent.delivery !== 'compiled')
    return isPromoted
      ? 'the promotion asks before it changes a placement, but the hub delivers it at once to clusters that join later'
      : 'the hub delivers it, and does not know requirements';
  if (isPromoted) return undefined;
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
