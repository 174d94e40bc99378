import { diagnostic } from '../../model/diagnostic.ts';
import { pointAt } from '../../model/point-at.ts';
import { sharedGroup } from '../../../ocm/agent-identity.ts';
import type { Admitted } from '../../model/inventory.ts';
import type { Rule } from '../rule.ts';
import { missingRoles, rolesOf } from './missing-role.ts';
import { usedTemplates } from './used-templates.ts';
import { permissionsOf } from '../../../ocm/hub-permissions.ts';

/**
 * Reports permissions on a cluster's own namespace that the agents of all other clusters also have. A role that only reads
 * objects other than Secrets does little harm.
 */
export const sharedGroupPermission: Rule = {
  codes: ['FW7116'],
  *check({ configuration, inventory, rendering }) {
    const roles = rolesOf(inventory);
    for (const { addOn, template } of usedTemplates(rendering)) {
      const { clusters: installed, delivery } = configuration.get(addOn) ?? {};
      const clusters = installed?.size ?? 0;
      // The companion binds only to the agent of the cluster.
      if (delivery === 'compiled' || clusters < 2) continue;
      const missing = new Set(
        missingRoles(template, roles).flatMap(({ permission, isCertain }) =>
          isCertain ? [permission.roleRef.name] : [],
        ),
      );
      for (const { type, roleRef, path } of permissionsOf(template.object, '').permissions) {
        if (type !== 'CurrentCluster' || missing.has(roleRef.name)) continue;
        if (isHarmless(roles.clusterRoles.get(roleRef.name))) continue;
        yield diagnostic('FW7116', {
          message: `the agent of add-on "${addOn}" on any of its ${clusters} clusters gets ClusterRole "${roleRef.name}" in the namespaces of all of them: the hub binds the role to the group "${sharedGroup(addOn)}" too`,
          ...pointAt(template, path),
          hint: 'grant only permissions that every agent may have for all of these clusters',
        });
      }
    }
  },
};

interface PolicyRule {
  readonly resources?: readonly string[];
  readonly verbs?: readonly string[];
}

/** Whether the role is in the inputs and only reads, and reads no Secrets. */
function isHarmless(role: Admitted | undefined): boolean {
  const { rules, aggregationRule } = (role?.object ?? {}) as {
    rules?: readonly PolicyRule[] | null;
    aggregationRule?: unknown;
  };
  if (role === undefined || aggregationRule !== undefined) return false;
  return (rules ?? []).every(
    ({ resources = [], verbs = [] }) =>
      verbs.every((verb) => reading.has(verb)) &&
      !resources.some((name) => /^(\*|secrets(\/.*)?)$/.test(name)),
  );
}

const reading: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
