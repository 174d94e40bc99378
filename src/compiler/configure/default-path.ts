import type { ClusterManagementAddOnV1beta1 } from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { Admitted } from '../model/inventory.ts';

/** Returns the path of an add-on's default configurations, or of the one at the index. v1alpha1 uses another field. */
export function defaultPath(
  { object, originalVersion }: Admitted<ClusterManagementAddOnV1beta1>,
  index?: number,
): FieldPath {
  const isV1alpha1 = (originalVersion ?? object.apiVersion).endsWith('/v1alpha1');
  const list = ['spec', isV1alpha1 ? 'supportedConfigs' : 'defaultConfigs'];
  if (index === undefined) return list;
  return isV1alpha1 ? [...list, index, 'defaultConfig'] : [...list, index];
}
