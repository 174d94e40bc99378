import type { ManagedClusterAddOnV1beta1ConfigReference } from '../../../schemas/types.gen.ts';
import type { ConfigReference } from './resolved-add-on.ts';

/** Returns the configuration that a cluster must use according to an entry of `status.configReferences`, or undefined. */
export function desiredReference({
  group = '',
  resource,
  desiredConfig,
}: ManagedClusterAddOnV1beta1ConfigReference): ConfigReference | undefined {
  if (desiredConfig === undefined) return undefined;
  const { namespace = '', name, specHash = '' } = desiredConfig;
  return { group, resource, ...(namespace === '' ? {} : { namespace }), name, specHash };
}
