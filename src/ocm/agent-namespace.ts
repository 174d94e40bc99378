import type { GoJsonObject } from '../base/json/go-json.ts';
import { namespaceOf } from '../base/objects/object-identity.ts';
import type { KubernetesMinor } from '../base/typed/minor.ts';
import { convertWorkload } from '../base/typed/workload-conversion.ts';
import type { AddOnTemplateV1alpha1 } from '../../schemas/types.gen.ts';
import { defaultInstallNamespace } from './install-namespace.ts';

/**
 * Returns the namespace of an agent without a configured one: that of the first Deployment, or else of the first DaemonSet
 * before it that has one. A manifest that Go cannot read as a Deployment or DaemonSet does not count. Variables in it are not
 * replaced. As OCM TemplateAgentRegistrationNamespaceFunc.
 *
 * @param minor the Kubernetes release whose types read the manifests
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
