import type { FieldPath } from '../compiler/field-path.ts';
import { list, type Expression, type Item } from './expression.ts';

/** Returns a list of all written items. Undefined if there is no list, or if an item cannot be written. */
export function all<T>(
  items: readonly T[] | undefined,
  path: FieldPath,
  write: (item: T, path: FieldPath) => Expression | undefined,
): Expression | undefined {
  if (items === undefined) return undefined;
  const written: Item[] = [];
  for (const [index, item] of items.entries()) {
    const itemPath = [...path, index];
    const value = write(item, itemPath);
    if (value === undefined) return undefined;
    written.push({ value, path: itemPath });
  }
  return list(written);
}
