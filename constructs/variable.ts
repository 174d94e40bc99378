const name = /^[a-zA-Z_][_a-zA-Z0-9]*$/;

/**
 * Variables that the hub replaces in the manifests of an AddOnTemplate. They work in text only. An unset variable
 * becomes empty.
 *
 * @example
 * new ApiObject(chart, 'settings', {
 *   apiVersion: 'v1',
 *   kind: 'ConfigMap',
 *   data: { cluster: Variable.clusterName, level: Variable.custom('LOG_LEVEL') },
 * });
 *
 * @see
 * https://open-cluster-management.io/docs/developer-guides/addon/#using-addontemplate-to-create-an-add-on
 */
export const Variable = {
  /** The name of the managed cluster. */
  clusterName: '{{CLUSTER_NAME}}',

  /**
   * The namespace in the AddOnDeploymentConfig. It is empty without an AddOnDeploymentConfig, or if that leaves the
   * objects in the namespaces of the template.
   */
  installNamespace: '{{INSTALL_NAMESPACE}}',

  /** The file of the hub's kubeconfig in containers. It is empty for templates without registration. */
  hubKubeconfig: '{{HUB_KUBECONFIG}}',

  /**
   * Returns a variable that AddOnDeploymentConfigs set. The name has letters, digits and underscores, and does not
   * begin with a digit.
   */
  custom(variable: string): string {
    if (!name.test(variable))
      throw new Error(`'${variable}' is no name of a variable: use letters, digits and _`);
    return `{{${variable}}}`;
  },
} as const;
