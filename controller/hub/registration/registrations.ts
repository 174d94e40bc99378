import type {
  AddOnTemplateV1alpha1,
  AddOnTemplateV1alpha1Subject,
  ManagedClusterAddOnV1alpha1RegistrationConfig,
} from '../../../schemas/types.gen.ts';

type Registration = ManagedClusterAddOnV1alpha1RegistrationConfig;

/** The signer of client certificates for the hub's API server. As certificates/v1 KubeAPIServerClientSignerName. */
export const apiServerSigner = 'kubernetes.io/kube-apiserver-client';

/** Whether a signer is Kubernetes' own, whose certificates are signed elsewhere. */
export function isKubernetesSigner(signerName: string): boolean {
  return /^(?:[^/]*\.)?(?:kubernetes|k8s)\.io\//.test(signerName);
}

/** Identifies an add-on on a cluster. */
export interface AddOnOnCluster {
  readonly addOn: string;
  readonly cluster: string;
}

/**
 * Returns the user of an agent on the hub if it has a certificate. As addon-framework DefaultUser, with the agents of
 * templates.
 */
export function agentUser({ addOn, cluster }: AddOnOnCluster): string {
  return `system:open-cluster-management:cluster:${cluster}:addon:${addOn}:agent:${addOn}-agent`;
}

/** Returns the user of an agent on the hub if it has a token. As OCM's token driver. */
export function tokenUser({ addOn, cluster }: AddOnOnCluster): string {
  return `system:serviceaccount:${cluster}:${addOn}-agent`;
}

/**
 * Returns `status.registrations` of an add-on on a cluster, one entry per signer, according to its template. With
 * tokens, the agent is a ServiceAccount. As OCM TemplateCSRConfigurationsFunc and addon-framework
 * buildRegistrationConfigs.
 *
 * @param driver `status.kubeClientDriver`, which the cluster's agent writes
 */
export function registrationsFor(
  template: AddOnTemplateV1alpha1,
  onCluster: AddOnOnCluster,
  driver: 'csr' | 'token' | undefined,
): readonly Registration[] {
  const bySigner = new Map<string, Registration>();
  for (const { type, customSigner } of template.spec.registration ?? []) {
    if (type === 'KubeClient' && !bySigner.has(apiServerSigner)) {
      const subject = driver === 'token' ? { user: tokenUser(onCluster) } : defaultSubject(onCluster);
      bySigner.set(apiServerSigner, { signerName: apiServerSigner, subject });
    }
    if (type !== 'CustomSigner' || customSigner === undefined || bySigner.has(customSigner.signerName))
      continue;
    const { signerName, subject } = customSigner;
    bySigner.set(signerName, {
      signerName,
      subject: subject === undefined ? defaultSubject(onCluster) : written(subject),
    });
  }
  return [...bySigner.values()];
}

/** As addon-framework DefaultUser and DefaultGroups. */
function defaultSubject(onCluster: AddOnOnCluster): Registration['subject'] & object {
  const { addOn, cluster } = onCluster;
  return {
    user: agentUser(onCluster),
    groups: [
      `system:open-cluster-management:cluster:${cluster}:addon:${addOn}`,
      `system:open-cluster-management:addon:${addOn}`,
    ],
  };
}

/** Returns a subject as Go writes it: without empty lists. */
function written({
  user = '',
  groups = [],
  organizationUnit = [],
}: AddOnTemplateV1alpha1Subject): Registration['subject'] & object {
  return {
    user,
    ...(groups.length > 0 && { groups }),
    ...(organizationUnit.length > 0 && { organizationUnit }),
  };
}
