import type { Location } from '../origin.ts';
import type { LabelCount } from './cluster-labels.ts';

/**
 * What a change does to one add-on on one cluster, gravest first: `uninstalled`; `installed`; `changed`, where what the
 * cluster runs is different; `rerolled`, where the hub rolls it out again though nothing visible is different; `moved`,
 * where only the placement or level that gives the same configuration is another.
 */
export const effects = ['uninstalled', 'installed', 'changed', 'rerolled', 'moved'] as const;
export type Effect = (typeof effects)[number];

/** Which of the two states something stands in. */
export type Side = 'base' | 'head';

/** What led to a change. */
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
  | 'time'
  | 'other';

export interface Cause {
  readonly kind: CauseKind;
  /** One sentence without a full stop; it names no cluster, so that clusters with the same cause are told together. */
  readonly text: string;
  /** Where it was written, and in which state; for clusters the place of the first one. */
  readonly side: Side;
  readonly location?: Location;
}

/** One value that is different. Absent sides: the value is not there. */
export interface ValueChange {
  /** `AddOnDeploymentConfig default/a`, or `Deployment agents/agent` for a rendered manifest. */
  readonly object: string;
  /** Empty where the whole object comes or goes. Entries of lists with names go by them: `spec.containers[agent].image`. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Whether it is content of a Secret, which the sides do not show. */
  readonly secret?: true;
  /** Present where it differs per cluster: the cluster whose value this is. */
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
  /** Of the object's content; empty where it does not exist. */
  readonly specHash: string;
  readonly location: Location;
}

/** A kind of configuration for which an add-on uses another object, or the same with other content. */
export interface ConfigChange {
  /** `addondeploymentconfigs.addon.open-cluster-management.io`. */
  readonly resource: string;
  readonly before: readonly ConfigUse[];
  readonly after: readonly ConfigUse[];
}

/** Clusters on which an add-on changes in the same way, for the same reasons. */
export interface ChangeGroup {
  readonly effect: Effect;
  /** Sorted by name. */
  readonly clusters: readonly string[];
  readonly causes: readonly Cause[];
  /** What does not happen as the files say, because of the GitOps engine: a sentence without a full stop. */
  readonly caveat?: string;
  /** Where the add-on is installed: what it uses. */
  readonly configs: readonly ConfigChange[];
  /**
   * Values of configuration objects, then of rendered manifests. Where the add-on is installed: the values with which it is.
   */
  readonly values: readonly ValueChange[];
  /** How many more values there are than `values` has. */
  readonly moreValues: number;
  /** The values of the labels by which the plan counts. Absent where it counts by none. */
  readonly labels?: readonly LabelCount[];
}

/** A hub permission that agents of an add-on get, lose, or hold for another number of clusters. */
export interface PermissionChange {
  /** `ClusterRole/reader in each cluster's namespace`, `Role/leases in namespace agents`. */
  readonly permission: string;
  readonly change: 'widened' | 'narrowed' | 'more clusters' | 'fewer clusters' | 'role edited';
  /** How many clusters' agents hold it. */
  readonly before: number;
  readonly after: number;
  readonly side: Side;
  readonly location?: Location;
}

/** A registration that agents of an add-on make with the hub, and that is added, removed or different. */
export interface RegistrationChange {
  /** `kubernetes.io/kube-apiserver-client`, or the custom signer's name. */
  readonly signer: string;
  readonly change: 'widened' | 'narrowed' | 'changed';
  /** The subject that a custom signer signs for, where it is fixed in the template. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly side: Side;
  readonly location?: Location;
}
