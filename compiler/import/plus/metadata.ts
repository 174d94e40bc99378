import type { KubernetesObject } from '../../../schemas/object-meta.ts';

/** What of the metadata has to be written: its name follows from the id of the construct, its namespace from the scope. */
export function shownMetadata(
  { metadata }: Pick<KubernetesObject, 'metadata'>,
  namespace: string | undefined,
  id?: string,
): Readonly<Record<string, unknown>> {
  const { name, namespace: own, ...meta } = metadata;
  return {
    ...(name !== undefined && name !== id && { name }),
    ...meta,
    ...(own !== undefined && own !== namespace && { namespace: own }),
  };
}
