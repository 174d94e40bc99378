const name = /^[a-zA-Z_][_a-zA-Z0-9]*$/;

/**
 * Variables that the hub replaces in the manifests of an AddOnTemplate. They work in text only, and what is
 * not set becomes empty.
 *
 * @see
 * https://open-cluster-management.io/docs/developer-guides/addon/#using-addontemplate-to-create-an-add-on
 */
export const Variable = {
  /** The name of the managed cluster. */
  clusterName: '{{CLUSTER_NAME}}',

  /**
   * The namespace that the AddOnDeploymentConfig says. It is empty where there is none, or where it leaves
   * the objects in the namespaces of the template.
   */
  installNamespace: '{{INSTALL_NAMESPACE}}',

  /**
   * The file in which containers find the kubeconfig of the hub. It is empty for templates without
   * registration.
   */
  hubKubeconfig: '{{HUB_KUBECONFIG}}',

  /** A variable that AddOnDeploymentConfigs set: letters, digits and underscores, no digit first. */
  custom(variable: string): string {
    if (!name.test(variable))
      throw new Error(`'${variable}' is no name of a variable: use letters, digits and _`);
    return `{{${variable}}}`;
  },
} as const;
