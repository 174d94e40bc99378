import type {
  AddOnDeploymentConfigV1alpha1,
  AddOnTemplateV1alpha1,
  ClusterManagementAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1,
  ManagedClusterV1,
  ManifestWorkV1,
} from '../../schemas/types.gen.ts';
import { decodeExactly } from '../../kubernetes/client/exact-json.ts';
import { clusterResource, namespacedResource } from '../../kubernetes/client/resource.ts';

// Add-on kinds in v1alpha1: every OCM release in use serves and stores it, so no conversion webhook is called.
const addOnVersion = 'addon.open-cluster-management.io/v1alpha1';

export const clusterManagementAddOns = clusterResource<ClusterManagementAddOnV1alpha1>(
  addOnVersion,
  'ClusterManagementAddOn',
  'clustermanagementaddons',
);

export const managedClusterAddOns = namespacedResource<ManagedClusterAddOnV1alpha1>(
  addOnVersion,
  'ManagedClusterAddOn',
  'managedclusteraddons',
);

/** Configurations are parsed with all their digits: the hash depends on them. */
export const addOnTemplates = {
  ...clusterResource<AddOnTemplateV1alpha1>(addOnVersion, 'AddOnTemplate', 'addontemplates'),
  decode: decodeExactly,
};

export const addOnDeploymentConfigs = {
  ...namespacedResource<AddOnDeploymentConfigV1alpha1>(
    addOnVersion,
    'AddOnDeploymentConfig',
    'addondeploymentconfigs',
  ),
  decode: decodeExactly,
};

export const manifestWorks = namespacedResource<ManifestWorkV1>(
  'work.open-cluster-management.io/v1',
  'ManifestWork',
  'manifestworks',
);

export const managedClusters = clusterResource<ManagedClusterV1>(
  'cluster.open-cluster-management.io/v1',
  'ManagedCluster',
  'managedclusters',
);
