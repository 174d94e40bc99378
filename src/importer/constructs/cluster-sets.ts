import type { ManagedClusterSetBindingV1beta2 } from '../../../schemas/types.gen.ts';
import type { Context } from '../context.ts';
import { create, literal, name, object, type Statement } from '../code/expression.ts';
import type { Obstacle } from '../fit.ts';
import { metadataProps, metadataStatements } from './metadata.ts';

/** Writes `new ManagedClusterSetBinding(…)`. */
export function writeManagedClusterSetBinding(
  binding: ManagedClusterSetBindingV1beta2,
  context: Context,
): readonly Statement[] | Obstacle {
  const { location } = context;
  const { clusterSet } = binding.spec ?? {};
  if (clusterSet === undefined || clusterSet !== binding.metadata.name)
    return { path: ['spec', 'clusterSet'], reason: 'is not the name of the binding' };
  const { name: _name, ...props } = metadataProps(binding, location);
  const value = create(
    'ManagedClusterSetBinding',
    name(location.chart),
    literal(location.id),
    object({ clusterSet: context.clusterSet(clusterSet), ...props }),
  );
  return [{ name: location.variable, value }, ...metadataStatements(binding, context)];
}
