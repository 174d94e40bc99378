import { addOnGroup as addOns, clusterGroup, workGroup } from '../schemas/groups.ts';
import { apiServerSigner } from '../src/ocm/signers.ts';

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** A role that may be bound. */
export interface BoundRole {
  readonly kind: string;
  readonly name: string;
}

/** The optional permissions of a companion. */
export interface CompanionDuties {
  /** Roles that it may bind to agents in all namespaces, if templates request it. */
  readonly grants: readonly BoundRole[];
  /** Signers whose requests it approves, in addition to the signer of the hub's API server. */
  readonly signers: readonly string[];
  /** Kinds of configuration other than OCM's. */
  readonly configKinds: readonly { readonly group: string; readonly resource: string }[];
  /** Whether it runs pre-delete hooks. */
  readonly preDeleteHooks: boolean;
  /** Whether it creates the objects from which agents get tokens. */
  readonly tokenRegistration: boolean;
}

const certificates = 'certificates.k8s.io';

/** The permissions that `controller hub` needs in all namespaces, and no others. */
export function companionRules({
  grants,
  signers,
  configKinds,
  preDeleteHooks,
  tokenRegistration,
}: CompanionDuties): readonly PolicyRule[] {
  const sortedSigners = [...new Set(signers)].sort();
  return [
    rule(addOns, ['clustermanagementaddons'], ['get', 'list', 'watch']),
    // Deletes those that are no longer in Git.
    rule(addOns, ['managedclusteraddons'], ['get', 'list', 'watch', 'patch', 'delete']),
    rule(addOns, ['managedclusteraddons/status'], ['patch']),
    // OpenShift's API server rejects an owner with blockOwnerDeletion unless the user may update the owner's
    // finalizers ...
    rule(addOns, ['clustermanagementaddons/finalizers', 'managedclusteraddons/finalizers'], ['update']),
    rule(addOns, ['addontemplates', 'addondeploymentconfigs'], ['list', 'watch']),
    ...configKinds.map(({ group, resource }) => rule(group, [resource], ['list', 'watch'])),
    rule(clusterGroup, ['managedclusters'], ['list', 'watch']),
    // ... and a new owner unless the user may delete the object: an owner that does not exist would cause its
    // deletion. Hooks for hosting clusters are in works from Git, and are read when they run.
    rule(
      workGroup,
      ['manifestworks'],
      preDeleteHooks
        ? ['get', 'list', 'watch', 'create', 'patch', 'delete']
        : ['list', 'watch', 'patch', 'delete'],
    ),
    rule(
      'rbac.authorization.k8s.io',
      ['rolebindings'],
      ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    ),
    ...bindRules(grants),
    ...(tokenRegistration ? tokenRules : []),
    // The cache has no contents: a request is read once everything else about it matches.
    rule(certificates, ['certificatesigningrequests'], ['get', 'list', 'watch']),
    rule(certificates, ['certificatesigningrequests/approval'], ['patch']),
    { ...rule(certificates, ['signers'], ['approve']), resourceNames: [apiServerSigner, ...sortedSigners] },
    ...(sortedSigners.length === 0
      ? []
      : [
          rule(certificates, ['certificatesigningrequests/status'], ['patch']),
          { ...rule(certificates, ['signers'], ['sign']), resourceNames: sortedSigners },
        ]),
    rule('', ['events'], ['create', 'patch']),
  ];
}

/**
 * Kubernetes lets a user create and bind a role only with all its permissions, or with `escalate` and `bind`. The roles let
 * clusters request tokens. A companion with that permission could request tokens of any ServiceAccount itself, and OCM's gRPC
 * server would do it for the companion, where no admission policy sees whose request it is.
 */
const tokenRules: readonly PolicyRule[] = [
  rule('', ['serviceaccounts'], ['get', 'list', 'watch', 'create', 'delete']),
  rule(
    'rbac.authorization.k8s.io',
    ['roles'],
    ['get', 'list', 'watch', 'create', 'delete', 'escalate', 'bind'],
  ),
];

/** The Leases of a companion: that of its replicas, and with several shards one for each of them. */
export function leaseNames(name: string, shards: number): readonly string[] {
  return shards === 1
    ? [name]
    : [name, ...Array.from({ length: shards }, (_, shard) => `${name}-shard-${shard}`)];
}

/** The permissions in its own namespace: its Leases. */
export function electionRules(names: readonly string[]): readonly PolicyRule[] {
  const leases = ['leases'];
  const group = 'coordination.k8s.io';
  return [
    // RBAC cannot limit a creation by name.
    rule(group, leases, ['create']),
    { ...rule(group, leases, ['get', 'update']), resourceNames: names },
  ];
}

/** Permission to bind roles. Kubernetes requires it, or all permissions of the role. */
export function bindRules(grants: readonly BoundRole[]): readonly PolicyRule[] {
  return ['ClusterRole', 'Role'].flatMap((wanted) => {
    const names = [...new Set(grants.flatMap(({ kind, name }) => (kind === wanted ? [name] : [])))].sort();
    if (names.length === 0) return [];
    const resource = `${wanted.toLowerCase()}s`;
    return [{ ...rule('rbac.authorization.k8s.io', [resource], ['bind']), resourceNames: names }];
  });
}

/** Returns a rule for one group. */
export function rule(group: string, resources: readonly string[], verbs: readonly string[]): PolicyRule {
  return { apiGroups: [group], resources, verbs };
}
