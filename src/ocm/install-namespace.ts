/** The default namespace of agents on managed clusters. As OCM AddonDefaultInstallNamespace. */
export const defaultInstallNamespace = 'open-cluster-management-agent-addon';
