import type { ChangeGroup, Effect, PermissionChange, RegistrationChange } from './change.ts';
import type { FollowerKind } from '../api/placement-followers.ts';
import type { WorkKind } from './works/plan-works.ts';
import type { StrategyChange } from './placements/strategy-changes.ts';
import type { PlannedRollout } from './placements/waves.ts';

/** The change to one add-on, to works that were written directly, or to something else that follows Placements. */
export interface AddOnPlan {
  readonly app: string;
  /** The hub, if the plan is about several. */
  readonly hub?: string;
  /** Absent for add-ons. */
  readonly kind?: WorkKind | FollowerKind;
  /** The name of the add-on or of the works. `namespace/name` for everything else. */
  readonly addOn: string;
  /** Absent if it exists in both states. */
  readonly change?: 'added' | 'removed';
  /** The number of clusters on which it is installed. */
  readonly before: number;
  readonly after: number;
  /** The number of clusters per effect. */
  readonly effects: Readonly<Record<Effect, number>>;
  /** Sorted by severity, most severe first. */
  readonly groups: readonly ChangeGroup[];
  readonly permissions: readonly PermissionChange[];
  readonly registrations: readonly RegistrationChange[];
  readonly rollout: PlannedRollout;
  /** The effect of edited rollout strategies on later changes, in the order of the install strategy. */
  readonly strategies: readonly StrategyChange[];
  /** The reason why the hub configures no cluster of this add-on in the head. */
  readonly stalled?: string;
}

/** The same without the rollout order. */
export type AddOnChange = Omit<AddOnPlan, 'rollout'>;
