import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import type { Rule } from '../rule.ts';
import { usedTemplates } from './used-templates.ts';
import { permissionsOf } from '../../../ocm/hub-permissions.ts';

/** Reports permissions in one namespace for agents with tokens. All clusters write the same binding, each for itself alone. */
export const singleNamespaceToken: Rule = {
  codes: ['FW7115'],
  *check({ configuration, rendering }) {
    for (const { addOn, template, groups } of usedTemplates(rendering)) {
      const { clusters: installed, delivery } = configuration.get(addOn) ?? {};
      // The companion creates a separate binding per cluster.
      if (installed === undefined || installed.size < 2 || delivery === 'compiled') continue;
      const permissions = permissionsOf(template.object, '').permissions.filter(
        ({ type }) => type === 'SingleNamespace',
      );
      const isByToken = (cluster: string): boolean =>
        (installed.get(cluster)?.managedClusterAddOn?.object.status?.registrations ?? []).some(
          ({ kubeClient }) => kubeClient?.driver === 'token',
        );
      if (permissions.length === 0 || !groups.some(({ clusters }) => clusters.some(isByToken))) continue;
      for (const { namespace, path } of permissions) {
        yield diagnostic('FW7115', {
          message: `of the ${installed.size} clusters of add-on "${addOn}" only one has this permission in namespace "${namespace}": they share one RoleBinding, and agents with tokens have no common group`,
          ...pointAt(template, path),
          hint: 'bind the role yourself to the ServiceAccounts of the agents, or register the agents with certificates',
        });
      }
    }
  },
};
