import type { ManagedClusterAddOnV1beta1ConfigReference } from '../../schemas/types.gen.ts';
import type { ConfigReference } from './configuration.ts';

/** What an entry of `status.configReferences` says that a cluster was told to use; undefined where it says nothing. */
export function heldReference({
  group = '',
  resource,
  desiredConfig,
}: ManagedClusterAddOnV1beta1ConfigReference): ConfigReference | undefined {
  if (desiredConfig === undefined) return undefined;
  const { namespace = '', name, specHash = '' } = desiredConfig;
  return { group, resource, ...(namespace === '' ? {} : { namespace }), name, specHash };
}
