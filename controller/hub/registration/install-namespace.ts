import type { AddOnDeploymentConfigV1alpha1, AddOnTemplateV1alpha1 } from '../../../schemas/types.gen.ts';

/** The default install namespace of agents. As OCM AddonDefaultInstallNamespace. */
export const defaultInstallNamespace = 'open-cluster-management-agent-addon';

/**
 * Returns `status.namespace`: the namespace of the agent on the managed cluster, which contains its credentials. That
 * of the deployment configuration, else of the first Deployment, else of the first DaemonSet before it that has one.
 * As OCM TemplateAgentRegistrationNamespaceFunc.
 */
export function installNamespace(
  template: AddOnTemplateV1alpha1,
  deploymentConfig: AddOnDeploymentConfigV1alpha1 | undefined,
): string {
  const configured = deploymentConfig?.spec.agentInstallNamespace ?? '';
  if (configured !== '') return configured;
  let ofDaemonSet = '';
  for (const manifest of template.spec.agentSpec.workload?.manifests ?? []) {
    const { apiVersion, kind, metadata } = manifest as ManifestIdentity;
    if (typeof apiVersion !== 'string' || !apiVersion.startsWith('apps/')) continue;
    const namespace = metadata?.namespace ?? '';
    if (kind === 'Deployment') return namespace || ofDaemonSet || defaultInstallNamespace;
    if (kind === 'DaemonSet') ofDaemonSet ||= namespace;
  }
  return ofDaemonSet || defaultInstallNamespace;
}

interface ManifestIdentity {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly metadata?: { readonly namespace?: string };
}
