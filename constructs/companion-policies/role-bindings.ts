import { agentUser, textOf, tokenUser, type PolicyContent } from './policy.ts';
import { companionName } from '../../ocm/companion-binding.ts';
import { addOnNameLabel, clusterNameLabel } from '../../ocm/labels.ts';

const isOurs = (object: string): string =>
  `${textOf(object, 'labels', 'app.kubernetes.io/managed-by')} == '${companionName}'`;
const named = ['variables.cluster', 'variables.addOn'] as const;

/** RoleBindings of the companion: one for each agent and role. Which roles it may bind is up to RBAC. */
export const roleBindings: PolicyContent = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resources: ['rolebindings'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  variables: {
    isDeletion: "request.operation == 'DELETE'",
    before: "request.operation == 'CREATE' ? object : oldObject",
    cluster: `variables.isDeletion ? '' : ${textOf('object', 'labels', clusterNameLabel)}`,
    addOn: `variables.isDeletion ? '' : ${textOf('object', 'labels', addOnNameLabel)}`,
  },
  checks: {
    'RoleBindings of others are not touched': `variables.before.metadata.name.startsWith('fleetwright:') && ${isOurs('variables.before')}`,
    'a RoleBinding has the name and the labels of its add-on and cluster': `variables.isDeletion || (variables.cluster != '' && variables.addOn != '' && ${isOurs('object')} && object.metadata.name.startsWith('fleetwright:' + variables.addOn + ':' + variables.cluster + ':'))`,
    'a RoleBinding has one subject, the agent of its add-on on its cluster': `variables.isDeletion || (has(object.subjects) && object.subjects.size() == 1 && object.subjects.all(subject, subject.kind == 'User' && subject.name in [${agentUser(...named)}, ${tokenUser(...named)}]))`,
  },
};
