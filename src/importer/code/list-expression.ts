import type { FieldPath } from '../../compiler/model/field-path.ts';
import { list, type Expression, type Item } from './expression.ts';

/** Returns a list of all written items. Undefined if there is no list, or if an item cannot be written. */
export function listExpression<T>(
  items: readonly T[] | undefined,
  path: FieldPath,
  write: (item: T, path: FieldPath) => Expression | undefined,
): Expression | undefined {
  if (items === undefined) return undefined;
  const itemExpressions: Item[] = [];
  for (const [index, item] of items.entries()) {
    const itemPath = [...path, index];
    const value = write(item, itemPath);
    if (value === undefined) return undefined;
    itemExpressions.push({ value, path: itemPath });
  }
  return list(itemExpressions);
}
