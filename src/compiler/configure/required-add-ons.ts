import { requiresAnnotation } from '../../ocm/fleetwright-annotations.ts';
import { parseRequirements, type AddOnRequirement } from '../../ocm/add-ons/requirements.ts';
import { addToGroup } from '../../base/collections/groups.ts';
import type { Inventory } from '../model/inventory.ts';

type Definitions = Pick<Inventory, 'clusterManagementAddOns'>;

/** The valid requirements of each add-on that has any, by its name. */
export type RequiredAddOns = ReadonlyMap<string, readonly AddOnRequirement[]>;

const cache = new WeakMap<Definitions['clusterManagementAddOns'], RequiredAddOns>();

/** Returns the requirements that add-ons declare. Invalid ones are reported elsewhere and do not count. */
export function requiredAddOns({ clusterManagementAddOns }: Definitions): RequiredAddOns {
  const known = cache.get(clusterManagementAddOns);
  if (known !== undefined) return known;
  const required = new Map<string, readonly AddOnRequirement[]>();
  for (const [name, { object }] of clusterManagementAddOns) {
    const text = object.metadata.annotations?.[requiresAnnotation];
    if (text === undefined) continue;
    const { requirements } = parseRequirements(name, text);
    if (requirements.length > 0) required.set(name, requirements);
  }
  cache.set(clusterManagementAddOns, required);
  return required;
}

/** Returns the add-ons that directly require each add-on. */
export function dependentsByName(required: RequiredAddOns): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>();
  for (const [name, requirements] of required)
    for (const requirement of requirements) addToGroup(dependents, requirement.name, name);
  return dependents;
}

/** Returns the requirements without those whose order does not matter. */
export function orderedRequirements(required: RequiredAddOns): RequiredAddOns {
  return new Map(
    Array.from(required, ([name, requirements]) => [
      name,
      requirements.filter(({ state }) => state === 'available'),
    ]),
  );
}

/** Returns everything that is reached from an add-on, nearest first, without the add-on itself. */
export function reachedFrom(name: string, next: (name: string) => readonly string[]): readonly string[] {
  const reached = new Set([name]);
  for (const each of reached) for (const other of next(each)) reached.add(other);
  reached.delete(name);
  return [...reached];
}

/**
 * Returns the cycles of requirements: the add-ons that require each other, as the shortest way from the first of them by name back to
 * it. Cycles with a common add-on are one, because none of their add-ons can be installed first.
 */
export function requirementCycles(required: RequiredAddOns): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = [];
  const inCycle = new Set<string>();
  for (const name of [...required.keys()].sort()) {
    if (inCycle.has(name)) continue;
    const cycle = shortestCycle(name, required);
    if (cycle === undefined) continue;
    cycles.push(cycle);
    for (const each of mutual(name, required)) inCycle.add(each);
  }
  return cycles;
}

function namesRequiredBy(name: string, required: RequiredAddOns): readonly string[] {
  return (required.get(name) ?? []).map((requirement) => requirement.name);
}

/** Returns the add-ons that an add-on requires and that require it, with itself. */
function mutual(name: string, required: RequiredAddOns): readonly string[] {
  const dependents = dependentsByName(required);
  const later = new Set(reachedFrom(name, (each) => dependents.get(each) ?? []));
  const earlier = reachedFrom(name, (each) => namesRequiredBy(each, required));
  return [name, ...earlier.filter((each) => later.has(each))];
}

function shortestCycle(name: string, required: RequiredAddOns): readonly string[] | undefined {
  const ways = new Map<string, readonly string[]>([[name, [name]]]);
  for (const [last, way] of ways)
    for (const next of namesRequiredBy(last, required)) {
      if (next === name) return way;
      if (!ways.has(next)) ways.set(next, [...way, next]);
    }
  return undefined;
}
