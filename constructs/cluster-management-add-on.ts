import type { Construct } from 'constructs';
import type {
  ClusterManagementAddOnV1beta1InstallStrategy,
  ClusterManagementAddOnV1beta1PlacementStrategy,
  ClusterManagementAddOnV1beta1Spec,
} from '../schemas/types.gen.ts';
import { deliveryAnnotation, healthAnnotation, overrideAnnotation } from '../schemas/own-annotations.ts';
import type { IAddOnConfig, SupportedConfig } from './add-on-config.ts';
import { toDefaultConfig } from './add-on-config.ts';
import { checkConfigs, checkPlacement } from './checked-prop.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { ManagedClusterAddOnProps } from './managed-cluster-add-on.ts';
import { ManagedClusterAddOn } from './managed-cluster-add-on.ts';
import type { ClusterReference } from './managed-cluster.ts';
import { clusterName } from './managed-cluster.ts';
import type { ObjectProps } from './ocm-object.ts';
import { OcmObject } from './ocm-object.ts';
import type { OverrideMode } from './override-mode.ts';
import type { IPlacement } from './placement.ts';
import type { Rollout } from './rollout.ts';
import { rememberCaller } from './source.ts';

/** An add-on, wherever it is defined. */
export interface IClusterManagementAddOn {
  /** Its name. */
  readonly addOnName: string;
}

/** The clusters that one Placement selects: what they use, and how a change of it reaches them. */
export interface PlacementStrategy {
  /** Selects the clusters. */
  readonly placement: IPlacement;

  /**
   * What these clusters use instead of the defaults. The list replaces the default of each kind that is in
   * it; several objects of one kind may be in it. A cluster in several placements has this from the last of
   * them alone.
   *
   * @default - the defaults
   */
  readonly configs?: readonly IAddOnConfig[];

  /**
   * In which waves a change reaches the clusters.
   *
   * @default Rollout.all()
   */
  readonly rollout?: Rollout;
}

/** What an add-on is, how it is configured and where it is installed. */
export interface ClusterManagementAddOnProps extends ObjectProps {
  /**
   * The name that is shown to people.
   *
   * @default - none
   */
  readonly displayName?: string;

  /**
   * What the add-on is for, in a sentence.
   *
   * @default - none
   */
  readonly description?: string;

  /**
   * The kinds of configuration that the add-on understands: for each the object that is used where nothing
   * else is said, or `AddOnConfig.supported(…)` where there is no such object. An add-on with an
   * AddOnTemplate among them needs no manager of its own.
   *
   * @default - the add-on has no configuration
   */
  readonly defaultConfigs?: readonly (IAddOnConfig | SupportedConfig)[];

  /**
   * Installs the add-on on the clusters that these select, and uninstalls it from all others. Where a cluster
   * is in several of them, the last one holds.
   *
   * @default - the add-on is installed where a ManagedClusterAddOn is created for it
   */
  readonly placements?: readonly PlacementStrategy[];

  /**
   * Who makes what the add-on puts on clusters. The hub's addon-manager makes it when these objects are applied. With
   * `compiled`, synth makes the ManagedClusterAddOn and the works of every cluster, from an AddOnTemplate as the hub would,
   * and the companion controller sees to registration, certificates and health.
   *
   * @default 'hub'
   */
  readonly delivery?: 'hub' | 'compiled';

  /**
   * How the companion finds out whether an add-on with compiled delivery is well: from its works and what is
   * reported of its workloads, or by the Lease that its agent renews.
   *
   * @default 'works'
   */
  readonly health?: 'works' | 'lease';

  /**
   * Who installs, configures and rolls out the add-on: the hub's addon-manager, or a manager of the add-on's
   * own. With `unset` the object does not say it, which hubs take for the addon-manager.
   *
   * @default 'addon-manager', or 'self' with compiled delivery
   */
  readonly lifecycle?: 'addon-manager' | 'self' | 'unset';

  /**
   * How configurations of single clusters (`forCluster`) go to the hub. See `OverrideMode`.
   *
   * @default 'object'
   */
  readonly override?: OverrideMode;
}

/** What one cluster has of its own. */
export type ForClusterProps = Omit<ManagedClusterAddOnProps, 'addOn' | 'cluster'>;

