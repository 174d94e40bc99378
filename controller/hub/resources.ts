import type {
  AddOnTemplateV1alpha1,
  ClusterManagementAddOnV1alpha1,
  ManagedClusterAddOnV1alpha1,
  ManagedClusterV1,
} from '../../schemas/types.gen.ts';
import { clusterResource, namespacedResource } from '../kube/resource.ts';

// Add-on kinds in v1alpha1: every OCM release in use serves and stores it, so no conversion webhook stands in between.
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

export const addOnTemplates = clusterResource<AddOnTemplateV1alpha1>(
  addOnVersion,
  'AddOnTemplate',
  'addontemplates',
);

export const managedClusters = clusterResource<ManagedClusterV1>(
  'cluster.open-cluster-management.io/v1',
  'ManagedCluster',
  'managedclusters',
);
