import type { ManagedClusterAddOnV1alpha1 } from '../../../schemas/types.gen.ts';
import { ocmKinds } from '../../../schemas/kinds.ts';
import { resourceOf } from '../../ocm/resource.ts';

/** The version of add-on kinds. Every OCM release in use serves and stores it, so no conversion webhook is called. */
export const addOnVersion = 'v1alpha1';

/** The kind that the companion reads and writes both on the hub and for a managed cluster. */
export const managedClusterAddOns = resourceOf<ManagedClusterAddOnV1alpha1>(
  ocmKinds.managedClusterAddOn,
  addOnVersion,
);
