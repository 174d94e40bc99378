import type {
  ManagedClusterSetBindingV1beta2,
  ManagedClusterSetV1beta2,
} from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../../compiler/model/field-path.ts';
import type { Context } from '../context.ts';
import {
  at,
  create,
  list,
  literal,
  name,
  object,
  unlessEmptyList,
  unlessEmptyObject,
  type Statement,
} from '../code/expression.ts';
import type { Obstacle } from '../fit.ts';
import { metadataProps, metadataStatements } from './metadata.ts';
import { labelSelector } from './selector.ts';

/** Writes `new ManagedClusterSet(…)`. */
export function writeManagedClusterSet(
  set: ManagedClusterSetV1beta2,
  context: Context,
): readonly Statement[] {
  const { location } = context;
  const { clusterSelector, managedNamespaces } = set.spec ?? {};
  const selectorPath: FieldPath = ['spec', 'clusterSelector', 'labelSelector'];
  const { selectorType, labelSelector: labels = {} } = clusterSelector ?? {};
  const props = object({
    ...metadataProps(set, location),
    selector:
      selectorType === 'LabelSelector' ? at(selectorPath, labelSelector(labels, selectorPath)) : undefined,
    managedNamespaces: at(
      ['spec', 'managedNamespaces'],
      unlessEmptyList(list((managedNamespaces ?? []).map(({ name: namespace }) => literal(namespace)))),
    ),
  });
  const value = create(
    'ManagedClusterSet',
    name(location.chart),
    literal(location.id),
    unlessEmptyObject(props),
  );
  return [{ name: location.variable, value }, ...metadataStatements(set, context)];
}

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
