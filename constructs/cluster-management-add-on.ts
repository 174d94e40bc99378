import type { Construct } from 'constructs';
import type {
  ClusterManagementAddOnV1beta1InstallStrategy,
  ClusterManagementAddOnV1beta1PlacementStrategy,
  ClusterManagementAddOnV1beta1Spec,
} from '../schemas/types.gen.ts';
import {
  deliveryAnnotation,
  healthAnnotation,
  overrideAnnotation,
  preDeleteHooksAnnotation,
  promotedRollout,
  requiresAnnotation,
  rolloutAnnotation,
} from '../src/ocm/fleetwright-annotations.ts';
import { requirementLine, type RequiredState } from '../src/ocm/add-ons/requirements.ts';
import type { IAddOnConfig, SupportedConfig } from './add-on-config.ts';
import { toDefaultConfig } from './add-on-config.ts';
import { defined, unlessEmpty } from './defined.ts';
import type { ManagedClusterAddOnProps } from './managed-cluster-add-on.ts';
import { ManagedClusterAddOn } from './managed-cluster-add-on.ts';
import type { ClusterReference } from './managed-cluster.ts';
import { clusterName } from './managed-cluster.ts';
import type { ObjectProps } from './ocm-object.ts';
import { OcmObject } from './ocm-object.ts';
import type { OverrideMode } from './override-mode.ts';
import type { IPlacement } from './placement.ts';
import { placementOfGroup } from './placement-of-group.ts';
import type { Rollout } from './rollout.ts';
import { rememberCaller } from './source.ts';
import { lifecycleAnnotation } from '../src/ocm/lifecycle.ts';
import { checkProps } from './check-properties.ts';

/** An add-on, in this app or defined elsewhere. */
export interface IClusterManagementAddOn {
  /** Name of the add-on. */
  readonly addOnName: string;
}

/** The clusters that one Placement selects: their configuration and rollout. */
export interface PlacementStrategy {
  /** Selects the clusters. */
  readonly placement: IPlacement;

  /**
   * The configurations of these clusters, instead of the defaults. The list replaces the default of each kind that it
   * contains; it may have several objects of one kind. A cluster in several placements uses the list of the last one
   * only.
   *
   * @default - the defaults
   */
  readonly configs?: readonly IAddOnConfig[];

  /**
   * The waves in which a change reaches the clusters.
   *
   * @default Rollout.all()
   */
  readonly rollout?: Rollout;
}

/** Another add-on that an add-on requires on each of its clusters. */
export interface RequiredAddOn {
  /** The required add-on. */
  readonly addOn: IClusterManagementAddOn;

  /**
   * Whether it must be Available on a cluster before this add-on is delivered there, or only installed.
   *
   * @default 'available'
   */
  readonly state?: RequiredState;

  /**
   * The values that its customized variables must have on the cluster, by name.
   *
   * @default - any configuration
   */
  readonly variables?: Readonly<Record<string, string>>;

  /**
   * A constraint of its version, such as `>=1.14,<2`: of the label `app.kubernetes.io/version` on its template, or on its manifests.
   *
   * @default - any version
   */
  readonly version?: string;

  /**
   * A constraint of the version of its Helm chart, which the label `helm.sh/chart` names.
   *
   * @default - any version
   */
  readonly chart?: string;

  /**
   * The values that fields of its configurations must have, by the plural of the kind and the path:
   * `addondeploymentconfigs:spec.agentInstallNamespace`. With `values` instead of a plural, values of its Helm chart: `values:image.tag`.
   *
   * @default - any configuration
   */
  readonly fields?: Readonly<Record<string, string>>;
}

/** The description, configuration and placements of an add-on. */
export interface ClusterManagementAddOnProps extends ObjectProps {
  /**
   * The display name.
   *
   * @default - none
   */
  readonly displayName?: string;

  /**
   * Description of the add-on, in one sentence.
   *
   * @default - none
   */
  readonly description?: string;

