import type { ConfigConversion, ImageOverride, ValuesFunction as Called } from '../src/ocm/values-profile.ts';

/**
 * A function of addon-framework that returns values for a chart or for Go templates. The values of a later function override
 * those of an earlier one.
 *
 * @example
 * const template = new AddOnTemplate(chart, 'agent-1.0.0', {
 *   addonName: 'agent',
 *   workload: (workload) => {
 *     new HelmChart(workload, 'agent', {
 *       chart: new URL('chart', import.meta.url),
 *       valuesFunctions: [
 *         ValuesFunction.fromDeploymentConfig('ToAddOnNodePlacementValues', 'ToAddOnCustomizedVariableValues'),
 *         ValuesFunction.fromAnnotation(),
 *       ],
 *     });
 *   },
 * });
 *
 * @see
 * https://pkg.go.dev/open-cluster-management.io/addon-framework/pkg/addonfactory
 */
export class ValuesFunction {
  /** The values of an AddOnDeploymentConfig, by conversions in order. As `GetAddOnDeploymentConfigValues`. */
  static fromDeploymentConfig(...toValues: readonly (ConfigConversion | ImageOverride)[]): ValuesFunction {
    return new ValuesFunction({ function: 'GetAddOnDeploymentConfigValues', toValues });
  }

  /**
   * The JSON object in the annotation `addon.open-cluster-management.io/values` of a ManagedClusterAddOn. As
   * `GetValuesFromAddonAnnotation`.
   */
  static fromAnnotation(): ValuesFunction {
    return new ValuesFunction({ function: 'GetValuesFromAddonAnnotation' });
  }

  /**
   * An image, from the mirrors of the AddOnDeploymentConfig, else from those of the ManagedCluster. As `GetAgentImageValues`.
   *
   * @param imageKey - the path of the value, such as `global.imageOverrides.agent`
   */
  static agentImage(imageKey: string, image: string): ValuesFunction {
    return new ValuesFunction({ function: 'GetAgentImageValues', imageKey, image });
  }

  /** @internal */
  readonly called: Called;

  private constructor(called: Called) {
    this.called = called;
  }
}
