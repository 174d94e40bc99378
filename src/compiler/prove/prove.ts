import type { HubVersion } from '../../ocm/hub-version.ts';
import { askForOverrides } from './add-on-outcomes.ts';
import { DiagramTooLarge } from './diagram.ts';
import type { Invariant } from './invariant.ts';
import type { LabelEffect } from './label-effects.ts';
import { Prover, placementsOf } from './prover.ts';
import { SelectionBuilder } from './selection.ts';
import { conditionStatement, requirementStatement } from './statement.ts';
import type { ProofVerdict, ProvedState } from './verdict.ts';

/**
 * Decides invariants for all clusters that may exist, or for all edits of the clusters of the fleet. Selectors read finitely many
 * values, so that clusters fall into finitely many classes; the answer covers every class.
 *
 * @param states - the apps of one hub, resolved against the same fleet
 */
export function prove(
  invariants: readonly Invariant[],
  states: readonly ProvedState[],
  hub: HubVersion,
): readonly ProofVerdict[] {
  const builder = new SelectionBuilder(states, hub.cel);
  const addOns = new Map<string, ProvedState>();
  for (const state of states)
    for (const name of state.configuration.keys()) {
      addOns.set(name, state);
      askForOverrides(name, state, builder.questions);
    }
  const placementOf = (key: string) =>
    states.map(({ inventory }) => inventory.placements.get(key)?.object).find((each) => each !== undefined);
  const asked = invariants.map((invariant) => ({
    invariant,
    before: conditionStatement(invariant.before, builder, placementOf),
    where: conditionStatement(invariant.where, builder, placementOf),
    requirement: requirementStatement(invariant, builder, placementOf),
    others: conditionStatement(invariant.others, builder, placementOf),
  }));
  let prover = new Prover(builder.build(), states, addOns, hub);
  return asked.map((each) => {
    try {
      return prover.prove(each);
    } catch (error) {
      if (!(error instanceof DiagramTooLarge)) throw error;
      // the nodes of this answer leave no room for those of the next
      prover = new Prover(builder.build(), states, addOns, hub);
      const reason = 'the selectors distinguish too many classes of clusters';
      return { invariant: each.invariant, answer: 'cannot prove' as const, obstacles: [{ reason }] };
    }
  });
}

/**
 * Returns what one edit of a label, claim or set of a single cluster uninstalls, for all clusters of the fleet: those with the most
 * uninstalls first.
 *
 * @param placement - `namespace/name` of a Placement, whose add-ons count alone. @default - all add-ons count
 */
export function effectsOfEdits(
  states: readonly ProvedState[],
  hub: HubVersion,
  placement?: string,
): readonly LabelEffect[] {
  const builder = new SelectionBuilder(states, hub.cel);
  const addOns = new Map<string, ProvedState>();
  for (const state of states)
    for (const name of state.configuration.keys()) {
      if (placement !== undefined && !placementsOf(state, name).includes(placement)) continue;
      addOns.set(name, state);
      askForOverrides(name, state, builder.questions);
    }
  return new Prover(builder.build(), states, addOns, hub).effectsOfEdits();
}
