import type {
  AddOnDeploymentConfigV1alpha1,
  AddOnTemplateV1alpha1,
  ClusterManagementAddOnV1alpha1,
  ManagedClusterV1,
  ManifestWorkV1,
} from '../../../schemas/types.gen.ts';
import { decodeExactly } from '../../client/exact-json.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import { resourceOf } from '../../ocm/resource.ts';
import { addOnVersion } from '../add-on/managed-cluster-add-ons.ts';

export const clusterManagementAddOns = resourceOf<ClusterManagementAddOnV1alpha1>(
  ocmKinds.clusterManagementAddOn,
  addOnVersion,
);

/** Configurations are parsed with all their digits: the hash depends on them. */
export const addOnTemplates = {
  ...resourceOf<AddOnTemplateV1alpha1>(ocmKinds.addOnTemplate, addOnVersion),
  decode: decodeExactly,
};

export const addOnDeploymentConfigs = {
  ...resourceOf<AddOnDeploymentConfigV1alpha1>(ocmKinds.addOnDeploymentConfig, addOnVersion),
  decode: decodeExactly,
};

export const manifestWorks = resourceOf<ManifestWorkV1>(ocmKinds.manifestWork, 'v1');

export const managedClusters = resourceOf<ManagedClusterV1>(ocmKinds.managedCluster, 'v1');
