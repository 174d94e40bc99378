import type { ManagedClusterAddOnV1beta1 } from '../../schemas/types.gen.ts';
import type { FieldPath } from '../field-path.ts';
import type { Delivery } from './delivery.ts';
import type { Admitted } from '../inventory.ts';
import type { Origin } from '../origin.ts';
import type { ConfigKind } from '../api/referent.ts';

/** One configuration object that an add-on uses, as the hub's statuses name it. */
export interface ConfigReference {
  /** API group; empty for the core group. */
  readonly group: string;
  /** The plural: `addondeploymentconfigs`. */
  readonly resource: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  readonly name: string;
  /** Lower-case hex SHA-256 of everything but metadata and status; empty where the hub has none. */
  readonly specHash: string;
}

/** Which of the three places a reference was written in. */
export type Level = 'default' | 'placement' | 'cluster';

/** A reference and where it was written. */
export interface Candidate {
  readonly reference: ConfigReference;
  readonly level: Level;
  /** `namespace/name` of the install strategy's placement, for level `placement`. */
  readonly placement?: string;
  /** The object that names it, and the field: `origin.locate(path)` gives the place. */
  readonly origin: Origin;
  readonly path: FieldPath;
}

/** Why a candidate is not used. */
export type LossReason =
  /** A later level names the same group and resource: lists are replaced whole. */
  | 'replaced by placement'
  | 'replaced by cluster'
  /** Of several placements that select the cluster only the last in the install strategy counts. */
  | 'placement is not the last';

export interface Loser extends Candidate {
  readonly reason: LossReason;
}

/** The configuration of one group and resource: what counts, in the hub's order, and what lost. */
export interface EffectiveKind {
  readonly group: string;
  readonly resource: string;
  /** In the order of the hub's status; consumers such as templates read only the first. */
  readonly winners: readonly Candidate[];
  readonly losers: readonly Loser[];
}

/**
 * What one add-on uses after default < install strategy < cluster. Clusters with the same answer share the same object,
 * so that comparing identities groups them.
 */
export interface EffectiveConfiguration {
  /** Sorted by group, then resource. */
  readonly kinds: readonly EffectiveKind[];
  /** `status.configReferences` of the ManagedClusterAddOn: the winners of all kinds in order. */
  readonly references: readonly ConfigReference[];
}

/** One add-on on one cluster. */
export interface ClusterAddOn {
  readonly cluster: string;
  /** The placements of the install strategy that select the cluster, in spec order; the last one counts. */
  readonly placements: readonly string[];
  readonly effective: EffectiveConfiguration;
  /** The ManagedClusterAddOn that the user wrote for this cluster. */
  readonly written?: Admitted<ManagedClusterAddOnV1beta1>;
}

/** What the hub writes into a ClusterManagementAddOn's `status.installProgressions`. */
export interface InstallProgression {
  readonly namespace: string;
  readonly name: string;
  readonly references: readonly ConfigReference[];
}

/** One add-on, resolved for the whole fleet. */
export interface ResolvedAddOn {
  readonly name: string;
  /** Who delivers it. What is compiled is resolved as the hub would resolve it. */
  readonly delivery: Delivery;
  /** `lease` where the companion goes by a Lease that the agent renews, and not by what works report. */
  readonly health?: 'lease';
  /**
   * Whether we know what it puts on clusters. False where the lifecycle annotation tells the hub's addon-manager to keep its
   * hands off, and no compiler delivers it instead.
   */
  readonly managed: boolean;
  /** `status.supportedConfigs` of its ManagedClusterAddOns, once somebody looks after them. */
  readonly supportedConfigs: readonly Required<ConfigKind>[];
  /** Present where the ClusterManagementAddOn is on the hub and not from Git: what becomes of it is not the app's affair. */
  readonly hubsOwn?: true;
  /** Whether it is made from templates: its ClusterManagementAddOn lists `addontemplates`, or it is compiled. */
  readonly template: boolean;
  /**
   * Why the hub configures no cluster of this add-on: one fault stops the whole ClusterManagementAddOn. Installed
   * add-ons keep what they have; fresh ones get no configuration.
   */
  readonly stalled?: string;
  /**
   * Placements of the install strategy, by `namespace/name`, that the hub may have and the inputs do not: where they install the
   * add-on is not known, but for clusters that have a ManagedClusterAddOn already.
   */
  readonly undecided?: readonly string[];
  readonly defaultReferences: readonly ConfigReference[];
  readonly progressions: readonly InstallProgression[];
  /** Every cluster that has the add-on once the hub is still; by name, sorted. */
  readonly clusters: ReadonlyMap<string, ClusterAddOn>;
}

/** All add-ons, by name, sorted. */
export type Configuration = ReadonlyMap<string, ResolvedAddOn>;
