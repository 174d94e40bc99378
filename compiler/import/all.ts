import type { FieldPath } from '../field-path.ts';
import { list, type Expression, type Item } from './expression.ts';

/** A list in which each item is written. Undefined where there is no list, and where an item cannot be written. */
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
