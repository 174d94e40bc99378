import { Remembered } from '../../../base/collections/remembered.ts';
import type {
  ClusterManagementAddOnV1beta1,
  ManagedClusterAddOnV1beta1,
} from '../../../../schemas/types.gen.ts';
import type { Admitted } from '../../model/inventory.ts';
import type { CheckInput } from '../rule.ts';

/** A ManagedClusterAddOn of the inputs, beside the add-on that it configures. */
export interface AppClusterAddOn {
  readonly managedClusterAddOn: Admitted<ManagedClusterAddOnV1beta1>;
  readonly cluster: string;
  readonly addOn: Admitted<ClusterManagementAddOnV1beta1>;
  /** Its name. */
  readonly name: string;
}

/** One list for all states with the same add-ons. */
const remembered = new Remembered<readonly AppClusterAddOn[]>();

/** Returns the ManagedClusterAddOns outside of the fleet snapshot whose ClusterManagementAddOn exists. */
export function appClusterAddOns({ inventory }: Pick<CheckInput, 'inventory'>): readonly AppClusterAddOn[] {
  const { managedClusterAddOns, clusterManagementAddOns } = inventory;
  return remembered.of(managedClusterAddOns, [clusterManagementAddOns], () =>
    [...managedClusterAddOns.values()].flatMap((managedClusterAddOn) => {
      if (managedClusterAddOn.source === 'fleet') return [];
      const { name = '', namespace = '' } = managedClusterAddOn.object.metadata;
      const addOn = clusterManagementAddOns.get(name);
      return addOn === undefined ? [] : [{ managedClusterAddOn, cluster: namespace, addOn, name }];
    }),
  );
}
