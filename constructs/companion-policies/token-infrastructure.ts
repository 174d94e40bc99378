import { companionName } from '../../src/ocm/companion-binding.ts';
import { clusterNameLabel } from '../../src/ocm/labels.ts';
import { rbac } from '../../src/ocm/role-binding.ts';
import {
  tokenAddOnLabel,
  tokenInfrastructure,
  tokenInfrastructureLabel,
} from '../../src/ocm/token-infrastructure.ts';
import { managedByLabel } from '../../src/ocm/writer.ts';
import { ofCreate, ofDelete, textOf, type PolicyContent } from './policy.ts';

/** The objects for an example, from which the checks are made, so that they allow exactly what the companion creates. */
const example = tokenInfrastructure(
  { addOn: '<addOn>', cluster: '<cluster>' },
  { [managedByLabel]: companionName },
);

/** Returns a part of the example as a CEL expression for the add-on and the cluster of the object. */
function celOf(part: unknown): string {
  return JSON.stringify(part)
    .replaceAll('<addOn>', '" + variables.tokenAddOn + "')
    .replaceAll('<cluster>', '" + object.metadata.namespace + "');
}

/** Variables for `createdAs`. */
export const tokenVariables = { tokenAddOn: textOf('object', 'labels', tokenAddOnLabel) };

/** Whether an object is one from which an agent gets its token, and the companion created it. */
export function isOwnTokenObject(object: string): string {
  return `${textOf(object, 'labels', tokenInfrastructureLabel)} == 'true' && ${textOf(object, 'labels', managedByLabel)} == '${companionName}'`;
}

/**
 * Checks that a new object is that of an add-on on a cluster, in the namespace of the cluster.
 *
 * @param fields the fields of the example, besides the metadata, that the object must have
 */
export function createdAs(
  kind: 'serviceAccount' | 'role' | 'roleBinding',
  fields: readonly string[] = [],
): string {
  const { metadata, ...content } = example[kind];
  const values = new Map<string, unknown>(Object.entries(content));
  return [
    "variables.tokenAddOn != ''",
    `object.metadata.name == ${celOf(metadata.name)}`,
    `object.metadata.?labels.orValue({}) == ${celOf(metadata.labels)}`,
    `namespaceObject.metadata.?labels['${clusterNameLabel}'].orValue('') == object.metadata.namespace`,
    // The type checker would not compare objects with maps.
    ...fields.map((field) => `dyn(object).?${field}.orValue([]) == dyn(${celOf(values.get(field))})`),
  ].join(' && ');
}

/** The ServiceAccounts of agents with tokens. */
export const serviceAccounts = tokenPolicy('', 'serviceaccounts', {
  'a ServiceAccount is that of an agent, on its cluster': ofCreate(createdAs('serviceAccount')),
});

/** The Roles that let clusters request these tokens. */
export const roles = tokenPolicy(rbac, 'roles', {
  'a Role lets a cluster request tokens of the agent of an add-on, and nothing else': ofCreate(
    createdAs('role', ['rules']),
  ),
});

function tokenPolicy(
  group: string,
  resource: string,
  checks: Readonly<Record<string, string>>,
): PolicyContent {
  return {
    group,
    version: 'v1',
    resources: [resource],
    operations: ['CREATE', 'DELETE'],
    variables: tokenVariables,
    checks: {
      ...checks,
      [`${resource} of others are not deleted`]: ofDelete(isOwnTokenObject('oldObject')),
    },
  };
}
