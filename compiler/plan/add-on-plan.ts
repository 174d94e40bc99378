import type { ChangeGroup, Effect, PermissionChange, RegistrationChange } from './change.ts';
import type { FollowerKind } from '../api/placement-followers.ts';
import type { WorkKind } from './plan-works.ts';
import type { StrategyChange } from './strategy-changes.ts';
import type { PlannedRollout } from './waves.ts';

/** What happens to one add-on, to works that were written by themselves, or to something else that follows Placements. */
export interface AddOnPlan {
  readonly app: string;
  /** Absent for add-ons. */
  readonly kind?: WorkKind | FollowerKind;
  /** The name of the add-on, or of the works; `namespace/name` of everything else. */
  readonly addOn: string;
  /** Absent where it exists in both states. */
  readonly change?: 'added' | 'removed';
  /** On how many clusters it is installed. */
  readonly before: number;
  readonly after: number;
  /** Clusters by effect. */
  readonly effects: Readonly<Record<Effect, number>>;
  /** Gravest first. */
  readonly groups: readonly ChangeGroup[];
  readonly permissions: readonly PermissionChange[];
  readonly registrations: readonly RegistrationChange[];
  readonly rollout: PlannedRollout;
  /** What edited rollout strategies mean for later changes, in the order of the install strategy. */
  readonly strategies: readonly StrategyChange[];
  /** Why the hub configures no cluster of this add-on in the head. */
  readonly stalled?: string;
}

/** The same without the order in which it happens. */
export type AddOnChange = Omit<AddOnPlan, 'rollout'>;
