import type { JsonMap } from '../../base/json/json-map.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { compareValues } from '../compare/compare-values.ts';
import type { Difference, Disagreement } from './verification.ts';

/** Maximum number of differences per object. */
const mostDifferences = 5;

/** Returns the parts of an object that the hub computes from its inputs alone: no times, no progress. */
export type Compute = (object: KubernetesObject) => JsonMap;

/** Returns the computed fields that a hub has otherwise than predicted. */
export function differencesOf(
  compute: Compute,
  predicted: KubernetesObject,
  answered: KubernetesObject | undefined,
): readonly Difference[] {
  if (answered === undefined) return [{ part: 'object', predicted: 'exists', answered: 'does not exist' }];
  return compareValues(compute(predicted), compute(answered)).map(({ path, before, after }) => ({
    part: path,
    predicted: textOf(before),
    answered: textOf(after),
  }));
}

/** Returns the differences of one object as a disagreement, if there are any. */
export function disagreementsOf(differences: readonly Difference[]): readonly Disagreement[] {
  return differences.length === 0 ? [] : [{ differences: differences.slice(0, mostDifferences) }];
}

function textOf(value: unknown): string {
  if (value === undefined) return 'no such value';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
