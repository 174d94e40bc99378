import { goJson } from '../../base/json/go-json.ts';
import type { ValueChange } from '../compare/change.ts';
import { isBlock } from './value-diff.ts';

/** A value, and the other locations that show the same change. */
export interface FoldedValue extends ValueChange {
  /** `ConfigMap agents/agent data.level`. */
  readonly also: readonly string[];
}

/**
 * Returns values so that each change is shown once: if a rendered value equals a configuration's value before and after, it is
 * listed with the configuration's value.
 */
export function foldedValues(values: readonly ValueChange[]): FoldedValue[] {
  const folded: (FoldedValue & { readonly also: string[] })[] = [];
  const locations = new Map<string, string[]>();
  for (const value of values) {
    const key = keyOf(value);
    const places = key === undefined ? undefined : locations.get(key);
    // A value without a location is rendered.
    if (value.location === undefined && places !== undefined && value.cluster === undefined) {
      places.push(`${value.object} ${value.path}`);
      continue;
    }
    const also: string[] = [];
    folded.push({ ...value, also });
    if (value.location !== undefined && key !== undefined && !locations.has(key)) locations.set(key, also);
  }
  return folded;
}

/**
 * Returns a key that is equal for equal changes of a value on one line. Undefined if the equality may be a coincidence, or if the
 * value is too long to compare.
 */
function keyOf(value: ValueChange): string | undefined {
  const { before, after, secret } = value;
  if (before === undefined || after === undefined || secret === true || isBlock(value)) return undefined;
  return goJson([before, after]);
}
