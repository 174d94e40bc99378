import { diagnostic } from '../../model/diagnostic.ts';
import type { AddOnTemplateV1alpha1 } from '../../../../schemas/types.gen.ts';
import type { Elsewhere } from '../../model/elsewhere.ts';
import { orExternal } from '../../model/missing-object.ts';
import { objectKey, type Admitted, type Inventory } from '../../model/inventory.ts';
import { pointAt } from '../../model/point-at.ts';
import { closest, didYouMean } from '../../model/suggestion.ts';
import { quote } from '../../model/words.ts';
import type { Rule } from '../rule.ts';
import { usedTemplates } from './used-templates.ts';
import { permissionsOf, type Permission } from '../../../ocm/hub-permissions.ts';

/**
 * Reports hub permissions for a ClusterRole or Role that the inputs do not have. It is certainly missing if the name is similar to
 * an existing role, or if the fleet snapshot has the roles of the hub. As the API server, which rejects a binding to a missing role
 * unless the author may bind anything.
 */
export const missingRole: Rule = {
  codes: ['FW7137'],
  *check({ inventory, rendering }) {
    const seen = new Set<string>();
    const roles = rolesOf(inventory);
    for (const { template } of usedTemplates(rendering)) {
      const { name = '' } = template.object.metadata;
      if (seen.has(name)) continue;
      seen.add(name);
      for (const { permission, isCertain, hint } of missingRoles(template, roles)) {
        const { kind, name: role } = permission.roleRef;
        const where = kind === 'Role' ? ` in namespace ${quote(permission.namespace)}` : '';
        const field =
          permission.type === 'CurrentCluster'
            ? ['currentCluster', 'clusterRoleName']
            : ['singleNamespace', 'roleRef'];
        yield diagnostic('FW7137', {
          message: isCertain
            ? `there is no ${kind} ${quote(role)}${where}, so the hub cannot grant it to the agents`
            : `neither the app nor the fleet snapshot has ${kind} ${quote(role)}${where}, which the hub would grant to the agents`,
          ...pointAt(template, [...permission.path, ...field]),
          hint,
        });
      }
    }
  },
};

/** The roles in the inputs. */
export interface RolesInInputs {
  /** ClusterRoles by name, Roles by `namespace/name`. */
  readonly names: Readonly<Record<'ClusterRole' | 'Role', ReadonlySet<string>>>;
  /** Whether the fleet snapshot has roles of the kind. If so, it has all of them. */
  readonly isComplete: Readonly<Record<'ClusterRole' | 'Role', boolean>>;
  readonly clusterRoles: ReadonlyMap<string, Admitted>;
  /** The known existence of roles that the inputs do not have. */
  readonly elsewhere: Elsewhere;
}

export function rolesOf({ others, elsewhere }: Pick<Inventory, 'others' | 'elsewhere'>): RolesInInputs {
  const of = (kind: 'ClusterRole' | 'Role'): readonly Admitted[] =>
    others.filter(
      ({ object }) => object.kind === kind && object.apiVersion.startsWith('rbac.authorization.k8s.io/'),
    );
  const [clusterRoles, namespacedRoles] = [of('ClusterRole'), of('Role')];
  const keys = (roles: readonly Admitted[], isNamespaced: boolean): ReadonlySet<string> =>
    new Set(
      roles.map(({ object: { metadata } }) =>
        objectKey(isNamespaced ? metadata.namespace : undefined, metadata.name ?? ''),
      ),
    );
  const isPulled = (roles: readonly Admitted[]): boolean => roles.some(({ source }) => source === 'fleet');
  return {
    names: { ClusterRole: keys(clusterRoles, false), Role: keys(namespacedRoles, true) },
    isComplete: { ClusterRole: isPulled(clusterRoles), Role: isPulled(namespacedRoles) },
    clusterRoles: new Map(clusterRoles.map((role) => [role.object.metadata.name ?? '', role])),
    elsewhere,
  };
}

/** Returns the permissions of a template whose role the inputs do not have, each with a hint. */
export function missingRoles(
  { object }: Admitted<AddOnTemplateV1alpha1>,
  { names, isComplete, elsewhere }: RolesInInputs,
): readonly { readonly permission: Permission; readonly isCertain: boolean; readonly hint: string }[] {
  return permissionsOf(object, '').permissions.flatMap((permission) => {
    const { apiGroup: group, kind, name } = permission.roleRef;
    if (kind !== 'ClusterRole' && kind !== 'Role') return [];
    const namespace = kind === 'Role' ? permission.namespace : '';
    if (elsewhere.existence({ group, kind, namespace, name }) === 'exists') return [];
    const key = objectKey(kind === 'Role' ? permission.namespace : undefined, name);
    if (names[kind].has(key) || (kind === 'ClusterRole' && isBuiltIn(name))) return [];
    const isCertain = isComplete[kind] || closest(key, names[kind]) !== undefined;
    const create = `create the ${kind}`;
    const hint = isCertain
      ? (didYouMean(key, names[kind], `the ${kind}s are`) ?? create)
      : `${create}, ${orExternal}`;
    return [{ permission, isCertain, hint }];
  });
}

const userFacing: ReadonlySet<string> = new Set(['admin', 'cluster-admin', 'edit', 'view']);

/** Whether Kubernetes, OCM or OpenShift create the role. */
function isBuiltIn(clusterRole: string): boolean {
  return (
    userFacing.has(clusterRole) || /^(system|open-cluster-management|multicluster)[:-]/.test(clusterRole)
  );
}
