import type { FieldPath } from '../../compiler/model/field-path.ts';
import type { Comment } from './comments.ts';
import type { Item, Statement } from './expression.ts';
import { partsOf, withParts } from './expression-parts.ts';

/**
 * Puts each comment above the code for its field, or for the nearest field around it. If there is no such code, the comment is
 * put above the first statement.
 */
export function attachComments(
  statements: readonly Statement[],
  comments: readonly Comment[],
): readonly Statement[] {
  if (comments.length === 0) return statements;
  const fieldKeys = new Set<string>();
  for (const statement of statements) visit(statement, fieldKeys);
  const above: string[] = [];
  const atField = new Map<string, string[]>();
  for (const { path, lines } of comments) {
    const prefixes = path.map((_, index) => keyOf(path.slice(0, path.length - index)));
    const nearest = prefixes.find((key) => fieldKeys.has(key));
    if (nearest === undefined) above.push(...lines);
    else atField.set(nearest, [...(atField.get(nearest) ?? []), ...lines]);
  }
  return statements.map((statement, index) => {
    const commented = withComments(statement, atField);
    return index === 0 && above.length > 0
      ? { ...commented, comments: [...above, ...(commented.comments ?? [])] }
      : commented;
  });
}

function keyOf(path: FieldPath): string {
  return JSON.stringify(path);
}

function visit({ value, path }: Item, into: Set<string>): void {
  if (path !== undefined && path.length > 0) into.add(keyOf(path));
  for (const part of partsOf(value)) visit(part, into);
}

/** Attaches each comment once: if several parts are written for one field, the first one gets it. */
function withComments<T extends Item>(part: T, atField: Map<string, string[]>): T {
  const key = part.path === undefined || part.path.length === 0 ? undefined : keyOf(part.path);
  const comments = key === undefined ? undefined : atField.get(key);
  if (key !== undefined) atField.delete(key);
  const value = withParts(part.value, (inner) => withComments(inner, atField));
  return { ...part, value, ...(comments && { comments }) };
}
