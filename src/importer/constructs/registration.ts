import type {
  AddOnTemplateV1alpha1CustomSignerRegistrationConfig,
  AddOnTemplateV1alpha1HubPermissionConfig,
  AddOnTemplateV1alpha1RegistrationSpec,
} from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../../compiler/model/field-path.ts';
import { listExpression } from '../code/list-expression.ts';
import type { Context } from '../context.ts';
import {
  at,
  call,
  literal,
  name,
  object,
  plain,
  unlessEmptyList,
  unlessEmptyObject,
  type Expression,
} from '../code/expression.ts';

const rbac = 'rbac.authorization.k8s.io';

/** Writes `Registration.kubeClient(…)` or `Registration.customSigner(…)`. Undefined if `Registration` cannot express it. */
export function registration(
  { type, kubeClient, customSigner }: AddOnTemplateV1alpha1RegistrationSpec,
  path: FieldPath,
  context: Context,
): Expression | undefined {
  if (type === 'CustomSigner') {
    if (customSigner === undefined || kubeClient !== undefined) return undefined;
    return call('Registration', 'customSigner', signer(customSigner, [...path, 'customSigner']));
  }
  if (kubeClient === undefined || customSigner !== undefined) return undefined;
  const permissionsPath = [...path, 'kubeClient', 'hubPermissions'];
  const permissions = listExpression(kubeClient.hubPermissions, permissionsPath, (permission) =>
    hubPermission(permission, context),
  );
  const options = object({ hubPermissions: at(permissionsPath, unlessEmptyList(permissions)) });
  return call('Registration', 'kubeClient', unlessEmptyObject(options));
}

function signer(
  { signerName, signingCA, subject }: AddOnTemplateV1alpha1CustomSignerRegistrationConfig,
  path: FieldPath,
): Expression {
  const field = (key: string, value: unknown) =>
    at([...path, key], value === undefined ? undefined : plain(value, [...path, key]));
  const { user, groups, organizationUnit } = subject ?? {};
  const below = [...path, 'subject'];
  const part = (key: string, value: unknown) =>
    at([...below, key], value === undefined ? undefined : plain(value, [...below, key]));
  return object({
    signerName: field('signerName', signerName),
    signingCA: field('signingCA', signingCA),
    subject: at(
      below,
      subject &&
        object({
          user: part('user', user),
          groups: part('groups', groups),
          organizationUnits: part('organizationUnit', organizationUnit),
        }),
    ),
  });
}

function hubPermission(
  { type, currentCluster, singleNamespace }: AddOnTemplateV1alpha1HubPermissionConfig,
  context: Context,
): Expression | undefined {
  if (type === 'CurrentCluster') {
    if (currentCluster === undefined || singleNamespace !== undefined) return undefined;
    const role = currentCluster.clusterRoleName;
    const variable = context.variable(rbac, 'ClusterRole', undefined, role);
    return call('HubPermission', 'currentCluster', variable === undefined ? literal(role) : name(variable));
  }
  if (singleNamespace === undefined || currentCluster !== undefined) return undefined;
  const { namespace, roleRef } = singleNamespace;
  const { apiGroup, kind, name: roleName } = roleRef;
  if (apiGroup !== rbac || (kind !== 'Role' && kind !== 'ClusterRole')) return undefined;
  const variable = context.variable(rbac, kind, kind === 'Role' ? namespace : undefined, roleName);
  const role = variable === undefined ? plain({ kind, name: roleName }, undefined) : name(variable);
  return call('HubPermission', 'singleNamespace', literal(namespace), role);
}
