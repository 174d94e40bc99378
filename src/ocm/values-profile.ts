/**
 * A function of addon-framework that reads a part of an AddOnDeploymentConfig as values, named as there:
 *
 * - `ToAddOnDeploymentConfigValues`: `customizedVariables` by name, and `NodeSelector`, `Tolerations`, `HTTPProxy`, `HTTPSProxy`,
 *   `NoProxy`, `ProxyCABundle` and `ResourceRequirements`. For Go templates, whose values begin with an uppercase letter.
 * - `ToAddOnNodePlacementValues`: `global.nodeSelector` and `tolerations`.
 * - `ToAddOnProxyConfigValues`: `global.proxyConfig` with `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY` and `PROXY_CA_BUNDLE`. The last
 *   two only if there is a proxy.
 * - `ToAddOnResourceRequirementsValues`: `global.resourceRequirements`, with regular expressions for container ids.
 * - `ToAddOnCustomizedVariableValues`: `customizedVariables` by name. Each value is a string.
 */
export const configConversions = [
  'ToAddOnDeploymentConfigValues',
  'ToAddOnNodePlacementValues',
  'ToAddOnProxyConfigValues',
  'ToAddOnResourceRequirementsValues',
  'ToAddOnCustomizedVariableValues',
] as const;

/** One of `configConversions`. */
export type ConfigConversion = (typeof configConversions)[number];

/** `ToImageOverrideValuesFunc`: an image, from the mirror that the AddOnDeploymentConfig has for it. */
export interface ImageOverride {
  /** The path of the value, such as `global.imageOverrides.agent`. */
  readonly imageKey: string;
  readonly image: string;
}

/**
 * A function of addon-framework that returns values for an add-on on a cluster:
 *
 * - `GetValuesFromAddonAnnotation`: the JSON object in the annotation `addon.open-cluster-management.io/values` of the
 *   ManagedClusterAddOn.
 * - `GetAddOnDeploymentConfigValues`: the conversions of the AddOnDeploymentConfig, merged in order.
 * - `GetAgentImageValues`: an image, from the mirrors of the AddOnDeploymentConfig. If none matches, from those in the annotation
 *   `open-cluster-management.io/image-registries` of the ManagedCluster.
 */
export type ValuesFunction =
  | { readonly function: 'GetValuesFromAddonAnnotation' }
  | {
      readonly function: 'GetAddOnDeploymentConfigValues';
      readonly toValues: readonly (ConfigConversion | ImageOverride)[];
    }
  | ({ readonly function: 'GetAgentImageValues' } & ImageOverride);

/** The agents of addon-framework that render manifests from values. */
export type AgentKind = 'helm' | 'template';

/** How an add-on's manager computes values, as it is built with addon-framework's `AgentAddonFactory`. */
export interface ValuesProfile {
  /** In the order of `WithGetValuesFuncs`. The values of a later function override those of an earlier one. */
  readonly functions: readonly ValuesFunction[];
  /** Whether the add-on registers: it then has the value for the Secret with the hub's kubeconfig. */
  readonly registers: boolean;
}
