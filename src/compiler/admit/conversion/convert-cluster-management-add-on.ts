import type {
  ClusterManagementAddOnV1alpha1,
  ClusterManagementAddOnV1alpha1ConfigMeta,
  ClusterManagementAddOnV1beta1,
  ClusterManagementAddOnV1beta1DefaultConfig,
} from '../../../../schemas/types.gen.ts';
import { isNoDefault, noDefaultConfigName } from '../../../ocm/default-config.ts';

/** As api/addon/v1beta1 Convert_v1alpha1_ClusterManagementAddOnSpec_To_v1beta1_ClusterManagementAddOnSpec. */
export function clusterManagementAddOnToV1beta1(
  object: ClusterManagementAddOnV1alpha1,
): ClusterManagementAddOnV1beta1 {
  const { addOnConfiguration: _, supportedConfigs = [], ...spec } = object.spec;
  const { defaultconfigReferences, ...status } = object.status ?? {};
  return {
    ...object,
    apiVersion: 'addon.open-cluster-management.io/v1beta1',
    spec: {
      ...spec,
      ...(supportedConfigs.length === 0 ? {} : { defaultConfigs: supportedConfigs.map(toDefaultConfig) }),
    },
    ...(object.status === undefined
      ? {}
      : {
          status: {
            ...status,
            ...(defaultconfigReferences === undefined
              ? {}
              : { defaultConfigReferences: defaultconfigReferences }),
          },
        }),
  };
}

function toDefaultConfig({
  group = '',
  resource,
  defaultConfig,
}: ClusterManagementAddOnV1alpha1ConfigMeta): ClusterManagementAddOnV1beta1DefaultConfig {
  const { name = noDefaultConfigName, namespace = '' } = defaultConfig ?? {};
  return { group, resource, name, ...(namespace === '' ? {} : { namespace }) };
}

/** As api/addon/v1beta1 Convert_v1beta1_ClusterManagementAddOnSpec_To_v1alpha1_ClusterManagementAddOnSpec. */
export function clusterManagementAddOnToV1alpha1(
  object: ClusterManagementAddOnV1beta1,
): ClusterManagementAddOnV1alpha1 {
  const { defaultConfigs = [], ...spec } = object.spec;
  const { defaultConfigReferences, ...status } = object.status ?? {};
  return {
    ...object,
    apiVersion: 'addon.open-cluster-management.io/v1alpha1',
    spec: {
      ...spec,
      ...(defaultConfigs.length === 0 ? {} : { supportedConfigs: defaultConfigs.map(toSupportedConfig) }),
    },
    ...(object.status === undefined
      ? {}
      : {
          status: {
            ...status,
            ...(defaultConfigReferences === undefined
              ? {}
              : { defaultconfigReferences: defaultConfigReferences }),
          },
        }),
  };
}

function toSupportedConfig({
  group = '',
  resource,
  name,
  namespace = '',
}: ClusterManagementAddOnV1beta1DefaultConfig): ClusterManagementAddOnV1alpha1ConfigMeta {
  if (isNoDefault(name)) return { group, resource };
  return { group, resource, defaultConfig: { name, ...(namespace === '' ? {} : { namespace }) } };
}
