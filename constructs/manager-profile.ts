import type { Construct } from 'constructs';
import { ApiObject } from './api-object.ts';
import type { IClusterManagementAddOn } from './cluster-management-add-on.ts';
import { defined } from './defined.ts';
import { chartSpec, templatesSpec, type GoTemplatesProps, type ManagerChartProps } from './helm-chart.ts';
import { checkProps } from './check-properties.ts';

/** How the manager of an add-on renders its manifests. Exactly one of `helmChart` and `goTemplates` is required. */
export interface ManagerProfileProps {
  /** The add-on that the manager renders. */
  readonly addOn: IClusterManagementAddOn;

  /**
   * The chart of the manager, and the functions that it passes to `WithGetValuesFuncs`. For a manager that is built with
   * `BuildHelmAgentAddon`.
   *
   * @default - none
   */
  readonly helmChart?: ManagerChartProps;

  /**
   * The templates of the manager, and the functions that it passes to `WithGetValuesFuncs`. For a manager that is built with
   * `BuildTemplateAgentAddon`.
   *
   * @default - none
   */
  readonly goTemplates?: GoTemplatesProps;

  /**
   * Whether the agent registers at the hub, so that the values name the Secret with its kubeconfig.
   *
   * @default true
   */
  readonly registers?: boolean;

  /**
   * The release of addon-framework that the manager is built with, such as `1.3` or `1.4`. Of several configurations of one kind, 1.4
   * and later read the last, earlier releases the first.
   *
   * @default - unknown: the first is predicted, and several configurations are reported
   */
  readonly framework?: string;
}

/**
 * How the manager of an add-on renders its manifests with addon-framework, so that `render`, `explain` and `plan` predict them.
 * Nothing is emitted for it, because the manager renders the add-on.
 *
 * @example
 * new ManagerProfile(chart, 'work-manager-profile', {
 *   addOn: ClusterManagementAddOn.reference('work-manager'),
 *   helmChart: {
 *     chart: new URL('chart', import.meta.url),
 *     valuesFunctions: [
 *       ValuesFunction.fromAnnotation(),
 *       ValuesFunction.fromDeploymentConfig('ToAddOnNodePlacementValues', 'ToAddOnProxyConfigValues'),
 *     ],
 *   },
 * });
 */
export class ManagerProfile extends ApiObject {
  /** @throws {Error} if the chart or the templates cannot be read, or if both or none of them are given */
  constructor(scope: Construct, id: string, props: ManagerProfileProps) {
    checkProps({ ManagerProfile }, new.target, scope, id, props);
    const { addOn, helmChart, goTemplates, registers, framework } = props;
    if ((helmChart === undefined) === (goTemplates === undefined))
      throw new Error(`${scope.node.path}/${id}: a ManagerProfile needs either helmChart or goTemplates`);
    super(scope, id, {
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'ManagerProfile',
      metadata: { name: addOn.addOnName },
      spec: defined({
        registers,
        framework,
        helmChart: helmChart && chartSpec(helmChart),
        goTemplates: goTemplates && templatesSpec(goTemplates),
      }),
    });
  }
}
