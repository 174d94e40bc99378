import type { KubernetesObject } from '../base/objects/object-meta.ts';
import { agentPrefix, type AddOnOnCluster } from './agent-identity.ts';
import { rbac, type RoleBinding } from './role-binding.ts';
import { apiServerSigner } from './signers.ts';

/** The label, with the value `true`, of the objects from which an agent gets its token. */
export const tokenInfrastructureLabel = 'addon.open-cluster-management.io/token-infrastructure';
/** The label of these objects that names their add-on. Their namespace is the cluster. */
export const tokenAddOnLabel = 'addon.open-cluster-management.io/name';
/** The condition of a ManagedClusterAddOn that reports whether its agent can request a token. */
export const tokenInfrastructureReady = 'TokenInfrastructureReady' as const;

/** A v1 ServiceAccount without Secrets. */
export interface ServiceAccount extends KubernetesObject {
  readonly kind: 'ServiceAccount';
}

/** A rbac.authorization.k8s.io/v1 Role. */
export interface Role extends KubernetesObject {
  readonly kind: 'Role';
  readonly rules: readonly RoleRule[];
}

export interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** The objects from which the agent of an add-on on one cluster gets its token. */
export interface TokenInfrastructure {
  /** The identity of the agent. */
  readonly serviceAccount: ServiceAccount;
  /** Permission to request tokens of the ServiceAccount. */
  readonly role: Role;
  /** Grants the permission to the agents of the cluster. */
  readonly roleBinding: RoleBinding;
}

/** Returns the name of the ServiceAccount of an agent with a token. */
export function agentAccountName(addOn: string): string {
  return `${addOn}-agent`;
}

/** Returns the name of the role, and of its binding, that lets the agents of a cluster request tokens. */
export function tokenRoleName(addOn: string): string {
  return `${addOn}-token-role`;
}

/**
 * Returns the objects from which an agent gets its token, as OCM's manifests `token-serviceaccount.yaml`, `token-role.yaml` and
 * `token-rolebinding.yaml` of addon-manager, and as the API server stores them.
 *
 * @param labels labels in addition to those of OCM
 */
export function tokenInfrastructure(
  { addOn, cluster }: AddOnOnCluster,
  labels: Readonly<Record<string, string>> = {},
): TokenInfrastructure {
  const metadata = (name: string) => ({
    name,
    namespace: cluster,
    labels: { ...labels, [tokenAddOnLabel]: addOn, [tokenInfrastructureLabel]: 'true' },
  });
  const name = tokenRoleName(addOn);
  return {
    serviceAccount: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(agentAccountName(addOn)) },
    role: {
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata: metadata(name),
      rules: tokenRules(addOn),
    },
    roleBinding: {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: metadata(name),
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects: clusterGroups(cluster).map((group) => ({ kind: 'Group', apiGroup: rbac, name: group })),
    },
  };
}

/** The rules of the role. OCM's gRPC server asks whether an agent may `subscribe`. */
function tokenRules(addOn: string): readonly RoleRule[] {
  const tokens = { apiGroups: [''], resources: ['serviceaccounts/token'] };
  return [
    { ...tokens, resourceNames: [agentAccountName(addOn)], verbs: ['create'] },
    { ...tokens, verbs: ['subscribe'] },
  ];
}

/** The groups of the agents of a cluster: with a certificate, and through OCM's gRPC server. */
function clusterGroups(cluster: string): readonly string[] {
  return [`${agentPrefix}${cluster}`, `open-cluster-management:${cluster}`];
}

/**
 * Returns the condition that OCM's hub sets once the objects exist. The agent reads the uid from the message.
 *
 * @param uid of the ServiceAccount
 */
export function tokenReadyCondition({ addOn, cluster }: AddOnOnCluster, uid: string) {
  return {
    type: tokenInfrastructureReady,
    status: 'True' as const,
    reason: tokenInfrastructureReady,
    message: `ServiceAccount ${cluster}/${agentAccountName(addOn)} (UID: ${uid}) is ready`,
  };
}

/** Returns the condition that OCM's hub sets while the objects cannot be written. */
export function tokenFailedCondition(error: string) {
  return {
    type: tokenInfrastructureReady,
    status: 'False' as const,
    reason: 'TokenInfrastructureApplyFailed',
    message: `Failed to apply token infrastructure: ${error}`,
  };
}

/** Returns the uid in the message of the condition, as the agent finds it; undefined if there is none. */
export function accountUidIn(message: string): string | undefined {
  return /UID: ([^)]+)\)/.exec(message)?.[1];
}

/** The fields of a status, in v1alpha1 or v1beta1, that decide how an agent registers with the hub's API server. */
export interface RegisteredStatus {
  readonly kubeClientDriver?: string;
  readonly registrations?: readonly {
    readonly signerName?: string;
    readonly kubeClient?: { readonly driver?: string };
  }[];
}

/**
 * Whether the agent registers with a token. As OCM usesTokenAuth of addontokeninfra, which reads v1alpha1 up to 1.2, and v1beta1
 * from 1.3 on: of several registrations with the hub's API server, the first one decides.
 */
export function usesToken({ kubeClientDriver, registrations = [] }: RegisteredStatus): boolean {
  const first = registrations.find(
    ({ signerName, kubeClient }) => kubeClient !== undefined || signerName === apiServerSigner,
  );
  return (first?.kubeClient?.driver ?? (first && kubeClientDriver)) === 'token';
}
