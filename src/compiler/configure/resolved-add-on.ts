import type { ManagedClusterAddOnV1beta1 } from '../../../schemas/types.gen.ts';
import type { FieldPath } from '../model/field-path.ts';
import type { AddOnClusters } from './add-on-clusters.ts';
import type { Delivery } from './delivery.ts';
import type { Admitted } from '../model/inventory.ts';
import type { Origin } from '../model/origin.ts';
import type { ConfigKind, ReadPosition } from '../../ocm/referent.ts';

/** One configuration object that an add-on uses, in the form that the hub's statuses use. */
export interface ConfigReference {
  /** API group. Empty for the core group. */
  readonly group: string;
  /** The plural: `addondeploymentconfigs`. */
  readonly resource: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
  /** Lower-case hex SHA-256 of everything except metadata and status. Empty if the hub has none. */
  readonly specHash: string;
}

/** The level at which a reference was written. */
export type Level = 'default' | 'placement' | 'cluster';

/** A reference and its location. */
export interface Candidate {
  readonly reference: ConfigReference;
  readonly level: Level;
  /** `namespace/name` of the install strategy's placement, for level `placement`. */
  readonly placement?: string;
  /** The object that names it, and the field: `origin.locate(path)` returns the location. */
  readonly origin: Origin;
  readonly path: FieldPath;
}

/** The reason why a candidate is not used. */
export type LossReason =
  /** A later level names the same group and resource. Lists are replaced as a whole. */
  | 'replaced by placement'
  | 'replaced by cluster'
  /** If several placements select the cluster, only the last one in the install strategy counts. */
  | 'placement is not the last';

/** A configuration that another one replaced, and why. */
export interface Loser extends Candidate {
  readonly reason: LossReason;
}

/** The configuration of one group and resource: the candidates that count, in the hub's order, and those that lost. */
export interface EffectiveKind {
  readonly group: string;
  readonly resource: string;
  /** In the order of the hub's status. */
  readonly winners: readonly Candidate[];
  readonly losers: readonly Loser[];
}

/**
 * The configuration of one add-on after default < install strategy < cluster. Clusters with equal configuration share the same
 * object, so that they can be grouped by identity.
 */
export interface EffectiveConfiguration {
  /** Sorted by group, then resource. */
  readonly kinds: readonly EffectiveKind[];
  /** `status.configReferences` of the ManagedClusterAddOn: the winners of all kinds in order. */
  readonly references: readonly ConfigReference[];
  /** Which of several configurations of one kind the renderer of the add-on reads. */
  readonly reads: ReadPosition;
}

/** One add-on on one cluster. */
export interface ClusterAddOn {
  readonly cluster: string;
  /** The placements of the install strategy that select the cluster, in spec order. The last one counts. */
  readonly placements: readonly string[];
  readonly effective: EffectiveConfiguration;
  /** The ManagedClusterAddOn that the user wrote for this cluster. */
  readonly managedClusterAddOn?: Admitted<ManagedClusterAddOnV1beta1>;
  /** The reason why its own manager has not discovered the hosting cluster. It creates and changes nothing before. */
  readonly awaitsHosting?: string;
}

/** An entry of a ClusterManagementAddOn's `status.installProgressions`, as the hub writes it. */
export interface InstallProgression {
  readonly namespace: string;
  readonly name: string;
  readonly references: readonly ConfigReference[];
}

/** One add-on, resolved for the whole fleet. */
export interface ResolvedAddOn {
  readonly name: string;
  /** The component that delivers it. With compiled delivery, it is resolved as the hub would resolve it. */
  readonly delivery: Delivery;
  /** `lease` if the companion derives the health from a Lease that the agent renews, and not from the reports of works. */
  readonly health?: 'lease';
  /** Whether the companion runs the pre-delete hooks of its template. */
  readonly runsHooks?: true;
  /**
   * Whether its content on clusters is known. False if the lifecycle annotation excludes it from the hub's addon-manager and no
   * compiler delivers it instead.
   */
  readonly managed: boolean;
  /** `status.supportedConfigs` of its ManagedClusterAddOns, after a controller has processed them. */
  readonly supportedConfigs: readonly Required<ConfigKind>[];
  /** Present if the ClusterManagementAddOn is on the hub and not from Git. Changes to it do not come from the app. */
  readonly isHubOwned?: true;
  /** Whether it is created from templates: its ClusterManagementAddOn lists `addontemplates`, or it is compiled. */
  readonly template: boolean;
  /** Which of several configurations of one kind its renderer reads: that of the hub, of the compiler or of its own manager. */
  readonly reads: ReadPosition;
  /**
   * The reason why the hub configures no cluster of this add-on: one fault stops the whole ClusterManagementAddOn. Installed
   * add-ons keep their configuration, new ones get none.
   */
  readonly stalled?: string;
  /**
   * Placements of the install strategy, by `namespace/name`, that the hub may have and the inputs do not. The clusters on which
   * they install the add-on are unknown, except for clusters that already have a ManagedClusterAddOn.
   */
  readonly undecided?: readonly string[];
  readonly defaultReferences: readonly ConfigReference[];
  readonly progressions: readonly InstallProgression[];
  /** Every cluster that has the add-on once the hub is idle. */
  readonly clusters: AddOnClusters;
}

/** All add-ons, sorted by name. */
export type Configuration = ReadonlyMap<string, ResolvedAddOn>;
