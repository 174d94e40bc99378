import type { Construct } from 'constructs';
import { ApiObject } from './api-object.ts';
import type { IClusterManagementAddOn } from './cluster-management-add-on.ts';
import { defined } from './defined.ts';
import { toWrittenValues, type LayerValues, type ParametersByName } from './layer-values.ts';
import type { IManagedClusterSet } from './managed-cluster-set.ts';
import { clusterName, type ClusterReference } from './managed-cluster.ts';
import { NamespacedObject, type NamespacedObjectProps } from './ocm-object.ts';
import type { IPlacement } from './placement.ts';
import { toLabelSelector, type SelectorLike } from './selector.ts';
import { rememberCaller } from './source.ts';
import { checkProps } from './check-properties.ts';

/** The parameters of an add-on. */
export interface AddOnParametersProps<Parameters extends ParametersByName> extends Omit<
  NamespacedObjectProps,
  'name'
> {
  /** The add-on. It must be in the same app. */
  readonly addOn: IClusterManagementAddOn;

  /** The parameters by name. A parameter without another target is a customized variable of this name. */
  readonly parameters: Parameters;

  /**
   * Values on all clusters, as `forEveryCluster`.
   *
   * @default - the defaults of the parameters
   */
  readonly values?: LayerValues<Parameters>;

  /**
   * Number of earlier AddOnDeploymentConfigs that `synth` keeps in its output, for clusters in later waves and for a rollback.
   *
   * @default 2
   */
  readonly revisionHistoryLimit?: number;
}

/** Selects clusters by their properties. All conditions must match. */
export interface ClusterCondition {
  /** @default - any labels */
  readonly labels?: SelectorLike;
  /** @default - any claims */
  readonly claims?: SelectorLike;
  /** The cluster is in one of these sets. @default - any set */
  readonly sets?: readonly [IManagedClusterSet, ...IManagedClusterSet[]];
}

const parametersApiVersion = 'fleetwright.dev/v1alpha1';

/**
 * The parameters of an add-on and the layers that set them. `synth` compiles both to AddOnDeploymentConfigs and adds the references
 * to the add-on. A stronger layer replaces single values of a weaker one. From weak to strong: defaults, the hub, every cluster,
 * placements in install-strategy order, `where` in the order of the calls, single clusters.
 *
 * @typeParam Parameters - inferred from the props
 *
 * @example
 * const parameters = new AddOnParameters(chart, 'parameters', {
 *   addOn: ClusterManagementAddOn.reference('logs'),
 *   parameters: {
 *     LOG_LEVEL: Parameter.enum(['debug', 'info'], { default: 'info' }),
 *     REPLICAS: Parameter.integer({ default: 2, min: 0 }),
 *   },
 * });
 * parameters.where({ region: 'eu' }, { REPLICAS: 3 });
 * parameters.forCluster('cluster1', { LOG_LEVEL: 'debug' });
 */
export class AddOnParameters<const Parameters extends ParametersByName> extends NamespacedObject {
  private readonly addOnName: string;
  private readonly parameters: Parameters;
  private readonly limit: number | undefined;
  private layers = 0;

  constructor(scope: Construct, id: string, props: AddOnParametersProps<Parameters>) {
    checkProps({ AddOnParameters }, new.target, scope, id, props);
    const { addOn, parameters, values, revisionHistoryLimit, ...common } = props;
    const type = { apiVersion: parametersApiVersion, kind: 'AddOnParameters' };
    super(scope, id, type, { ...common, name: addOn.addOnName });
    this.addOnName = addOn.addOnName;
    this.parameters = parameters;
    this.limit = revisionHistoryLimit;
    if (values !== undefined) rememberCaller(this.layer({}, values));
  }

  /** Sets values on all clusters of the add-on. */
  forEveryCluster(values: LayerValues<Parameters>): void {
    rememberCaller(this.layer({}, values));
  }

  /** Sets values on the clusters of one hub of fleetwright.yaml. They are weaker than those of `forEveryCluster`. */
  forHub(hub: string, values: LayerValues<Parameters>): void {
    rememberCaller(this.layer({ hub }, values));
  }

  /** Sets values on the clusters that a placement of the install strategy selects. */
  forPlacement(placement: IPlacement, values: LayerValues<Parameters>): void {
    const { namespace, name } = placement.placementReference;
    rememberCaller(this.layer({ placement: `${namespace}/${name}` }, values));
  }

  /** Sets values on clusters by their labels, claims and sets. Of two calls that match a cluster, the later one is stronger. */
  where(condition: SelectorLike | ClusterCondition, values: LayerValues<Parameters>): void {
    rememberCaller(this.layer({ ...toScope(condition), order: this.layers }, values));
  }

  /** Sets values on one cluster. */
  forCluster(cluster: ClusterReference, values: LayerValues<Parameters>): void {
    rememberCaller(this.layer({ cluster: clusterName(cluster) }, values));
  }

  /** @internal */
  protected override toSpec(): object {
    return defined({
      parameters: Object.fromEntries(
        Object.entries(this.parameters).map(([name, { declaration }]) => [name, declaration]),
      ),
      revisionHistoryLimit: this.limit,
    });
  }

  /** Each layer is an object, so that reports name the line of its call. */
  private layer(scope: object, values: LayerValues<Parameters>): ApiObject {
    const id = `layer-${this.layers++}`;
    return new ApiObject(this, id, {
      apiVersion: parametersApiVersion,
      kind: 'AddOnValues',
      metadata: { name: `${this.addOnName}-${id}` },
      spec: { addOn: this.addOnName, layers: [{ ...scope, values: toWrittenValues(values) }] },
    });
  }
}

function toScope(condition: SelectorLike | ClusterCondition): object {
  if (!isCondition(condition)) return { where: toLabelSelector(condition) };
  const { labels, claims, sets } = condition;
  return defined({
    where: labels && toLabelSelector(labels),
    claims: claims && toLabelSelector(claims),
    sets: sets?.map(({ clusterSetName }) => clusterSetName),
  });
}

/** A label is a text, and a selector is an object with other members. */
function isCondition(value: SelectorLike | ClusterCondition): value is ClusterCondition {
  const entries = Object.entries(value);
  return (
    entries.length > 0 &&
    entries.every(([key, of]) => ['labels', 'claims', 'sets'].includes(key) && typeof of === 'object')
  );
}
