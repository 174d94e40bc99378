import type { ManagedClusterAddOnV1alpha1 } from '../../../schemas/types.gen.ts';
import { defaultInstallNamespace } from '../../ocm/install-namespace.ts';

/** The add-on of an agent. */
export interface AgentAddOn {
  readonly name: string;
  /** The name of the managed cluster on the hub. */
  readonly cluster: string;
  /** The namespace in which it is installed, if it is configured. */
  readonly namespace: string | undefined;
}

/**
 * Returns the namespace in which the add-on is installed: the configured one, otherwise that of the hub. As
 * addonInstallNamespace of OCM's registration agent.
 */
export function agentNamespace(
  { namespace }: AgentAddOn,
  { spec, status }: Pick<ManagedClusterAddOnV1alpha1, 'spec' | 'status'>,
): string {
  return [namespace, status?.namespace, spec.installNamespace].find(Boolean) ?? defaultInstallNamespace;
}
