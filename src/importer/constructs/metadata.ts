import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import { withAnnotations } from '../../ocm/annotations.ts';
import { historyLimitAnnotation, immutableAnnotation } from '../../ocm/fleetwright-annotations.ts';
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

/** Returns the metadata props of constructs that can be immutable. */
export function revisedMetadataProps(
  { metadata }: Meta,
  location: ConstructLocation,
): Record<string, FieldValue | undefined> {
  const { annotations = {} } = metadata;
  if (annotations[immutableAnnotation] !== 'true') return metadataProps({ metadata }, location);
  const { annotations: others, ...rest } = withAnnotations({ metadata }, revisionAnnotations).metadata;
  const field = (annotation: string, value: boolean | number): FieldValue | undefined =>
    at(['metadata', 'annotations', annotation], literal(value));
  const limit = annotations[historyLimitAnnotation];
  return {
    ...metadataProps({ metadata: { ...rest, ...(others && { annotations: others }) } }, location),
    immutable: field(immutableAnnotation, true),
    revisionHistoryLimit: limit === undefined ? undefined : field(historyLimitAnnotation, Number(limit)),
  };
}

/** Props set them. */
const revisionAnnotations = { [immutableAnnotation]: undefined, [historyLimitAnnotation]: undefined };

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
