import { conditionWords, type RequiredState } from '../../ocm/add-ons/requirements.ts';
import { dependentsByName, reachedFrom, requiredAddOns } from '../configure/required-add-ons.ts';
import type { Resolution } from '../resolve.ts';

/** What an add-on requires on a cluster, and what requires it there. */
export interface ExplainedRequirements {
  readonly requires: readonly ExplainedRequirement[];
  /** The add-ons on the cluster that require it, directly or through others, nearest first. */
  readonly requiredBy: readonly string[];
}

/** An add-on that another one requires. */
export interface ExplainedRequirement {
  readonly addOn: string;
  readonly state: RequiredState;
  /** Whether the cluster has it. */
  readonly installed: boolean;
  /** The conditions, as they are written: `version>=1.14`, `CHANNEL=stable`. Empty if there are none. */
  readonly conditions: readonly string[];
}

/** Explains the requirements of an add-on on a cluster. Undefined if there are none in either direction. */
export function explainRequirements(
  { inventory, configuration }: Resolution,
  addOn: string,
  cluster: string,
): ExplainedRequirements | undefined {
  const required = requiredAddOns(inventory);
  const dependents = dependentsByName(required);
  const isInstalled = (name: string): boolean => configuration.get(name)?.clusters.has(cluster) === true;
  const requires = (required.get(addOn) ?? []).map((requirement) => ({
    addOn: requirement.name,
    state: requirement.state,
    installed: isInstalled(requirement.name),
    conditions: conditionWords(requirement),
  }));
  const requiredBy = reachedFrom(addOn, (name) => dependents.get(name) ?? []).filter(isInstalled);
  return requires.length + requiredBy.length === 0 ? undefined : { requires, requiredBy };
}
