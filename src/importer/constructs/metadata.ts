import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type { Context, ConstructLocation } from '../context.ts';
import { at, call, literal, member, plain, type FieldValue, type Statement } from '../code/expression.ts';

type Meta = Pick<KubernetesObject, 'metadata'>;

/** Returns the metadata props that every construct has. */
export function metadataProps(
  { metadata }: Meta,
  { id, namespace }: ConstructLocation,
): Record<string, FieldValue | undefined> {
  return {
    name: metadata.name === id ? undefined : at(['metadata', 'name'], literal(metadata.name ?? '')),
    namespace:
      metadata.namespace === namespace || metadata.namespace === undefined
        ? undefined
        : at(['metadata', 'namespace'], literal(metadata.namespace)),
    ...labelProps({ metadata }),
  };
}

/** Returns the same for constructs whose name and namespace are derived from another object. */
export function labelProps({ metadata }: Meta): Record<string, FieldValue | undefined> {
  const field = (key: 'labels' | 'annotations'): FieldValue | undefined => {
    const value = metadata[key];
    return value && at(['metadata', key], plain(value, ['metadata', key]));
  };
  return { labels: field('labels'), annotations: field('annotations') };
}

/** Returns the parts of the metadata that props do not have. */
export function metadataStatements({ metadata }: Meta, { location }: Context): Statement[] {
  const { finalizers = [] } = metadata;
  if (finalizers.length === 0) return [];
  const value = call(
    member(location.variable, 'metadata'),
    'addFinalizers',
    ...finalizers.map((finalizer) => literal(finalizer)),
  );
  return [{ value, path: ['metadata', 'finalizers'] }];
}
