import { compareText } from '../src/base/collections/compare-text.ts';
import { addToGroup } from '../src/base/collections/groups.ts';
import type { BoundRole } from './companion-permissions.ts';
import type { HubRole } from './hub-permission.ts';

/** A role that the companion may bind to agents, such as a construct of this library or of cdk8s-plus. */
export interface CompanionGrant extends HubRole {
  /**
   * The only namespace where the role may be bound. For a Role it is the Role's own namespace.
   *
   * @default - the namespace of the construct for a Role; all namespaces for a ClusterRole
   */
  readonly namespace?: string;

  /** Metadata of a construct. */
  readonly metadata?: { readonly namespace?: string };
}

/**
 * Returns the roles by the namespace where they may be bound. The first key, an empty text, is for all namespaces.
 *
 * @param path - path of the construct, for errors
 * @throws Error if a grant is not a Role with a namespace or a ClusterRole
 */
export function companionGrants(
  grants: readonly CompanionGrant[],
  path: string,
): ReadonlyMap<string, readonly BoundRole[]> {
  const byNamespace = new Map<string, BoundRole[]>();
  for (const [index, { kind, name, namespace, metadata }] of grants.entries()) {
    if (kind !== 'Role' && kind !== 'ClusterRole')
      throw new Error(
        `${path}: grants[${index}] has to be a Role or a ClusterRole, such as { kind: 'ClusterRole', name: 'reader' }`,
      );
    // A Chart with a namespace also sets it in the metadata of cluster-scoped constructs, such as ClusterRoles.
    const at = namespace ?? (kind === 'Role' ? metadata?.namespace : undefined) ?? '';
    if (kind === 'Role' && at === '')
      throw new Error(
        `${path}: grants[${index}] needs the namespace of the Role, such as { kind: 'Role', name: '${name}', namespace: 'shop' }`,
      );
    addToGroup(byNamespace, at, { kind, name });
  }
  return new Map([...byNamespace].sort(([one], [other]) => compareText(one, other)));
}
