import type { KubernetesObject } from '../../base/objects/object-meta.ts';

/** Returns the metadata that must be written. The name is derived from the id of the construct, the namespace from the scope. */
export function explicitMetadata(
  { metadata }: Pick<KubernetesObject, 'metadata'>,
  namespace: string | undefined,
  id?: string,
): Readonly<Record<string, unknown>> {
  const { name, namespace: objectNamespace, ...meta } = metadata;
  return {
    ...(name !== undefined && name !== id && { name }),
    ...meta,
    ...(objectNamespace !== undefined && objectNamespace !== namespace && { namespace: objectNamespace }),
  };
}
