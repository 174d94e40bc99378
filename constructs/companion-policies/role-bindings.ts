import { agentUser, ofCreate, ofUpdate, textOf, tokenUser } from './policy.ts';
import type { ConfinedCompanion, PolicyContent } from './policy.ts';
import { createdAs, isOwnTokenObject, tokenVariables } from './token-infrastructure.ts';
import { companionName } from '../../src/ocm/companion-binding.ts';
import { addOnNameLabel, clusterNameLabel } from '../../src/ocm/labels.ts';
import { managedByLabel } from '../../src/ocm/writer.ts';

const isOurs = (object: string): string =>
  `${textOf(object, 'labels', managedByLabel)} == '${companionName}'`;
const named = ['variables.cluster', 'variables.addOn'] as const;

/** The checks of the RoleBindings for `hubPermissions`. */
const checks = {
  'RoleBindings of others are not touched': `variables.before.metadata.name.startsWith('fleetwright:') && ${isOurs('variables.before')}`,
  'a RoleBinding has the name and the labels of its add-on and cluster': `variables.isDeletion || (variables.cluster != '' && variables.addOn != '' && ${isOurs('object')} && object.metadata.name.startsWith('fleetwright:' + variables.addOn + ':' + variables.cluster + ':'))`,
  'a RoleBinding has one subject, the agent of its add-on on its cluster': `variables.isDeletion || (has(object.subjects) && object.subjects.size() == 1 && object.subjects.all(subject, subject.kind == 'User' && subject.name in [${agentUser(...named)}, ${tokenUser(...named)}]))`,
};

/**
 * RoleBindings of the companion: one for each agent and role, and one for each agent with a token. Which roles it may bind is up to
 * RBAC, unless it creates Roles itself.
 */
export function roleBindings({
  tokenRegistration,
  grantedRoles,
}: Pick<ConfinedCompanion, 'tokenRegistration' | 'grantedRoles'>): PolicyContent {
  return {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    resources: ['rolebindings'],
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    variables: {
      isDeletion: "request.operation == 'DELETE'",
      before: "request.operation == 'CREATE' ? object : oldObject",
      cluster: `variables.isDeletion ? '' : ${textOf('object', 'labels', clusterNameLabel)}`,
      addOn: `variables.isDeletion ? '' : ${textOf('object', 'labels', addOnNameLabel)}`,
      ...(tokenRegistration && { isForToken: isOwnTokenObject('variables.before'), ...tokenVariables }),
    },
    checks: tokenRegistration ? withTokens(grantedRoles) : checks,
  };
}

function withTokens(grantedRoles: readonly string[]): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(
      Object.entries(checks).map(([message, check]) => [message, `variables.isForToken || (${check})`]),
    ),
    // With `bind` on the Roles that it creates, RBAC allows all Roles.
    'only granted Roles are bound to agents': `variables.isForToken || variables.isDeletion || object.roleRef.kind != 'Role' || (object.metadata.namespace + '/' + object.roleRef.name) in ${JSON.stringify(grantedRoles)}`,
    'a RoleBinding for tokens lets the agents of a cluster request those of an add-on': `!variables.isForToken || (${ofCreate(createdAs('roleBinding', ['roleRef', 'subjects']))})`,
    'RoleBindings for tokens are not changed': `!variables.isForToken || (${ofUpdate('false')})`,
  };
}
