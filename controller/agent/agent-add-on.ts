import type { ManagedClusterAddOnV1alpha1 } from '../../schemas/types.gen.ts';

/** Where OCM installs agents that say nothing else. */
const defaultNamespace = 'open-cluster-management-agent-addon';

/** The add-on that an agent looks after. */
export interface AgentAddOn {
  readonly name: string;
  /** Of the managed cluster, on the hub. */
  readonly cluster: string;
  /** Where it is installed, where that was said. */
  readonly namespace: string | undefined;
}

/** Where the add-on is installed: as it was said, else as the hub says. As addonInstallNamespace of OCM's registration agent. */
export function agentNamespace(
  { namespace }: AgentAddOn,
  { spec, status }: Pick<ManagedClusterAddOnV1alpha1, 'spec' | 'status'>,
): string {
  return [namespace, status?.namespace, spec.installNamespace].find(Boolean) ?? defaultNamespace;
}
