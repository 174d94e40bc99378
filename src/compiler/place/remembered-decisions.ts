import { goJson } from '../../base/json/go-json.ts';
import type { PlacementDecisionV1beta1, PlacementV1beta1 } from '../../../schemas/types.gen.ts';
import { placementLabel } from '../../ocm/labels.ts';
import { objectKey, type ByKey } from '../model/inventory.ts';
import type { Decisions } from './decision.ts';
import { decisionsByPlacement } from './unchanged-decision.ts';

type Objects = readonly PlacementDecisionV1beta1[];

/**
 * Returns the PlacementDecisions from which the hub starts after an earlier state: for each placement that the earlier state also
 * has, what was decided there. If the inputs have other decisions than the inputs of the earlier state, they were read from the hub
 * later, and count instead.
 *
 * @param given - the PlacementDecisions of the inputs
 * @param forgetful - the placements, by `namespace/name`, of which only the decisions of the inputs count
 */
export function rememberedDecisions(
  given: Objects,
  placements: ByKey<PlacementV1beta1>,
  earlier: Decisions,
  forgetful: ReadonlySet<string>,
): Objects {
  const own = decisionsByPlacement(given);
  const remembered = new Map<string, Objects>();
  for (const key of placements.keys()) {
    if (forgetful.has(key)) continue;
    const decision = earlier.byPlacement.get(key);
    const ofInputs = own.get(key);
    if (decision !== undefined && (ofInputs === undefined || isSame(ofInputs, earlier.given.get(key))))
      remembered.set(key, decision.objects);
  }
  const others = given.filter(({ metadata: { namespace, labels } }) => {
    const placement = labels?.[placementLabel];
    return placement === undefined || !remembered.has(objectKey(namespace, placement));
  });
  return [...others, ...[...remembered.values()].flat()];
}

function isSame(objects: Objects, others: Objects = []): boolean {
  return (
    objects.length === others.length &&
    // An object that both states read from the same text is one object.
    objects.every(
      (object, index) => object === others[index] || goJson(object) === goJson(others[index] ?? null),
    )
  );
}
