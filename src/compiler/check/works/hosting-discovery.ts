import type { ClusterManagementAddOnV1beta1 } from '../../../../schemas/types.gen.ts';
import {
  hostingClusterAnnotation,
  hostingClusterOf,
  installModeAnnotation,
  reportedHostingCluster,
} from '../../../ocm/hosted-mode.ts';
import type { HubVersion } from '../../../ocm/hub-version.ts';
import { asksForDiscovery, enablesDiscovery, managerDiscovers } from '../../configure/hosting-discovery.ts';
import type { ResolvedAddOn } from '../../configure/resolved-add-on.ts';
import { diagnostic } from '../../model/diagnostic.ts';
import { hasFleet } from '../../model/needs-fleet.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Inventory } from '../../model/inventory.ts';
import type { Rule } from '../rule.ts';

/** Reports add-ons whose hosting cluster is left to a manager that does not find one, and those that name another one than reported. */
export const hostingDiscovery: Rule = {
  codes: ['FW6090', 'FW6091', 'FW6092'],
  *check({ configuration, inventory, decisions, hub }) {
    for (const addOn of configuration.values()) {
      const written = inventory.clusterManagementAddOns.get(addOn.name)?.object;
      if (written === undefined) continue;
      const idle = whyNobodyLooks(addOn, written, inventory, hub);
      for (const { cluster, managedClusterAddOn, awaitsHosting } of addOn.clusters.individual.values()) {
        if (managedClusterAddOn === undefined) continue;
        const subject = `add-on "${addOn.name}" on cluster "${cluster}"`;
        const at = (annotation: string): ReturnType<typeof pointAt> =>
          pointAt(managedClusterAddOn, ['metadata', 'annotations', annotation]);
        if (awaitsHosting !== undefined && hasFleet(inventory)) {
          yield diagnostic('FW6090', {
            message: `${subject} has no hosting cluster yet, and its manager creates and changes nothing: ${awaitsHosting}`,
            ...at(installModeAnnotation),
            hint: 'have the klusterlet report its hosting cluster and put both clusters into one ManagedClusterSet, or name the hosting cluster',
          });
        } else if (idle !== undefined && asksForDiscovery(managedClusterAddOn.object)) {
          yield diagnostic('FW6091', {
            message: `${subject} asks for hosted mode, but ${idle}: it is not hosted`,
            ...at(installModeAnnotation),
            hint: `name the cluster in the annotation ${hostingClusterAnnotation}, or remove the annotation`,
          });
        }
        const hosting = hostingClusterOf(managedClusterAddOn.object) ?? '';
        if (hosting === '') continue;
        const reported = reportedHostingCluster(decisions.clusters.get(cluster));
        if (reported !== undefined && reported !== hosting)
          yield diagnostic('FW6092', {
            message: `${subject} names hosting cluster "${hosting}", but the klusterlet reports that it runs on "${reported}": it does not see the Lease of the agent, and managers since addon-framework 1.4 create nothing on the cluster named`,
            ...at(hostingClusterAnnotation),
            hint: `name "${reported}"`,
          });
      }
    }
  },
};

/** Returns why nobody discovers the hosting clusters of an add-on, as a clause. Undefined if its manager does. */
function whyNobodyLooks(
  { name, delivery, template }: ResolvedAddOn,
  written: ClusterManagementAddOnV1beta1,
  { managerProfiles }: Inventory,
  hub: HubVersion,
): string | undefined {
  if (delivery === 'compiled') return 'compiled delivery discovers no hosting clusters';
  if (template) return "the hub's manager of templates hosts no add-ons";
  if (!enablesDiscovery(written))
    return 'its ClusterManagementAddOn does not enable spec.hostedModeAutoDiscovery';
  const profile = managerProfiles?.get(name);
  if (managerDiscovers(profile, hub)) return undefined;
  if (profile === undefined) return `managers up to those of OCM ${hub.name} discover no hosting clusters`;
  return profile.reads === undefined
    ? 'its ManagerProfile does not name the release of addon-framework, and only managers since 1.4 discover hosting clusters'
    : 'its manager is built with addon-framework up to 1.3, which discovers no hosting clusters';
}
