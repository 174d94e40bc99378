import type { Rule } from '../rule.ts';
import { invalidDelivery } from './invalid-delivery.ts';
import { missingAddOn } from './missing-add-on.ts';
import { unknownCluster } from './unknown-cluster.ts';
import { unselectedCluster } from './unselected-cluster.ts';

/** The rules for ClusterManagementAddOns and ManagedClusterAddOns, in the order in which their findings are returned. */
export const addOnRules: readonly Rule[] = [invalidDelivery, unselectedCluster, unknownCluster, missingAddOn];
