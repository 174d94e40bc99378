import { compareText } from '../../base/collections/compare-text.ts';
import { addToGroup } from '../../base/collections/groups.ts';
import { conditionWords } from '../../ocm/add-ons/requirements.ts';
import { reachedFrom, requiredAddOns } from '../configure/required-add-ons.ts';
import type { Resolution } from '../resolve.ts';

/** An add-on of the later state that requires others, or that others require. */
export interface PlannedRequirements {
  readonly addOn: string;
  /** Whether the plan changes it. */
  readonly isChanged: boolean;
  readonly requires: readonly {
    readonly addOn: string;
    /** `installed`, and the conditions, as they are written. */
    readonly words: readonly string[];
  }[];
  /** The hub, if the plan is about several. */
  readonly hub?: string;
}

/**
 * Returns the add-ons that are connected by requirements with one that the plan changes, sorted by name. Requirements that only the earlier
 * state has are reported with the uninstalls.
 *
 * @param states - the later states of the apps
 * @param changed - the add-ons that the plan changes
 */
export function plannedRequirements(
  states: readonly Pick<Resolution, 'inventory'>[],
  changed: ReadonlySet<string>,
): readonly PlannedRequirements[] {
  const required = new Map(states.flatMap(({ inventory }) => [...requiredAddOns(inventory)]));
  const neighbors = new Map<string, string[]>();
  for (const [name, requirements] of required)
    for (const { name: other } of requirements) {
      addToGroup(neighbors, name, other);
      addToGroup(neighbors, other, name);
    }
  const shown = new Set(
    [...neighbors.keys()].flatMap((name) =>
      changed.has(name) ? [name, ...reachedFrom(name, (each) => neighbors.get(each) ?? [])] : [],
    ),
  );
  return [...shown].sort(compareText).map((addOn) => ({
    addOn,
    isChanged: changed.has(addOn),
    requires: (required.get(addOn) ?? []).map((requirement) => ({
      addOn: requirement.name,
      words: [...(requirement.state === 'installed' ? ['installed'] : []), ...conditionWords(requirement)],
    })),
  }));
}
