import { getOrInsertComputed } from '../../../base/collections/get-or-insert.ts';
import type { AddOnDeploymentConfigV1alpha1, AddOnTemplateV1alpha1 } from '../../../../schemas/types.gen.ts';
import { agentNamespace } from '../../../ocm/agent-namespace.ts';

const namespaces = new WeakMap<AddOnTemplateV1alpha1, string>();

/**
 * Returns `status.namespace`: the namespace of the agent on the managed cluster, which contains its credentials. That
 * of the deployment configuration, else that of the template.
 */
export function installNamespace(
  template: AddOnTemplateV1alpha1,
  deploymentConfig: AddOnDeploymentConfigV1alpha1 | undefined,
): string {
  const configured = deploymentConfig?.spec.agentInstallNamespace ?? '';
  if (configured !== '') return configured;
  // All clusters with a template have the same namespace, and its manifests can be large.
  return getOrInsertComputed(namespaces, template, () => agentNamespace(template, 35));
}
