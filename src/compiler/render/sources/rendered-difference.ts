import { isDeepStrictEqual } from 'node:util';
import type { GoJsonObject, GoJsonValue } from '../../../base/json/go-json.ts';
import type { FieldPath } from '../../model/field-path.ts';
import type { RenderedObject } from './source-renderer.ts';

/** The first field in which two renderings of a source differ. */
export interface Difference {
  readonly file: string;
  readonly what: string;
  /** The object that has another value. Absent if the objects are others. */
  readonly object?: GoJsonObject | undefined;
  /** The field of the object. */
  readonly path: FieldPath;
}

/** Compares two renderings, object by object. Undefined if they are equal. */
export function firstDifference(
  one: readonly RenderedObject[],
  other: readonly RenderedObject[],
): Difference | undefined {
  for (let i = 0; i < Math.max(one.length, other.length); i++) {
    const [a, b] = [one[i], other[i]];
    const file = a?.file ?? b?.file ?? '';
    if (a?.file !== b?.file) return { file, what: `${file} renders other objects`, path: [] };
    const path = differentPath(a?.object ?? null, b?.object ?? null);
    if (path !== undefined)
      return { file, what: `${path.join('.')} has another value`, object: a?.object, path };
  }
  return undefined;
}

function differentPath(a: GoJsonValue, b: GoJsonValue): string[] | undefined {
  if (isDeepStrictEqual(a, b)) return undefined;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return [];
  const [one, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const path = differentPath(one.get(key) ?? null, other.get(key) ?? null);
    if (path !== undefined) return [key, ...path];
  }
  return [];
}
