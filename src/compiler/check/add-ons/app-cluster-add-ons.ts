import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type {
  ClusterManagementAddOnV1beta1,
  ManagedClusterAddOnV1beta1,
} from '../../../../schemas/types.gen.ts';
import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import type { Admitted } from '../../model/inventory.ts';
import type { CheckInput } from '../rule.ts';

/** A ManagedClusterAddOn of the inputs, beside the add-on that it configures. */
export interface AppClusterAddOn {
  readonly managedClusterAddOn: Admitted<ManagedClusterAddOnV1beta1>;
  readonly cluster: string;
  readonly addOn: Admitted<ClusterManagementAddOnV1beta1>;
  readonly resolved: ResolvedAddOn;
}

/** The rules of one state have one configuration. */
const cache = new WeakMap<CheckInput['configuration'], readonly AppClusterAddOn[]>();

/** Returns the ManagedClusterAddOns outside of the fleet snapshot whose ClusterManagementAddOn exists. */
export function appClusterAddOns(input: CheckInput): Iterable<AppClusterAddOn> {
  return getOrInsertComputed(cache, input.configuration, () => [...appClusterAddOnsIn(input)]);
}

function* appClusterAddOnsIn({ inventory, configuration }: CheckInput): Iterable<AppClusterAddOn> {
  for (const managedClusterAddOn of inventory.managedClusterAddOns.values()) {
    if (managedClusterAddOn.source === 'fleet') continue;
    const { name = '', namespace = '' } = managedClusterAddOn.object.metadata;
    const addOn = inventory.clusterManagementAddOns.get(name);
    const resolved = configuration.get(name);
    if (addOn !== undefined && resolved !== undefined)
      yield { managedClusterAddOn, cluster: namespace, addOn, resolved };
  }
}
