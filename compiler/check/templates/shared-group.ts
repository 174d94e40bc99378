import { pointAt } from '../../point-at.ts';
import { permissionsOf } from '../../render/hub-permissions.ts';
import { sharedGroup } from '../../render/registrations.ts';
import type { Rule } from '../rule.ts';
import { usedTemplates } from './used-templates.ts';

/** Permissions on a cluster's own namespace that the agents of all other clusters get as well. */
export const sharedGroupPermission: Rule = function* ({ configuration, rendering }) {
  for (const { addOn, template } of usedTemplates(rendering)) {
    const { clusters: installed, delivery } = configuration.get(addOn) ?? {};
    const clusters = installed?.size ?? 0;
    // The companion binds to the agent of the cluster alone.
    if (delivery === 'compiled' || clusters < 2) continue;
    for (const { type, roleRef, path } of permissionsOf(template.object, '').permissions) {
      if (type !== 'CurrentCluster') continue;
      yield {
        code: 'FW7116',
        severity: 'info',
        message: `the agent of add-on "${addOn}" on any of its ${clusters} clusters has ClusterRole "${roleRef.name}" in the namespaces of all of them: the hub binds the role to the group "${sharedGroup(addOn)}" too`,
        ...pointAt(template, path),
        hint: 'grant nothing that the agent of one cluster may not do or read for another',
      };
    }
  }
};
