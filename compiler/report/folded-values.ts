import { goJson } from '../../encoding/go-json.ts';
import type { ValueChange } from '../plan/change.ts';
import { isBlock } from './value-diff.ts';

/** A value, and where else the same change shows. */
export interface FoldedValue extends ValueChange {
  /** `ConfigMap agents/agent data.level`. */
  readonly also: readonly string[];
}

/**
 * Values of which each change is shown once: a rendered value that is that of a configuration, before and after, is named beside
 * the configuration's.
 */
export function foldedValues(values: readonly ValueChange[]): FoldedValue[] {
  const folded: (FoldedValue & { readonly also: string[] })[] = [];
  const written = new Map<string, string[]>();
  for (const value of values) {
    const key = keyOf(value);
    const places = key === undefined ? undefined : written.get(key);
    // What is in no file is rendered.
    if (value.location === undefined && places !== undefined && value.cluster === undefined) {
      places.push(`${value.object} ${value.path}`);
      continue;
    }
    const also: string[] = [];
    folded.push({ ...value, also });
    if (value.location !== undefined && key !== undefined && !written.has(key)) written.set(key, also);
  }
  return folded;
}

/** The same for the same change of a value on one line; undefined where that may be chance, or is too long to compare. */
function keyOf(value: ValueChange): string | undefined {
  const { before, after, secret } = value;
  if (before === undefined || after === undefined || secret === true || isBlock(value)) return undefined;
  return goJson([before, after]);
}
