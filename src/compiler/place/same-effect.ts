import { getOrInsertComputed } from '../../base/collections/get-or-insert.ts';
import { isSameList, RememberedSame } from '../../base/collections/remembered.ts';
import { goJson } from '../../base/json/go-json.ts';
import type { Decision, Decisions, Reasoning } from './decision.ts';

const inputsOf = new WeakMap<Decisions, readonly unknown[]>();
const remembered = new RememberedSame<Decisions>(hasSameEffect);
const effects = new WeakMap<Decisions, Decisions>();

/** Records what decisions were computed from, apart from the decisions before them. */
export function recordInputs(decisions: Decisions, inputs: readonly unknown[]): void {
  inputsOf.set(decisions, inputs);
}

/**
 * Returns the decisions of another state that have the same effect; the given ones if there are none. The state that a plan starts from
 * changes how the hub ranks clusters, and seldom which clusters it selects. What depends on the effect alone is then the same for both.
 * It must not read rankings, the decisions before placing, or those of the inputs: these are of the other state.
 *
 * @param owner - as `ResolveOptions.results`
 */
export function withSameEffect(decisions: Decisions, owner: object | undefined): Decisions {
  if (owner === undefined) return decisions;
  return getOrInsertComputed(effects, decisions, () => remembered.of(owner, decisions));
}

function hasSameEffect(one: Decisions, other: Decisions): boolean {
  const [inputs, others] = [inputsOf.get(one), inputsOf.get(other)];
  if (inputs === undefined || others === undefined || !isSameList(inputs, others)) return false;
  // The inputs have the same Placements, so both have the same keys in the same order.
  return [...one.byPlacement].every(([key, decision]) => {
    const another = other.byPlacement.get(key);
    return another !== undefined && isSameDecision(decision, another);
  });
}

function isSameDecision(one: Decision, other: Decision): boolean {
  return (
    one.placement === other.placement &&
    isSameList(one.selected, other.selected) &&
    goJson(withoutReasoning(one)) === goJson(withoutReasoning(other)) &&
    isSameReasoning(one.reasoning, other.reasoning)
  );
}

/** Returns what is compared as JSON. A placement is compared by its identity. */
function withoutReasoning({ placement: _placement, reasoning: _reasoning, ...written }: Decision): object {
  return written;
}

/** Compares what the hub does with clusters. Candidates, tolerations and prioritizers follow from the inputs. */
function isSameReasoning(one: Reasoning | undefined, other: Reasoning | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [scheduled, another] = [one.scheduling, other.scheduling];
  return (
    one.unsettled === other.unsettled &&
    isSameList(one.revision ?? [], other.revision ?? []) &&
    (one.revision === undefined) === (other.revision === undefined) &&
    (scheduled.tolerated === undefined) === (another.tolerated === undefined) &&
    isSameNumbers(scheduled.tolerated, another.tolerated) &&
    isSameNumbers(scheduled.selected, another.selected) &&
    scheduled.unscheduled === another.unscheduled &&
    scheduled.dependsOnDecisions === another.dependsOnDecisions &&
    goJson(scheduled.misconfiguration ?? null) === goJson(another.misconfiguration ?? null)
  );
}

function isSameNumbers(one: Int32Array = nobody, other: Int32Array = nobody): boolean {
  return one.length === other.length && one.every((cluster, position) => cluster === other[position]);
}

const nobody = new Int32Array(0);
