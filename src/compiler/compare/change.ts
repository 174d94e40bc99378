import type { Location } from '../model/origin.ts';
import type { ApplicationChange } from './application-change.ts';
import type { LabelCount } from './cluster-labels.ts';

/**
 * The effect of a change on one add-on on one cluster, most severe first. `uninstalled` and `installed`: the add-on is removed or
 * added. `changed`: what the cluster runs is different. `rerolled`: the hub rolls the add-on out again although nothing visible
 * is different. `moved`: another placement or level provides the same configuration.
 */
export const effects = ['uninstalled', 'installed', 'changed', 'rerolled', 'moved'] as const;
/** What happens to an add-on on a cluster. */
export type Effect = (typeof effects)[number];

/** The state that contains something: base or head. */
export type Side = 'base' | 'head';

/** The kind of cause of a change. */
export type CauseKind =
  | 'add-on added'
  | 'add-on removed'
  | 'install strategy edited'
  | 'cluster added'
  | 'cluster removed'
  | 'cluster changed'
  | 'add-on edited'
  | 'lifecycle changed'
  | 'work edited'
  | 'follower edited'
  | 'placement added'
  | 'placement removed'
  | 'placement edited'
  | 'binding changed'
  | 'configuration edited'
  | 'competition'
  | 'hub release'
  | 'time'
  | 'other';

/** Why something changes. */
export interface Cause {
  readonly kind: CauseKind;
  /** One sentence without a period. It names no cluster, so that clusters with the same cause are reported together. */
  readonly text: string;
  /** The state and the location in which it was written. For clusters, the location of the first one. */
  readonly side: Side;
  readonly location?: Location;
}

/** One value that is different. A side is absent if the value does not exist there. */
export interface ValueChange {
  /** `AddOnDeploymentConfig default/a`, or `Deployment agents/agent` for a rendered manifest. */
  readonly object: string;
  /**
   * Empty if the whole object is added or removed. Entries of lists with names are identified by name:
   * `spec.containers[agent].image`.
   */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Whether it is content of a Secret, which the sides mask. */
  readonly secret?: true;
  /** The parameter that sets it. Absent if its configuration is not compiled from parameters. */
  readonly parameter?: string;
  /** The cluster whose value this is. Present only if the value differs per cluster. */
  readonly cluster?: string;
  readonly side: Side;
  readonly location?: Location;
}

/** One use of a configuration object. */
export interface ConfigUse {
  /** `namespace/name`, or `name`. */
  readonly name: string;
  /** `default`, `cluster` or `placement namespace/name`. */
  readonly from: string;
  /** The hash of the object's content. Empty if the object does not exist. */
  readonly specHash: string;
  readonly location: Location;
}

/** A kind of configuration for which an add-on uses another object, or the same object with other content. */
export interface ConfigChange {
  /** `addondeploymentconfigs.addon.open-cluster-management.io`. */
  readonly resource: string;
  readonly before: readonly ConfigUse[];
  readonly after: readonly ConfigUse[];
}

/** What the API servers of some clusters make of a change of an object. */
export interface ClusterAnswer {
  /** `refused`: the change is rejected. `deleted`: the object is deleted with its content. */
  readonly kind: 'refused' | 'deleted';
  /** `Deployment agents/agent`. */
  readonly object: string;
  /** `Deployment agents/agent: spec.selector is immutable`. */
  readonly words: string;
  readonly hint: string;
  /** The number of clusters. */
  readonly clusters: number;
  /** Where the template of an add-on has the object, or what changes in it. Absent for works and objects that no template has. */
  readonly location?: Location;
}

/** Clusters on which an add-on changes in the same way, for the same reasons. */
export interface ChangeGroup {
  readonly effect: Effect;
  /** Sorted by name. */
  readonly clusters: readonly string[];
  readonly causes: readonly Cause[];
  /** A difference between the actual effect and the files, caused by the GitOps engine. A sentence without a period. */
  readonly caveat?: string;
  /** What the API servers of the clusters make of it, if it is more than the change. They are in `caveat` too. @default - nothing */
  readonly answers?: readonly ClusterAnswer[];
  /** Whether the clusters begin or cease to enforce a Policy. @default - neither */
  readonly enforcement?: 'begins' | 'ends';
  /** What happens to the Applications of an ApplicationSet, most severe first. @default - the Applications are not known */
  readonly applications?: readonly ApplicationChange[];
  /** The configuration objects that the add-on uses, if it is installed. */
  readonly configs: readonly ConfigChange[];
  /**
   * Values of configuration objects, then of rendered manifests. For an installation, the values with which the add-on is
   * installed.
   */
  readonly values: readonly ValueChange[];
  /** The number of values that `values` omits. */
  readonly moreValues: number;
  /** The values of the labels by which the plan counts. Absent if it counts by none. */
  readonly labels?: readonly LabelCount[];
  /** The clusters that change when the promotion of the app releases their wave, not with the merge. @default - none */
  readonly waiting?: readonly string[];
  /** The clusters that do not get the change, because a promotion rolled this content back. @default - none */
  readonly rolledBack?: readonly string[];
}

/** A hub permission that agents of an add-on gain or lose, or that agents on another number of clusters have. */
export interface PermissionChange {
  /** `ClusterRole/reader in each cluster's namespace`, `Role/leases in namespace agents`. */
  readonly permission: string;
  readonly change: 'widened' | 'narrowed' | 'more clusters' | 'fewer clusters' | 'role edited';
  /** The number of clusters whose agents have it. */
  readonly before: number;
  readonly after: number;
  readonly side: Side;
  readonly location?: Location;
}

/** A registration of an add-on's agents with the hub that is added, removed or changed. */
export interface RegistrationChange {
  /** `kubernetes.io/kube-apiserver-client`, or the custom signer's name. */
  readonly signer: string;
  readonly change: 'widened' | 'narrowed' | 'changed';
  /** The subject that a custom signer signs for, if the template sets a fixed one. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly side: Side;
  readonly location?: Location;
}
