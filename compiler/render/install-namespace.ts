import type { AddOnTemplateV1alpha1 } from '../../schemas/types.gen.ts';
import type { GoJsonObject } from '../../encoding/go-json.ts';
import type { KubernetesMinor } from '../hub-version.ts';
import { convertWorkload } from './workload-conversion.ts';
import { namespaceOf } from './object-identity.ts';

/** The default namespace of agents. As OCM AddonDefaultInstallNamespace. */
export const defaultInstallNamespace = 'open-cluster-management-agent-addon';

/**
 * Returns the assumed namespace of an agent without a configured one: that of the first Deployment, or else of the first
 * DaemonSet before it that has one. Variables in it are not replaced. As OCM TemplateAgentRegistrationNamespaceFunc.
 */
export function agentNamespace(template: AddOnTemplateV1alpha1, minor: KubernetesMinor): string {
  let ofDaemonSet = '';
  for (const manifest of template.spec.agentSpec.workload?.manifests ?? []) {
    const workload = convertWorkload(manifest as unknown as GoJsonObject, minor);
    if (workload === undefined) continue;
    const namespace = namespaceOf(workload.object);
    if (workload.workload === 'deployments') return namespace || ofDaemonSet || defaultInstallNamespace;
    ofDaemonSet ||= namespace;
  }
  return ofDaemonSet || defaultInstallNamespace;
}
