import type { AddOnDeploymentConfigV1alpha1 } from '../../schemas/types.gen.ts';
import type { FieldPath } from '../field-path.ts';
import type { AddOnParameters } from './compile.ts';
import { variableOf } from './model.ts';

/**
 * Returns the strongest layer that sets a part of a compiled AddOnDeploymentConfig on a cluster, as reports name it. Undefined if
 * no parameter sets it.
 *
 * @param path - of a variable or field in the object
 */
export function decidingLayer(
  { parameters, clusters }: AddOnParameters,
  cluster: string,
  { spec: { customizedVariables = [] } }: AddOnDeploymentConfigV1alpha1,
  [, field = '', index]: FieldPath,
): string | undefined {
  const variable = field === 'customizedVariables' ? customizedVariables[Number(index)]?.name : undefined;
  const parameter = [...parameters.values()].find(({ target }) =>
    target.kind === 'field'
      ? target.field === field
      : variable !== undefined && variableOf(target) === variable,
  );
  const traces = clusters.get(cluster)?.traces() ?? [];
  return traces.findLast(({ path: [name] }) => name === parameter?.name)?.winners.at(-1)?.layer;
}