/**
 * An add-on. It is known by the name of this object.
 *
 * @see https://open-cluster-management.io/docs/concepts/add-on-extensibility/addon/
 */
export class ClusterManagementAddOn extends OcmObject implements IClusterManagementAddOn {
  /** An add-on that is defined elsewhere. */
  static reference(name: string): IClusterManagementAddOn {
    return { addOnName: name };
  }

  /** The name that is shown to people. */
  readonly displayName: string | undefined;

  /** What the add-on is for. */
  readonly description: string | undefined;

  /** Who makes what the add-on puts on clusters. */
  readonly delivery: 'hub' | 'compiled';

  /** Who installs, configures and rolls out the add-on. */
  readonly lifecycle: 'addon-manager' | 'self' | 'unset';

  private readonly defaultConfigs: (IAddOnConfig | SupportedConfig)[];
  private placements: PlacementStrategy[] | undefined;

  constructor(scope: Construct, id: string, props: ClusterManagementAddOnProps = {}) {
    const type = { apiVersion: 'addon.open-cluster-management.io/v1beta1', kind: 'ClusterManagementAddOn' };
    super(scope, id, type, props);
    this.displayName = props.displayName;
    this.description = props.description;
    this.delivery = props.delivery ?? 'hub';
    this.lifecycle = props.lifecycle ?? (this.delivery === 'compiled' ? 'self' : 'addon-manager');
    this.defaultConfigs = [...(props.defaultConfigs ?? [])];
    for (const strategy of props.placements ?? []) checkStrategy(strategy);
    this.placements = props.placements && [...props.placements];
    if (props.health !== undefined) this.metadata.addAnnotation(healthAnnotation, props.health);
    if (this.delivery === 'compiled') this.metadata.addAnnotation(deliveryAnnotation, 'compiled');
    if (this.lifecycle !== 'unset')
      this.metadata.addAnnotation('addon.open-cluster-management.io/lifecycle', this.lifecycle);
    if (props.override !== undefined) this.metadata.addAnnotation(overrideAnnotation, props.override);
  }

  get addOnName(): string {
    return this.name;
  }

  /** Adds a kind of configuration that the add-on understands, with its default. */
  addDefaultConfig(config: IAddOnConfig | SupportedConfig): void {
    this.defaultConfigs.push(config);
  }

  /**
   * Installs the add-on on further clusters. Where clusters are selected already, this holds for them from
   * now on.
   */
  addPlacement(strategy: PlacementStrategy): void {
    checkStrategy(strategy);
    this.placements = [...(this.placements ?? []), strategy];
  }

  /**
   * Gives one cluster configuration of its own. Where the add-on has placements, this does not install it:
   * the hub deletes what the placements do not select.
   */
  forCluster(cluster: ClusterReference, props: ForClusterProps = {}): ManagedClusterAddOn {
    const addOn = new ManagedClusterAddOn(this, clusterName(cluster), { ...props, addOn: this, cluster });
    rememberCaller(addOn);
    return addOn;
  }

  protected override toSpec(): ClusterManagementAddOnV1beta1Spec {
    const { displayName, description } = this;
    const addOnMeta =
      displayName === undefined && description === undefined ? undefined : { displayName, description };
    return defined({
      addOnMeta: addOnMeta && defined(addOnMeta),
      defaultConfigs: unlessEmpty(this.defaultConfigs.map(toDefaultConfig)),
      installStrategy: this.installStrategy(),
    });
  }

  private installStrategy(): ClusterManagementAddOnV1beta1InstallStrategy {
    // An empty list is not the same as none: it uninstalls the add-on everywhere.
    if (this.placements === undefined) return { type: 'Manual' };
    return { type: 'Placements', placements: this.placements.map(toPlacementStrategy) };
  }
}

/** @throws Error for values of other types, which only a type check would find. */
function checkStrategy({ placement, configs = [] }: PlacementStrategy): void {
  checkPlacement(placement);
  checkConfigs(configs, 'configs');
}

function toPlacementStrategy(strategy: PlacementStrategy): ClusterManagementAddOnV1beta1PlacementStrategy {
  return defined({
    ...strategy.placement.placementReference,
    configs: unlessEmpty((strategy.configs ?? []).map((config) => config.configReference)),
    rolloutStrategy: strategy.rollout?.strategy,
  });
}
