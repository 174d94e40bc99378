import type { CauseCode, StatusState } from './cause-table.ts';
import type { LeftOnHub } from './left/left-objects.ts';
import type { PlacedStatus } from './placed-status.ts';

/** Why an add-on is not as predicted: the first cause, which leads to the others. */
export interface StatusCause {
  readonly code: CauseCode;
  /** One sentence without a period, equal for all clusters of a class. */
  readonly message: string;
}

/** The position of waiting clusters in the rest of a rollout. */
export interface PendingWave {
  /** From 1, counted from now. */
  readonly number: number;
  /** The number of waves that are left. */
  readonly of: number;
  /** The earliest time, in RFC 3339. */
  readonly due: string;
  /** The clusters that are changing now, which the rollout waits for, sorted by name. */
  readonly waitsFor: readonly string[];
}

/** Clusters that are not as predicted, all for the same cause. */
export interface StatusClass {
  readonly state: Exclude<StatusState, 'as predicted'>;
  readonly cause: StatusCause;
  /** Sorted by name. */
  readonly clusters: readonly string[];
  /** The earliest time since which one of the clusters is in this state, in RFC 3339. Absent if the hub does not report it. */
  readonly since?: string;
  readonly wave?: PendingWave;
}

/** One add-on on the hub, compared with the prediction. */
export interface AddOnFleetStatus {
  readonly addOn: string;
  /** The number of clusters in each state. */
  readonly counts: Readonly<Record<StatusState, number>>;
  /** In the order of `causes`, then by the first cluster. */
  readonly classes: readonly StatusClass[];
  /** Clusters that only taints exclude from the placements of the add-on, as predicted: by taint, sorted by name. */
  readonly excluded: readonly ExcludedClusters[];
  /** The placements of an add-on that is predicted for no cluster. Empty for all other add-ons. */
  readonly emptyPlacements: readonly EmptyPlacement[];
}

/** A placement that selects no cluster. */
export interface EmptyPlacement {
  /** In the form `namespace/name`. */
  readonly placement: string;
  /** Why it selects none, in the words of the hub's condition PlacementSatisfied. */
  readonly reason: string;
}

/** An object that two GitOps engines apply. */
export interface ContestedObject {
  /** In the form `Placement default/all`. */
  readonly object: string;
  /** In the order of their marks: `Argo CD`, `Flux`. */
  readonly engines: readonly string[];
}

/** Clusters that a placement would select without their taint. */
export interface ExcludedClusters {
  /** In the form `key=value:effect`. */
  readonly taint: string;
  readonly clusters: readonly string[];
}

/** The add-ons of the working tree on a hub. */
export interface FleetStatus {
  /** The time of the comparison, in RFC 3339. */
  readonly time: string;
  readonly asPredicted: boolean;
  /** Sorted by name. */
  readonly addOns: readonly AddOnFleetStatus[];
  /** Add-ons that only the hub has, sorted by name. They are not compared. */
  readonly notInGit: readonly string[];
  /** Objects that two engines apply, so that each overwrites the other. */
  readonly contested: readonly ContestedObject[];
  /** What the credentials do not allow to read. Causes that depend on it are less exact. */
  readonly unread: readonly string[];
  /** Policies and ApplicationSets that are not on the hub as predicted. Absent if only a part of the hub is compared. */
  readonly placed?: PlacedStatus;
  /** What stays on the hub although Git no longer has it. Absent if only a part of the hub is compared. */
  readonly leftOnHub?: LeftOnHub;
}
