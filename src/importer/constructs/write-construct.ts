import { kindKey } from '../../base/names/resource-name.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import type { KubernetesObject } from '../../base/objects/object-meta.ts';
import type {
  AddOnDeploymentConfigV1alpha1,
  AddOnTemplateV1alpha1,
  ClusterManagementAddOnV1beta1,
  ManagedClusterAddOnV1beta1,
  ManagedClusterSetBindingV1beta2,
  ManagedClusterSetV1beta2,
  PlacementV1beta1,
} from '../../../schemas/types.gen.ts';
import { writeClusterManagementAddOn, writeManagedClusterAddOn } from './add-on.ts';
import { writeManagedClusterSet, writeManagedClusterSetBinding } from './cluster-sets.ts';
import type { Context } from '../context.ts';
import { writeAddOnDeploymentConfig } from './deployment-config.ts';
import type { Statement } from '../code/expression.ts';
import type { Obstacle } from '../fit.ts';
import { writeClusterManager, writeKlusterlet } from './installation.ts';
import { writePlacement } from './placement.ts';
import { writeAddOnTemplate } from './template.ts';

/**
 * Returns statements that create an object with the construct of its kind, as far as its props can express the object. Undefined
 * if the kind has no construct; an obstacle if the construct cannot represent the object.
 *
 * @param object - in the version that OCM's controllers read; admitted, so that its kind determines its type
 * @param raw - as it was written, without fields that the API server sets
 */
export function writeConstruct(
  object: KubernetesObject,
  raw: KubernetesObject,
  context: Context,
): readonly Statement[] | Obstacle | undefined {
  switch (kindKey(object)) {
    case ocmKinds.clusterManager.key:
      return writeClusterManager(raw, context);
    case ocmKinds.klusterlet.key:
      return writeKlusterlet(raw, context);
    case ocmKinds.managedClusterSet.key:
      return writeManagedClusterSet(object as KubernetesObject & ManagedClusterSetV1beta2, context);
    case ocmKinds.managedClusterSetBinding.key:
      return writeManagedClusterSetBinding(
        object as KubernetesObject & ManagedClusterSetBindingV1beta2,
        context,
      );
    case ocmKinds.placement.key:
      return writePlacement(object as KubernetesObject & PlacementV1beta1, context);
    case ocmKinds.addOnDeploymentConfig.key:
      return writeAddOnDeploymentConfig(object as KubernetesObject & AddOnDeploymentConfigV1alpha1, context);
    case ocmKinds.addOnTemplate.key:
      return writeAddOnTemplate(object as KubernetesObject & AddOnTemplateV1alpha1, context);
    case ocmKinds.clusterManagementAddOn.key:
      return writeClusterManagementAddOn(object as KubernetesObject & ClusterManagementAddOnV1beta1, context);
    case ocmKinds.managedClusterAddOn.key:
      return writeManagedClusterAddOn(object as KubernetesObject & ManagedClusterAddOnV1beta1, context);
    default:
      return undefined;
  }
}
