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

/** What a companion is for beyond its own duties: all of it has to be allowed. */
export interface CompanionDuties {
  /** Roles that templates may have it bind to agents in all namespaces. */
  readonly grants: readonly BoundRole[];
  /** Signers whose requests it approves, besides that of the hub's API server. */
  readonly signers: readonly string[];
  /** Kinds of configuration that are not OCM's. */
  readonly configKinds: readonly { readonly group: string; readonly resource: string }[];
}

const addOns = 'addon.open-cluster-management.io';
const certificates = 'certificates.k8s.io';
const kubeClientSigner = 'kubernetes.io/kube-apiserver-client';

/** What `controller hub` does in all namespaces, and nothing else. */
export function companionRules({ grants, signers, configKinds }: CompanionDuties): readonly PolicyRule[] {
  const own = [...new Set(signers)].sort();
  return [
    rule(addOns, ['clustermanagementaddons'], ['get', 'list', 'watch']),
    // Deletes those that Git no longer has.
    rule(addOns, ['managedclusteraddons'], ['get', 'list', 'watch', 'patch', 'delete']),
    rule(addOns, ['managedclusteraddons/status'], ['patch']),
    // OpenShift's API server lets nobody name an owner that blocks its own deletion who could not block it himself ...
    rule(addOns, ['clustermanagementaddons/finalizers', 'managedclusteraddons/finalizers'], ['update']),
    rule(addOns, ['addontemplates', 'addondeploymentconfigs'], ['list', 'watch']),
    ...configKinds.map(({ group, resource }) => rule(group, [resource], ['list', 'watch'])),
    rule('cluster.open-cluster-management.io', ['managedclusters'], ['list', 'watch']),
    // ... nor give an owner to what he may not delete: with an owner that is gone, it would be deleted.
    rule('work.open-cluster-management.io', ['manifestworks'], ['list', 'watch', 'patch', 'delete']),
    rule(
      'rbac.authorization.k8s.io',
      ['rolebindings'],
      ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    ),
    ...bindRules(grants),
    // The cache holds no contents: a request is read once everything else about it fits.
    rule(certificates, ['certificatesigningrequests'], ['get', 'list', 'watch']),
    rule(certificates, ['certificatesigningrequests/approval'], ['patch']),
    { ...rule(certificates, ['signers'], ['approve']), resourceNames: [kubeClientSigner, ...own] },
    ...(own.length === 0
      ? []
      : [
          rule(certificates, ['certificatesigningrequests/status'], ['patch']),
          { ...rule(certificates, ['signers'], ['sign']), resourceNames: own },
        ]),
    rule('', ['events'], ['create', 'patch']),
  ];
}

/** What it does in its own namespace: the Lease by which one replica leads. */
export function electionRules(lease: string): readonly PolicyRule[] {
  const leases = ['leases'];
  const group = 'coordination.k8s.io';
  return [
    // A creation has no name that could be held against a list.
    rule(group, leases, ['create']),
    { ...rule(group, leases, ['get', 'update']), resourceNames: [lease] },
  ];
}

/** Permission to bind roles: Kubernetes lets nobody bind a role without having all of it, or this. */
export function bindRules(grants: readonly BoundRole[]): readonly PolicyRule[] {
  return ['ClusterRole', 'Role'].flatMap((wanted) => {
    const names = [...new Set(grants.flatMap(({ kind, name }) => (kind === wanted ? [name] : [])))].sort();
    if (names.length === 0) return [];
    const resource = `${wanted.toLowerCase()}s`;
    return [{ ...rule('rbac.authorization.k8s.io', [resource], ['bind']), resourceNames: names }];
  });
}

function rule(group: string, resources: readonly string[], verbs: readonly string[]): PolicyRule {
  return { apiGroups: [group], resources, verbs };
}
