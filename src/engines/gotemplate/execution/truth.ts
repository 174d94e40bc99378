import { listItems, mapEntries } from '../type-name.ts';
import { Complex, concrete, Integer, type Operand } from '../value.ts';

/** Whether a value is not the zero of its type, as `if` decides. */
export function isTrue(operand: Operand): boolean {
  const value = concrete(operand);
  if (value === undefined || value === null || typeof value === 'boolean') return value === true;
  if (typeof value === 'string') return value !== '';
  if (typeof value === 'number') return value !== 0;
  if (value instanceof Integer) return value.value !== 0n;
  if (value instanceof Complex) return value.real !== 0 || value.imaginary !== 0;
  const items = listItems(value);
  if (items !== undefined) return items.length > 0;
  return (mapEntries(value)?.size ?? 1) > 0;
}
