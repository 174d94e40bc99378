import { textMap, type Parameters } from '../parameters.ts';
import type { Replacement } from '../templates/replacement.ts';
import { textsIn } from './context.ts';

/**
 * Adds the `values` of a generator to the parameters of a cluster. They can use the other parameters, and not each other. As
 * appendTemplatedValues of Argo CD.
 */
export function addTemplatedValues(values: unknown, parameters: Parameters, replacement: Replacement): void {
  const replaced = textsIn(values).map(([key, value]) => [key, replacement.text(value, parameters)] as const);
  addValues(replaced, parameters, replacement);
}

/** Adds `values` as they are. */
export function addValues(
  values: readonly (readonly [string, string])[],
  parameters: Parameters,
  { usesGo }: Replacement,
): void {
  if (values.length === 0) return;
  if (usesGo) parameters.set('values', textMap(values));
  else for (const [key, value] of values) parameters.set(`values.${key}`, value);
}
