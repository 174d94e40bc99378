import type { Location } from '../model/origin.ts';

/** The values of a label or claim: one of them; `true` for any value, `false` for none. */
export type WrittenValues = string | boolean | readonly string[];

/** Which clusters are meant. All fields hold together. */
export interface WrittenCondition {
  /** Labels and their values. */
  readonly labels?: Readonly<Record<string, WrittenValues>>;
  /** Claims and their values. */
  readonly claims?: Readonly<Record<string, WrittenValues>>;
  /** Sets; the cluster is in at least one of them. */
  readonly sets?: readonly string[];
  /** Placements as `namespace/name`; at least one of them selects the cluster. */
  readonly placements?: readonly string[];
  /** Decision groups by placement; the cluster is in the group of each. */
  readonly groups?: Readonly<Record<string, string>>;
  /** CEL expressions as in a Placement; all of them are true. */
  readonly cel?: readonly string[];
  /** Add-ons that the cluster has. */
  readonly has?: readonly string[];
  /** Add-ons that the cluster does not have. */
  readonly lacks?: readonly string[];
  /** What does not hold. */
  readonly not?: WrittenCondition;
}

/** The kinds of fields that an edit of a cluster changes. */
export type EditedKind = 'labels' | 'claims' | 'taints' | 'sets';

/** What holds for clusters, whatever their labels are: an entry of the invariants in fleetwright.yaml. */
export interface WrittenInvariant {
  /** Why it matters. */
  readonly reason?: string;
  /** `any`: every cluster that may exist; `fleet`: those of the fleet, as they are. @default any, fleet with `edits` */
  readonly clusters?: 'any' | 'fleet';
  /** The number of edits of one cluster of the fleet. */
  readonly edits?: number;
  /** What is edited. @default labels */
  readonly of?: readonly EditedKind[];
  /** The labels and claims that are edited. @default - all */
  readonly keys?: readonly string[];
  /** The clusters that are edited, as they were before. @default - all */
  readonly before?: WrittenCondition;
  /** The clusters that are meant; after the edits, if there are any. @default - all */
  readonly where?: WrittenCondition;
  /** Add-ons that these clusters have. */
  readonly has?: readonly string[];
  /** Add-ons that they do not have. */
  readonly lacks?: readonly string[];
  /** The only add-ons that they may have. */
  readonly only?: readonly string[];
  /** Add-ons of which they have exactly one. */
  readonly oneOf?: readonly string[];
  /** Add-ons of which they have one or none. */
  readonly atMostOneOf?: readonly string[];
  /** Configurations by add-on and resource: `namespace/name`, or several of which one is used. */
  readonly configs?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  /** Values of variables by add-on: one, or several of which one is used. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  /** Placements of which exactly one selects them. */
  readonly onePlacementOf?: readonly string[];
  /** Placements of which one or none selects them. */
  readonly atMostOnePlacementOf?: readonly string[];
  /** CEL expressions over the add-ons of a cluster that are true; the variable is `addOns`. */
  readonly satisfies?: readonly string[];
  /** Another condition that holds for them. */
  readonly are?: WrittenCondition;
  /** Add-ons that an edit does not uninstall; `true`: all. */
  readonly keeps?: true | readonly string[];
  /** Add-ons that an edit neither installs, uninstalls nor configures otherwise; `true`: all. */
  readonly unchanged?: true | readonly string[];
  /** Other clusters than the edited one, on which an edit changes nothing. */
  readonly others?: WrittenCondition;
}

/** An invariant, and where it is written. */
export interface Invariant extends WrittenInvariant {
  readonly name: string;
  readonly location?: Location;
}
