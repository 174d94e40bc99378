import type { ManagedClusterSetBindingV1beta2 } from '../../schemas/types.gen.ts';
import type { Context } from './context.ts';
import { create, literal, name, object, type Statement } from './expression.ts';
import { metadataProps, metadataStatements } from './metadata.ts';

/** `new ManagedClusterSetBinding(…)`. */
export function writeManagedClusterSetBinding(
  binding: ManagedClusterSetBindingV1beta2,
  context: Context,
): readonly Statement[] | undefined {
  const { place } = context;
  const { clusterSet, ...others } = binding.spec ?? {};
  if (clusterSet === undefined || clusterSet !== binding.metadata.name || Object.keys(others).length > 0)
    return undefined;
  const { name: _name, ...props } = metadataProps(binding, place);
  const value = create(
    'ManagedClusterSetBinding',
    name(place.chart),
    literal(place.id),
    object({ clusterSet: context.clusterSet(clusterSet), ...props }),
  );
  return [{ name: place.variable, value }, ...metadataStatements(binding, context)];
}
