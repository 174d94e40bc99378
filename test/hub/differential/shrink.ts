import type { KubernetesObject } from '../../../src/base/objects/object-meta.ts';
import { isOfKind, namespaceKind } from '../client/kinds.ts';
import type { Scenario } from '../record/scenario.ts';
import { rename } from './verdict.ts';

type Path = readonly (string | number)[];

/**
 * Returns the smallest scenario, after a limited number of attempts, for which a property still holds: first without objects, then
 * without fields and list items. Every attempt has a separate name.
 */
export async function shrink(
  scenario: Scenario,
  holds: (candidate: Scenario) => Promise<boolean>,
  attempts: number,
): Promise<Scenario> {
  let smallest = scenario;
  const budget = { left: attempts };
  const keep = async (candidate: Scenario): Promise<boolean> => {
    budget.left--;
    if (!(await holds(rename(candidate, `${scenario.name}s${budget.left}`)))) return false;
    smallest = candidate;
    return true;
  };

  for (
    let size = Math.ceil(smallest.input.length / 2);
    size >= 1 && budget.left > 0;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let start = 0; start < smallest.input.length && budget.left > 0;) {
      const removed = smallest.input
        .slice(start, start + size)
        .filter((object) => !isOfKind(object, namespaceKind));
      const input = smallest.input.filter((object) => !removed.includes(object));
      if (removed.length === 0 || !(await keep({ ...smallest, input }))) start += size;
    }
  }
  for (let progress = true; progress && budget.left > 0;) {
    progress = false;
    for (const [index, path] of removableParts(smallest.input)) {
      if (budget.left === 0) break;
      const object = smallest.input[index];
      const smaller = object === undefined ? undefined : without(object, path);
      if (smaller === undefined) continue;
      const input = smallest.input.with(index, smaller as KubernetesObject);
      if (await keep({ ...smallest, input })) progress = true;
    }
  }
  return smallest;
}

/** Everything inside the objects that may be left out, from the outside in. */
function removableParts(objects: readonly KubernetesObject[]): readonly (readonly [number, Path])[] {
  const parts = objects.flatMap((object, index) =>
    ['spec', 'status', 'data']
      .flatMap((field) => partsOf(object[field], [field]))
      .map((path) => [index, path] as const),
  );
  return parts.sort(([, a], [, b]) => a.length - b.length);
}

function partsOf(value: unknown, path: Path): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()].toReversed()
    : Object.entries(value);
  return entries.flatMap(([key, child]) => [[...path, key], ...partsOf(child, [...path, key])]);
}

/** Returns a copy without the part at a path; undefined if nothing remains. */
function without(value: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  if (typeof value !== 'object' || value === null || key === undefined || !(key in value)) return undefined;
  const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [...value] : { ...value };
  if (rest.length === 0) {
    if (Array.isArray(copy)) copy.splice(Number(key), 1);
    else delete copy[key];
    return copy;
  }
  const child = without((copy as Record<string | number, unknown>)[key], rest);
  if (child === undefined) return undefined;
  (copy as Record<string | number, unknown>)[key] = child;
  return copy;
}
