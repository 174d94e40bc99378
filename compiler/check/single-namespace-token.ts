import { pointAt } from '../place/point-at.ts';
import { permissionsOf } from '../render/hub-permissions.ts';
import type { Rule } from './rule.ts';

/** A permission in one namespace for agents with tokens: all clusters write the one binding, each for itself alone. */
export const singleNamespaceToken: Rule = function* ({ configuration, rendering }) {
  const told = new Set<string>();
  for (const { addOn, template, clusters } of rendering.groups) {
    const { clusters: installed = new Map(), delivery } = configuration.get(addOn) ?? {};
    // The companion gives every cluster a binding of its own.
    if (delivery === 'compiled') continue;
    const permissions = permissionsOf(template.object, '').permissions.filter(
      ({ type }) => type === 'SingleNamespace',
    );
    if (
      permissions.length === 0 ||
      installed.size < 2 ||
      told.has(`${addOn}/${template.object.metadata.name}`)
    )
      continue;
    const byToken = clusters.filter((cluster) =>
      (configuration.get(addOn)?.clusters.get(cluster)?.written?.object.status?.registrations ?? []).some(
        ({ kubeClient }) => kubeClient?.driver === 'token',
      ),
    );
    if (byToken.length === 0) continue;
    told.add(`${addOn}/${template.object.metadata.name}`);
    for (const { namespace, path } of permissions) {
      yield {
        code: 'FW7115',
        severity: 'warning',
        message: `of the ${installed.size} clusters of add-on "${addOn}" only one has this permission in namespace "${namespace}": they share one RoleBinding, and agents with tokens are in no common group`,
        ...pointAt(template, path),
        hint: 'bind the role yourself to the ServiceAccounts of the agents, or register the agents with certificates',
      };
    }
  }
};