  /**
   * The kinds of configuration that the add-on supports. Each entry is the default object of its kind, or
   * `AddOnConfig.supported(…)` for a kind without a default. An add-on with an AddOnTemplate among them needs no
   * manager.
   *
   * @default - the add-on has no configuration
   */
  readonly defaultConfigs?: readonly (IAddOnConfig | SupportedConfig)[];

  /**
   * The placements of the install strategy. The hub installs the add-on on the clusters that these select, and
   * uninstalls it from all others. If several select a cluster, the last one wins.
   *
   * @default - the add-on is installed on clusters with a ManagedClusterAddOn
   */
  readonly placements?: readonly PlacementStrategy[];

  /**
   * What creates the objects for the clusters. With `hub`, the addon-manager creates them after the app is applied.
   * With `compiled`, synth creates the ManagedClusterAddOn and the works of every cluster from an AddOnTemplate, as
   * the hub would, and the companion controller handles registration, certificates and health.
   *
   * @default 'hub'
   */
  readonly delivery?: 'hub' | 'compiled';

  /**
   * How the companion determines the health of an add-on with compiled delivery: from its works and the reported
   * status of its workloads, or from the Lease that its agent renews.
   *
   * @default 'works'
   */
  readonly health?: 'works' | 'lease';

  /**
   * With compiled delivery, `run` lets the companion run the pre-delete hooks of the template before the add-on leaves a cluster. The
   * companion needs `preDeleteHooks`.
   *
   * @default - hooks are not run with compiled delivery; with hub delivery the hub runs them
   */
  readonly preDeleteHooks?: 'run';

  /**
   * What installs, configures and rolls out the add-on: the hub's addon-manager, or the add-on's own manager. With
   * `unset` the annotation is left out, and hubs use the addon-manager.
   *
   * @default 'addon-manager', or 'self' with compiled delivery
   */
  readonly lifecycle?: 'addon-manager' | 'self' | 'unset';

  /**
   * The add-ons that this one requires on each of its clusters. The compiler checks it, and orders compiled delivery.
   *
   * @default - none
   */
  readonly requires?: readonly RequiredAddOn[];

  /**
   * How configurations of single clusters (`forCluster`) reach the hub. See `OverrideMode`.
   *
   * @default 'object'
   */
  readonly override?: OverrideMode;
}

/** The settings of a single cluster. */
export type ForClusterProps = Omit<ManagedClusterAddOnProps, 'addOn' | 'cluster'>;

/**
 * An add-on. The name of this object identifies it.
 *
 * @example
 * const production = new Placement(chart, 'production', { predicates: [{ labels: { env: 'prod' } }] });
 * const addOn = new ClusterManagementAddOn(chart, 'hello', { displayName: 'Hello' });
 * addOn.addPlacement({ placement: production, rollout: Rollout.progressive({ maxConcurrency: '25%' }) });
 *
 * @see https://open-cluster-management.io/docs/concepts/add-on-extensibility/addon/
 */
export class ClusterManagementAddOn extends OcmObject implements IClusterManagementAddOn {
  /** Returns a reference to an add-on that is defined elsewhere. */
  static reference(name: string): IClusterManagementAddOn {
    return { addOnName: name };
  }

  /** The display name. */
  readonly displayName: string | undefined;

  /** Description of the add-on. */
  readonly description: string | undefined;

  /** What creates the objects for the clusters. */
  readonly delivery: 'hub' | 'compiled';

  /** What installs, configures and rolls out the add-on. */
  readonly lifecycle: 'addon-manager' | 'self' | 'unset';

  private readonly defaultConfigs: (IAddOnConfig | SupportedConfig)[];
  private placements: PlacementStrategy[] | undefined;

  constructor(scope: Construct, id: string, props: ClusterManagementAddOnProps = {}) {
    checkProps({ ClusterManagementAddOn }, new.target, scope, id, props);
    const type = { apiVersion: 'addon.open-cluster-management.io/v1beta1', kind: 'ClusterManagementAddOn' };
    super(scope, id, type, props);
    this.displayName = props.displayName;
    this.description = props.description;
    this.delivery = props.delivery ?? 'hub';
    this.lifecycle = props.lifecycle ?? (this.delivery === 'compiled' ? 'self' : 'addon-manager');
    this.defaultConfigs = [...(props.defaultConfigs ?? [])];
    this.placements = props.placements && [];
    if (props.health !== undefined) this.metadata.addAnnotation(healthAnnotation, props.health);
    if (props.preDeleteHooks !== undefined)
      this.metadata.addAnnotation(preDeleteHooksAnnotation, props.preDeleteHooks);
    if (this.delivery === 'compiled') this.metadata.addAnnotation(deliveryAnnotation, 'compiled');
    if (this.lifecycle !== 'unset') this.metadata.addAnnotation(lifecycleAnnotation, this.lifecycle);
    if (props.override !== undefined) this.metadata.addAnnotation(overrideAnnotation, props.override);
    if (props.requires !== undefined && props.requires.length > 0)
      this.metadata.addAnnotation(requiresAnnotation, props.requires.map(toLine).join('\n'));
    for (const strategy of props.placements ?? []) this.addPlacement(strategy);
  }

  get addOnName(): string {
    return this.name;
  }

  /** Adds a kind of configuration that the add-on supports, with its default. */
  addDefaultConfig(config: IAddOnConfig | SupportedConfig): void {
    this.defaultConfigs.push(config);
  }

  /** Installs the add-on on more clusters. If a cluster is already selected, this placement now applies to it. */
  addPlacement(strategy: PlacementStrategy): void {
    const { rollout } = strategy;
    if (rollout?.promoted !== undefined) this.metadata.addAnnotation(rolloutAnnotation, promotedRollout);
    const entries = this.delivery === 'compiled' ? [strategy] : dividedByGroup(strategy);
    this.placements = [...(this.placements ?? []), ...entries];
  }

  /**
   * Sets the configuration of one cluster. If the add-on has placements, this does not install it: the hub deletes
   * the add-on from clusters that no placement selects.
   */
  forCluster(cluster: ClusterReference, props: ForClusterProps = {}): ManagedClusterAddOn {
    const addOn = new ManagedClusterAddOn(this, clusterName(cluster), { ...props, addOn: this, cluster });
    rememberCaller(addOn);
    return addOn;
  }

  /** @internal */
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
    // An empty list differs from no list: it uninstalls the add-on everywhere.
    if (this.placements === undefined) return { type: 'Manual' };
    return { type: 'Placements', placements: this.placements.map(toPlacementStrategy) };
  }
}

/** Returns one entry per group that a promotion releases separately. Of several that select a cluster, the last one counts. */
function dividedByGroup(strategy: PlacementStrategy): readonly PlacementStrategy[] {
  const promoted = strategy.rollout?.promoted;
  if (promoted === undefined) return [strategy];
  const groups = promoted.groups.map((group): PlacementStrategy => ({
    ...strategy,
    placement: placementOfGroup(strategy.placement, group),
    rollout: promoted.ofGroup,
  }));
  return [{ ...strategy, rollout: promoted.ofOthers }, ...groups.toReversed()];
}

function toLine({
  addOn,
  state = 'available',
  variables = {},
  version,
  chart,
  fields = {},
}: RequiredAddOn): string {
  return requirementLine({
    name: addOn.addOnName,
    state,
    variables: new Map(Object.entries(variables)),
    ...(version !== undefined && { version }),
    ...(chart !== undefined && { chart }),
    fields: Object.entries(fields).map(([field, value]) => {
      const colon = field.indexOf(':');
      return { resource: field.slice(0, colon), path: field.slice(colon + 1), value };
    }),
  });
}

function toPlacementStrategy(strategy: PlacementStrategy): ClusterManagementAddOnV1beta1PlacementStrategy {
  return defined({
    ...strategy.placement.placementReference,
    configs: unlessEmpty((strategy.configs ?? []).map((config) => config.configReference)),
    rolloutStrategy: strategy.rollout?.strategy,
  });
}
